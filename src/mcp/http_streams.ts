/** Event streams (SSE) that clients hold open, of which idle ones make room. */
import type { ServerResponse } from 'node:http'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { LIMITS } from '../base/limits.ts'
import type { Scope } from './http_keys.ts'

export interface StreamLimits {
  readonly streams?: number
  readonly streamsOfClient?: number
  readonly streamIdleMs?: number
}

interface Stream {
  readonly transport: SSEServerTransport
  readonly scope: Scope
  readonly client: string
  /** Milliseconds since 1970 of its last message. */
  usedAt: number
}

export class EventStreams {
  private readonly byId = new Map<string, Stream>()

  constructor(private readonly limits: StreamLimits = {}) {}

  /** A stream for this client; it is forgotten when the response ends. */
  async open(response: ServerResponse, scope: Scope, client: string): Promise<SSEServerTransport> {
    await this.makeRoom(client)
    const transport = new SSEServerTransport('/messages', response)
    this.byId.set(transport.sessionId, { transport, scope, client, usedAt: Date.now() })
    response.once('close', () => {
      this.byId.delete(transport.sessionId)
    })
    return transport
  }

  /** The stream of a message that came now. */
  use(id: string): Stream | undefined {
    const stream = this.byId.get(id)
    if (stream) stream.usedAt = Date.now()
    return stream
  }

  async close(): Promise<void> {
    for (const { transport } of this.byId.values()) await transport.close()
  }

  /** Closes streams that are idle for long, and the one idle longest where a limit is reached. */
  private async makeRoom(client: string): Promise<void> {
    const idleSince = Date.now() - (this.limits.streamIdleMs ?? LIMITS.mcpStreamIdleMs)
    const byUse = [...this.byId.values()].sort((a, b) => a.usedAt - b.usedAt)
    const stale = byUse.filter(({ usedAt }) => usedAt < idleSince)
    const rest = byUse.slice(stale.length)
    const own = rest.filter((stream) => stream.client === client)
    if (own.length >= (this.limits.streamsOfClient ?? LIMITS.mcpStreamsOfClient))
      stale.push(own[0]!)
    else if (rest.length >= (this.limits.streams ?? LIMITS.mcpStreams)) stale.push(rest[0]!)
    for (const { transport } of stale) {
      this.byId.delete(transport.sessionId)
      await transport.close()
    }
  }
}
