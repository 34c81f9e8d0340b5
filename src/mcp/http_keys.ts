/**
 * Who may call over a network: keys, what each allows, how long, and waiting after failures (RFC
 * 6750).
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { LIMITS } from '../base/limits.ts'
import { valuesOf, type Refusal } from './http_checks.ts'

export type Scope = 'read' | 'write'

export interface AccessKey {
  readonly key: string
  readonly scope: Scope
  /** Milliseconds since 1970 from which it is no good; null: until the server ends. */
  readonly expiresAt: number | null
}

/** 256 random bits in base64url: 43 characters. */
export function generateKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Keys of 256 bits cannot be guessed, so failures of others never lock their owner out. */
const STRONG_CHARS = 43

export class KeyRing {
  private readonly keys: readonly (AccessKey & { readonly digest: Buffer })[]
  private readonly now: () => number
  private readonly failures = new Map<string, { count: number; waitUntil: number }>()

  constructor(keys: readonly AccessKey[], now: () => number = Date.now) {
    this.keys = keys.map((key) => ({ ...key, digest: digestOf(key.key) }))
    this.now = now
  }

  /**
   * What the caller may do, or why nothing. Without keys everybody may do everything: for loopback
   * alone.
   */
  check(request: IncomingMessage): Scope | Refusal {
    if (this.keys.length === 0) return 'write'
    const address = request.socket.remoteAddress ?? '',
      now = this.now(),
      failures = this.failures.get(address)
    const headers = valuesOf(request, 'authorization'),
      given =
        headers.length === 1 ? /^Bearer ([\w\-.~+/]{1,512}=*)$/i.exec(headers[0]!)?.[1] : undefined
    const digest = digestOf(given ?? '')
    // All keys are compared, by digests of equal length, so that the time tells nothing of any.
    const match = this.keys.filter(
      (key) => timingSafeEqual(key.digest, digest) && given !== undefined,
    )[0]
    const waiting = failures !== undefined && failures.waitUntil > now
    if (match !== undefined && (!waiting || match.key.length >= STRONG_CHARS)) {
      if (match.expiresAt !== null && match.expiresAt <= now)
        return unauthorized(
          'The key has expired; start the server again for a new one.',
          'invalid_token',
        )
      this.failures.delete(address)
      return match.scope
    }
    if (waiting)
      return {
        status: 429,
        message: 'Too many failed attempts; wait before the next.',
        headers: { 'Retry-After': String(Math.ceil((failures.waitUntil - now) / 1000)) },
      }
    if (headers.length > 0) this.failed(address, now)
    return headers.length === 0
      ? unauthorized('A key is needed: Authorization: Bearer KEY.', null)
      : unauthorized('The key is not right, or there is more than one.', 'invalid_token')
  }

  private failed(address: string, now: number): void {
    const count = (this.failures.get(address)?.count ?? 0) + 1,
      beyond = count - LIMITS.mcpAuthStrikes
    this.failures.delete(address)
    this.failures.set(address, {
      count,
      waitUntil:
        beyond < 0 ? 0 : now + Math.min(LIMITS.mcpAuthWaitMs, 1000 * 2 ** Math.min(beyond, 20)),
    })
    // The oldest is forgotten first, so that many addresses cannot fill the memory.
    if (this.failures.size > 10_000) this.failures.delete(this.failures.keys().next().value!)
  }
}

function unauthorized(message: string, error: string | null): Refusal {
  return {
    status: 401,
    message,
    headers: {
      'WWW-Authenticate':
        error === null ? 'Bearer realm="hubmesh"' : `Bearer realm="hubmesh", error="${error}"`,
    },
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
