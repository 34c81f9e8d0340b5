/** Calls an Embedder of the page from the engine worker, in batches. */
import { HubmeshError } from '../base/errors.ts'
import type { EmbedKind, EmbedOptions, Embedder } from '../embed/embedder.ts'
import type { EmbedderIdentity } from '../types.ts'
import { Connection } from '../port/connection.ts'
import type { MethodTable } from '../port/protocol.ts'
import { serve } from '../port/serve.ts'

interface EmbedderService {
  embed(texts: readonly string[], kind: EmbedKind): Float32Array[]
}

const EMBEDDER_METHODS: MethodTable<EmbedderService> = Object.freeze({ embed: 'read' })

/** The page's half: answers on `port` with the page's own embedder. */
export function serveEmbedder(embedder: Embedder, port: MessagePort): void {
  serve<EmbedderService>(port, EMBEDDER_METHODS, {
    embed: async ({ signal }, texts, kind) => embedder.embed(texts, { kind, signal }),
  })
}

/** The engine worker's half. */
export class PageEmbedder implements Embedder {
  readonly identity: EmbedderIdentity
  private readonly port: MessagePort
  private readonly connection: Connection<EmbedderService>

  constructor(identity: EmbedderIdentity, port: MessagePort) {
    this.identity = identity
    this.port = port
    this.connection = new Connection<EmbedderService>(port, EMBEDDER_METHODS)
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    const vectors: unknown = await this.connection.call('embed', [texts, options.kind], {
      signal: options.signal,
    })
    return checked(vectors, texts.length, this.identity.dims)
  }

  /** The embedder itself is the page's to close. */
  async close(): Promise<void> {
    this.connection.fail(
      new HubmeshError(
        'store/closed',
        'The embedder was closed with its engine. Create a new engine.',
      ),
    )
    this.port.close()
    return Promise.resolve()
  }
}

/** The page's embedder is foreign code: its answer is looked at before anything rests on it. */
function checked(vectors: unknown, count: number, dims: number): Float32Array[] {
  if (!Array.isArray(vectors) || vectors.length !== count) {
    throw new HubmeshError(
      'model/incompatible',
      `The page's embedder gave ` +
        `${Array.isArray(vectors) ? String(vectors.length) : 'no list of'} vectors for ` +
        `${String(count)} texts. It must give one a text, in order.`,
    )
  }
  return vectors.map((vector: unknown) => {
    if (vector instanceof Float32Array && vector.length === dims && vector.every(Number.isFinite))
      return vector
    throw new HubmeshError(
      'model/incompatible',
      `The page's embedder gave a vector that is not a Float32Array of ${String(dims)} finite ` +
        'components, as its identity says.',
      { details: { dims } },
    )
  })
}
