/**
 * The server for the network: streamable HTTP at /mcp, SSE at /sse and /messages, with every check
 * in front of the SDK, which trusts its caller.
 */
import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { checkHost, checkOrigin, type HostPolicy, type Refusal } from './http_checks.ts'
import type { KeyRing, Scope } from './http_keys.ts'
import { EventStreams, type StreamLimits } from './http_streams.ts'

export interface McpHttpOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  readonly policy: HostPolicy
  readonly keys: KeyRing
  /** A fresh server for a connection of that scope. */
  readonly connect: (scope: Scope) => Server
  readonly limits?: StreamLimits & {
    readonly bodyBytes?: number
    readonly requests?: number
    readonly requestMs?: number
  }
}

export interface McpHttpServer {
  readonly port: number
  close(): Promise<void>
}

/**
 * Resolves once it listens. Rejects with `remote/unavailable` where the address is taken or not
 * ours.
 */
export async function serveMcp(options: McpHttpOptions): Promise<McpHttpServer> {
  const handler = new Handler(options),
    requestMs = options.limits?.requestMs ?? LIMITS.mcpRequestMs
  const http = createServer(
    {
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      connectionsCheckingInterval: Math.min(1000, requestMs),
      keepAliveTimeout: 5000,
      maxHeaderSize: 16 * 1024,
    },
    (request, response) => {
      handler.handle(request, response).catch(() => {
        refuse(response, { status: 500, message: 'The server failed at this request.' })
      })
    },
  )
  http.maxConnections =
    4 * (options.limits?.requests ?? LIMITS.mcpRequests) +
    (options.limits?.streams ?? LIMITS.mcpStreams)
  await listening(http, options)
  return {
    port: (http.address() as AddressInfo).port,
    async close() {
      await handler.close()
      await new Promise<void>((resolve) => {
        http.close(() => {
          resolve()
        })
        http.closeAllConnections()
      })
    },
  }
}

function listening(http: HttpServer, { host, port }: McpHttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new HubmeshError(
          'remote/unavailable',
          `The server cannot listen at ${host}:${port} (${cause.code ?? cause.name}). Choose another --port or --host.`,
          { cause, details: { host, port } },
        ),
      )
    })
    http.listen(port, host, () => {
      resolve()
    })
  })
}

const METHODS: ReadonlyMap<string, string> = new Map([
  ['/mcp', 'POST'],
  ['/sse', 'GET'],
  ['/messages', 'POST'],
])

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers':
    'authorization, content-type, accept, mcp-protocol-version, mcp-session-id',
  'Access-Control-Max-Age': '600',
}

const BUSY: Refusal = {
  status: 503,
  message: 'The server has as many requests as it takes at a time.',
  headers: { 'Retry-After': '1' },
}

class Handler {
  private readonly streams: EventStreams
  private active = 0

  constructor(private readonly options: McpHttpOptions) {
    this.streams = new EventStreams(options.limits)
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { policy, keys, limits } = this.options
    // Before the body, and in this order: where it thinks it is, where it comes from, who it is.
    const refusal = checkHost(request, policy) ?? checkOrigin(request, policy)
    if (refusal !== null) {
      refuse(response, refusal)
      return
    }
    this.allowOrigin(request, response)
    if (request.method === 'OPTIONS') {
      response.writeHead(204, PREFLIGHT).end()
      return
    }
    const scope = keys.check(request)
    if (typeof scope !== 'string') {
      refuse(response, scope)
      return
    }
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (request.method === 'GET' && url.pathname === '/sse')
      return this.openStream(request, response, scope)
    if (this.active >= (limits?.requests ?? LIMITS.mcpRequests)) {
      refuse(response, BUSY)
      return
    }
    this.active++
    response.once('close', () => {
      this.active--
    })
    await this.route(url, request, response, scope)
  }

  private route(
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
    scope: Scope,
  ): Promise<void> {
    switch (`${request.method ?? ''} ${url.pathname}`) {
      case 'POST /mcp':
        return this.streamable(request, response, scope)
      case 'POST /messages':
        return this.message(request, response, scope, url.searchParams.get('sessionId') ?? '')
    }
    const allow = METHODS.get(url.pathname)
    refuse(
      response,
      allow === undefined
        ? { status: 404, message: 'There is nothing here; MCP is at /mcp, and with SSE at /sse.' }
        : { status: 405, message: `${url.pathname} takes ${allow}.`, headers: { Allow: allow } },
    )
    return Promise.resolve()
  }

  /** Ends every event stream. */
  close(): Promise<void> {
    return this.streams.close()
  }

  /**
   * Each request is a connection of its own: there is no session to take over, and nothing to keep.
   */
  private async streamable(
    request: IncomingMessage,
    response: ServerResponse,
    scope: Scope,
  ): Promise<void> {
    const body = await this.body(request, response)
    if (body === null) return
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true }),
      server = this.options.connect(scope)
    response.once('close', () => {
      void server.close()
    })
    // the SDK's own type leaves `undefined` out of its optional callbacks
    await server.connect(transport as Parameters<Server['connect']>[0])
    await transport.handleRequest(request, response, body.value)
  }

  private async openStream(
    request: IncomingMessage,
    response: ServerResponse,
    scope: Scope,
  ): Promise<void> {
    const server = this.options.connect(scope)
    const client = `${scope} ${request.socket.remoteAddress ?? ''}`
    const transport = await this.streams.open(response, scope, client)
    response.once('close', () => {
      void server.close()
    })
    await server.connect(transport)
  }

  private async message(
    request: IncomingMessage,
    response: ServerResponse,
    scope: Scope,
    id: string,
  ): Promise<void> {
    const session = this.streams.use(id)
    if (session === undefined) {
      refuse(response, { status: 404, message: 'There is no such session; open one at /sse.' })
      return
    }
    if (session.scope !== scope) {
      refuse(response, { status: 403, message: 'The session was opened with another key.' })
      return
    }
    const body = await this.body(request, response)
    if (body !== null) await session.transport.handlePostMessage(request, response, body.value)
  }

  /** The parsed body; null where the request was refused for it. */
  private async body(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<{ readonly value: unknown } | null> {
    const most = this.options.limits?.bodyBytes ?? LIMITS.mcpBodyBytes
    if (
      (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase() !==
      'application/json'
    ) {
      refuse(response, { status: 415, message: 'The body must be application/json.' })
      return null
    }
    const tooLarge: Refusal = { status: 413, message: `A message may have ${most} bytes at most.` }
    if (Number(request.headers['content-length'] ?? 0) > most) {
      refuse(response, tooLarge)
      return null
    }
    const pieces: Buffer[] = []
    let length = 0
    for await (const piece of request as AsyncIterable<Buffer>) {
      length += piece.length
      if (length > most) {
        refuse(response, tooLarge)
        return null
      }
      pieces.push(piece)
    }
    try {
      return {
        value: JSON.parse(
          new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)),
        ) as unknown,
      }
    } catch {
      refuse(response, { status: 400, message: 'The body is not JSON.' })
      return null
    }
  }

  /**
   * Only an origin that was allowed by name may read the answer; the server's own needs no leave.
   */
  private allowOrigin(request: IncomingMessage, response: ServerResponse): void {
    const { origin } = request.headers
    if (origin === undefined || !this.options.policy.origins.has(origin.toLowerCase())) return
    response.setHeader('Access-Control-Allow-Origin', origin)
    response.setHeader('Vary', 'Origin')
  }
}

/** An error in JSON-RPC's shape. It ends the connection: an unread body is not waited for. */
function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, {
    'Content-Type': 'application/json',
    Connection: 'close',
    'Cache-Control': 'no-store',
    ...headers,
  })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }))
}
