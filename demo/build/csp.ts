/** The page's Content-Security-Policy; each exception stands here with its reason. */

/**
 * The policy of the built page: only its own origin, no inline code or style, one Trusted Types
 * policy.
 */
export const CSP_DIRECTIVES: ReadonlyMap<string, string> = new Map([
  ['default-src', "'none'"],
  // WebAssembly of ONNX Runtime and of the vector kernel is compiled from bytes.
  ['script-src', "'self' 'wasm-unsafe-eval'"],
  ['worker-src', "'self'"],
  ['connect-src', "'self'"],
  ['style-src', "'self'"],
  ['img-src', "'self' data:"],
  ['manifest-src', "'self'"],
  ['base-uri', "'none'"],
  ['form-action', "'none'"],
  ['frame-ancestors', "'none'"],
  ['require-trusted-types-for', "'script'"],
  ['trusted-types', 'hubmesh'],
])

/**
 * The header of the built page. `origins` are other addresses that it may fetch from, none by
 * default: a model server, archives.
 */
export function strictPolicy(origins: readonly string[] = []): string {
  const wide = new Map(CSP_DIRECTIVES)
  if (origins.length > 0)
    wide.set('connect-src', ["'self'", ...origins.map(checkedOrigin)].join(' '))
  return write(wide)
}

/**
 * The same for a `meta` element of the page, so that a host which sets no headers serves it under
 * its policy too. What a `meta` element cannot say is left out.
 */
export function metaPolicy(origins: readonly string[] = []): string {
  return strictPolicy(origins)
    .split('; ')
    .filter((directive) => !directive.startsWith('frame-ancestors'))
    .join('; ')
}

/**
 * An origin as it may stand in a policy: scheme, host and port, nothing that would widen it
 * further.
 */
export function checkedOrigin(origin: string): string {
  let url: URL | null = null
  try {
    url = new URL(origin)
  } catch {
    // Told below.
  }
  if (
    url === null ||
    (url.protocol !== 'https:' && url.protocol !== 'http:') ||
    url.origin !== origin.replace(/\/$/, '') ||
    !/^[a-z]+:\/\/[a-z0-9.:[\]-]+$/.test(url.origin)
  )
    throw new Error(
      `${JSON.stringify(origin)} is no origin; give one like http://127.0.0.1:11434, without a path.`,
    )
  return url.origin
}

/**
 * The header of the development server. Module replacement needs inline styles, inline start-up
 * code and a socket, and makes script URLs of its own, so those four directives are wider;
 * everything else stays as in the built page.
 */
export function developmentPolicy(origins: readonly string[] = []): string {
  const wide = new Map(CSP_DIRECTIVES)
  wide.set('script-src', "'self' 'unsafe-inline' 'wasm-unsafe-eval'")
  wide.set('style-src', "'self' 'unsafe-inline'")
  wide.set('connect-src', ["'self' ws:", ...origins.map(checkedOrigin)].join(' '))
  wide.delete('require-trusted-types-for')
  wide.delete('trusted-types')
  return write(wide)
}

function write(directives: ReadonlyMap<string, string>): string {
  return [...directives].map(([name, value]) => `${name} ${value}`).join('; ')
}

/** Headers that go out with every answer of the demo's servers. */
export function pageHeaders(policy: string): Record<string, string> {
  return {
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}
