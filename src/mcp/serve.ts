/**
 * How a manager of corpora is served: what is offered to whom, keys and addresses, stdio or the
 * network, warming up behind it.
 */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { packageVersion } from '../registry/package_files.ts'
import type { Corpora } from '../registry/corpora.ts'
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { createCallGate } from './call_gate.ts'
import { corporaCatalog } from './corpora_catalog.ts'
import { hostPolicy, isLoopback } from './http_checks.ts'
import { generateKey, KeyRing, type AccessKey, type Scope } from './http_keys.ts'
import { serveMcp } from './http_server.ts'
import { sdkServer } from './mcp_server.ts'

export interface ServeOptions {
  /** `http` serves streamable HTTP at /mcp and SSE at /sse. */
  readonly transport: 'stdio' | 'http'
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 8000; 0 for any free one. */
  readonly port?: number
  /** Host names beside the address, behind a proxy. */
  readonly allowHosts?: readonly string[]
  readonly allowOrigins?: readonly string[]
  /** Takes any Host; a key is needed. */
  readonly allowTunnel?: boolean
  /** Offers index_corpus. Default false. */
  readonly allowWrites?: boolean
  /** Callers must send it. Beyond this machine one is made where none is given. */
  readonly apiKey?: string
  /** With it, `apiKey` only reads. */
  readonly writeKey?: string
  /** Makes a key also on this machine alone. */
  readonly generateKey?: boolean
  /** Default true: opens model and corpora at once, behind the first calls. */
  readonly warmup?: boolean
  /** Told of faults of ours. */
  readonly onFault?: (error: unknown) => void
}

export interface Serving {
  /** Null with stdio. */
  readonly url: string | null
  /** A key that was made, good until `expiresAt`: to be shown once. */
  readonly generated: { readonly key: string; readonly expiresAt: number } | null
  readonly warnings: readonly string[]
  /** What the warm-up found, by part. */
  readonly warm: Promise<Readonly<Record<string, string>>>
  /** Resolves when the client has gone; never with a network. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/**
 * Serves until `close()`; the corpora stay open. Rejects with `input/invalid` (keys without a
 * network, a weak one) or `remote/unavailable`.
 */
export async function serveCorpora(corpora: Corpora, options: ServeOptions): Promise<Serving> {
  const { allowWrites = false, host = '127.0.0.1', port = 8000 } = options
  const catalog = corporaCatalog(corpora, { writes: allowWrites }),
    gate = createCallGate(LIMITS.mcpCalls, LIMITS.mcpCallMs),
    version = packageVersion()
  const connect = (scope: Scope): ReturnType<typeof sdkServer> =>
    sdkServer({
      catalog,
      version,
      gate,
      writes: allowWrites && scope === 'write',
      ...(options.onFault ? { onFault: options.onFault } : {}),
    })
  const warm = (): Promise<Readonly<Record<string, string>>> =>
    options.warmup === false ? Promise.resolve({}) : corpora.warmup()
  if (options.transport === 'stdio') {
    if (options.apiKey !== undefined || options.writeKey !== undefined)
      throw new HubmeshError(
        'input/invalid',
        'stdio takes no key: who starts the program has it. Choose --transport http for keys.',
      )
    const server = connect('write'),
      transport = new StdioServerTransport()
    const ended = new Promise<void>((resolve) => {
      server.onclose = resolve
      process.stdin.once('end', resolve)
    })
    await server.connect(transport)
    return {
      url: null,
      generated: null,
      warnings: [],
      warm: warm(),
      ended,
      close: () => server.close(),
    }
  }
  const exposed = options.allowTunnel === true || !isLoopback(host)
  const { keys, generated, warnings } = keysOf(options, exposed)
  const http = await serveMcp({
    host,
    port,
    policy: hostPolicy(host, {
      allowTunnel: options.allowTunnel === true,
      hosts: options.allowHosts ?? [],
      origins: options.allowOrigins ?? [],
    }),
    keys: new KeyRing(keys),
    connect,
  })
  const shown = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shown}:${http.port}/mcp`,
    generated,
    warnings,
    warm: warm(),
    ended: new Promise(() => undefined),
    close: () => http.close(),
  }
}

/**
 * Who may do what. A key that is given lasts as long as the server; one that is made lasts a day.
 */
function keysOf(
  { apiKey, writeKey, allowWrites, generateKey: wanted, allowTunnel }: ServeOptions,
  exposed: boolean,
): {
  readonly keys: AccessKey[]
  readonly generated: Serving['generated']
  readonly warnings: string[]
} {
  const keys: AccessKey[] = [],
    warnings: string[] = []
  if (writeKey !== undefined && allowWrites !== true)
    throw new HubmeshError(
      'input/invalid',
      'A write key was given, but writing is off. Add --allow-writes.',
    )
  for (const [name, key] of [
    ['API', apiKey],
    ['write', writeKey],
  ] as const) {
    if (key === undefined) continue
    if (!/^[\w\-.~+/]{1,512}=*$/.test(key))
      throw new HubmeshError(
        'input/invalid',
        `The ${name} key cannot be sent as a Bearer token: use letters, digits and - . _ ~ + /.`,
      )
    if (key.length < 43)
      warnings.push(
        `The ${name} key has ${key.length} characters; 43 random ones cannot be guessed.`,
      )
  }
  if (apiKey !== undefined)
    keys.push({ key: apiKey, scope: writeKey === undefined ? 'write' : 'read', expiresAt: null })
  if (writeKey !== undefined) keys.push({ key: writeKey, scope: 'write', expiresAt: null })
  const generated =
    keys.length === 0 && (exposed || wanted === true)
      ? { key: generateKey(), expiresAt: Date.now() + LIMITS.mcpTokenMs }
      : null
  if (generated !== null) keys.push({ ...generated, scope: 'write' })
  if (allowTunnel === true)
    warnings.push(
      'Behind a tunnel every caller must present the key. A tunnel that adds the key by itself ' +
        'must know its callers first: it would open every corpus to all.',
    )
  return { keys, generated, warnings }
}
