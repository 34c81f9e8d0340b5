/** Owns the word between tabs that a corpus was committed to. Refuses: data; a message says only where to look, and a wrong one is ignored. */

/** What is sent: version 1 of the frame. */
interface CommitMessage {
  readonly hubmesh: 1
  readonly kind: 'commit'
  readonly generation: number
}

export interface CommitChannel {
  send(generation: number): void
  close(): void
}

/** The constructor of the platform's channels, or null where there are none. */
export type ChannelFactory = ((name: string) => BroadcastChannel) | null

export function platformChannels(): ChannelFactory {
  if (typeof globalThis.BroadcastChannel !== 'function') return null
  return (name) => new globalThis.BroadcastChannel(name)
}

/** Calls back for each commit that another tab or worker of this origin announces. */
export function openCommitChannel(corpus: string, factory: ChannelFactory, onCommit: (generation: number) => void): CommitChannel {
  if (factory === null) return { send: () => undefined, close: () => undefined }
  const channel = factory(`hubmesh:${corpus}`)
  channel.onmessage = (event: MessageEvent<unknown>) => {
    const message = decode(event.data)
    if (message !== null) onCommit(message.generation)
  }
  // In Node a channel would keep the process alive.
  if ('unref' in channel && typeof channel.unref === 'function') channel.unref()
  return {
    send(generation) {
      channel.postMessage({ hubmesh: 1, kind: 'commit', generation } satisfies CommitMessage)
    },
    close() {
      channel.onmessage = null
      channel.close()
    },
  }
}

function decode(data: unknown): CommitMessage | null {
  if (typeof data !== 'object' || data === null || !('hubmesh' in data) || !('kind' in data) || !('generation' in data)) return null
  const { hubmesh, kind, generation } = data
  if (hubmesh !== 1 || kind !== 'commit' || !Number.isSafeInteger(generation) || (generation as number) < 0) return null
  return { hubmesh, kind, generation: generation as number }
}
