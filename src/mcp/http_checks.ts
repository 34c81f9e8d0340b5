/**
 * What a request's headers must be before a byte of its body is read: a Host of ours (DNS
 * rebinding, GHSA-w48q-cv73-mx4w), an Origin of ours where there is one (cross-site requests).
 */
import type { IncomingMessage } from 'node:http'

export interface HostPolicy {
  /** Host names without port that are ours; IPv6 in brackets. */
  readonly hosts: ReadonlySet<string>
  /** Takes any Host: behind a tunnel that forwards its own. */
  readonly anyHost: boolean
  /** Origins that may call besides that of the server itself. */
  readonly origins: ReadonlySet<string>
}

export interface Refusal {
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/** True for an address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(host) || host === '::1'
}

export function hostPolicy(
  bound: string,
  options: {
    readonly hosts?: readonly string[]
    readonly origins?: readonly string[]
    readonly allowTunnel?: boolean
  } = {},
): HostPolicy {
  const own = bound.includes(':') && !bound.startsWith('[') ? `[${bound}]` : bound
  return {
    hosts: new Set([...LOOPBACK, own, ...(options.hosts ?? [])].map((name) => name.toLowerCase())),
    anyHost: options.allowTunnel === true,
    origins: new Set((options.origins ?? []).map((origin) => origin.toLowerCase())),
  }
}

/** Null where the request may go on. */
export function checkHost(request: IncomingMessage, policy: HostPolicy): Refusal | null {
  const hosts = valuesOf(request, 'host'),
    host = hosts.length === 1 ? hostNameOf(hosts[0]!) : null
  if (host === null) return { status: 400, message: 'One valid Host header is needed.' }
  if (policy.anyHost || policy.hosts.has(host)) return null
  return {
    status: 421,
    message:
      'This server does not answer for that host. Start it with --allow-host NAME, or --allow-tunnel behind a tunnel.',
  }
}

/**
 * Null where the request may go on: no Origin (no browser), the server's own, or one that was
 * allowed. `null`, the opaque origin, is never.
 */
export function checkOrigin(request: IncomingMessage, policy: HostPolicy): Refusal | null {
  const origins = valuesOf(request, 'origin')
  if (origins.length === 0) return null
  const origin = origins.length === 1 ? origins[0]!.toLowerCase() : 'null',
    own = valuesOf(request, 'host')[0]?.toLowerCase()
  if (policy.origins.has(origin)) return null
  // The Host is ours only where it was checked against the list.
  const name = own === undefined ? null : hostNameOf(own)
  if (
    name !== null &&
    policy.hosts.has(name) &&
    (origin === `http://${own}` || origin === `https://${own}`)
  )
    return null
  return {
    status: 403,
    message:
      'Pages of that origin may not call this server. Start it with --allow-origin ORIGIN to let them.',
  }
}

/** Every value of a header as it came; Node keeps only the first of some that come twice. */
export function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const out: string[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.toLowerCase() === name) out.push(rawHeaders[i + 1]!)
  return out
}

/** The name in a Host header, lower case, without its port; null where it is none. */
function hostNameOf(host: string): string | null {
  if (!/^[a-z0-9.\-_[\]:]{1,255}$/i.test(host)) return null
  try {
    const { hostname, username, pathname } = new URL(`http://${host}`)
    return username === '' && pathname === '/' ? hostname : null
  } catch {
    return null
  }
}
