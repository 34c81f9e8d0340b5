/**
 * Cross-tab notifications: documents or vectors were committed, the writer is alive. A message
 * carries no data and only says where to look; a wrong one is ignored.
 */

/**
 * `commit` and `vectors` say what was written; `ping` asks whether the writer is alive, who answers
 * `pong`.
 */
type Kind = 'commit' | 'vectors' | 'ping' | 'pong'

/** What is sent: version 1 of the frame. */
interface ChannelMessage {
  readonly hubmesh: 1
  readonly kind: Kind
  readonly generation: number
}

export interface CommitChannel {
  send(kind: Kind, generation: number): void
  close(): void
}

/** The constructor of the platform's channels, or null where there are none. */
export type ChannelFactory = ((name: string) => BroadcastChannel) | null

export function platformChannels(): ChannelFactory {
  if (typeof globalThis.BroadcastChannel !== 'function') return null
  return (name) => new globalThis.BroadcastChannel(name)
}

/** Calls back for each message of another tab or worker of this origin. */
export function openCommitChannel(
  corpus: string,
  factory: ChannelFactory,
  onMessage: (kind: Kind, generation: number) => void,
): CommitChannel {
  if (factory === null) return { send: () => undefined, close: () => undefined }
  const channel = factory(`hubmesh:${corpus}`)
  let closed = false
  channel.onmessage = (event: MessageEvent<unknown>) => {
    const message = decode(event.data)
    if (message !== null) onMessage(message.kind, message.generation)
  }
  // In Node a channel would keep the process alive.
  if ('unref' in channel && typeof channel.unref === 'function') channel.unref()
  return {
    send(kind, generation) {
      if (!closed) channel.postMessage({ hubmesh: 1, kind, generation } satisfies ChannelMessage)
    },
    close() {
      closed = true
      channel.onmessage = null
      channel.close()
    },
  }
}

const KINDS: readonly unknown[] = ['commit', 'vectors', 'ping', 'pong'] satisfies Kind[]

function decode(data: unknown): ChannelMessage | null {
  if (
    typeof data !== 'object' ||
    data === null ||
    !('hubmesh' in data) ||
    !('kind' in data) ||
    !('generation' in data)
  )
    return null
  const { hubmesh, kind, generation } = data
  if (
    hubmesh !== 1 ||
    !KINDS.includes(kind) ||
    !Number.isSafeInteger(generation) ||
    (generation as number) < 0
  )
    return null
  return { hubmesh, kind: kind as Kind, generation: generation as number }
}
