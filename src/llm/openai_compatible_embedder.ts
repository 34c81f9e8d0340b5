/** An embedder behind an endpoint that speaks OpenAI's embeddings, as Ollama and most servers do. */
import { textFailure, type Embedder, type EmbedKind, type EmbedOptions } from '../embed/embedder.ts'
import { abortedError, HubmeshError, isHubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { invalid, whole } from '../base/options.ts'
import { retry } from '../base/retry.ts'
import type { EmbedderIdentity } from '../types.ts'
import { addressOf, refused } from './openai_compatible.ts'

export interface OpenAICompatibleEmbedderOptions {
  /** The API's base, `http://127.0.0.1:11434/v1`, or the whole address of its embeddings. */
  readonly url: string
  /** As the server calls it. */
  readonly model: string
  /** Components of its vectors. */
  readonly dims: number
  /**
   * Tells versions of a model apart, which a server's name for it does not: change it when the
   * model behind the name changes. Default `1`.
   */
  readonly revision?: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** What the model wants before a question or a passage; default nothing. */
  readonly queryPrefix?: string
  readonly passagePrefix?: string
  /** Texts a request at most, 1 to 2048; default 32. */
  readonly batch?: number
  /** Requests at a time, 1 to 16; default 2. */
  readonly concurrency?: number
  /** Tries of a request, 1 to 10; default 5, with pauses that double from half a second. */
  readonly attempts?: number
  /** Weight of its cosine in the ranking; see `Embedder`. */
  readonly meaningTrust?: number
  /** Called after every request: texts of it, and the tokens the server counted, null where not. */
  readonly onUsage?: (usage: { readonly texts: number; readonly tokens: number | null }) => void
  /** Default the global fetch. */
  readonly fetch?: typeof fetch
}

const MODEL = 'embedding model'
const BACKOFF = { baseMs: 500, maxMs: 30_000 }

/**
 * Texts asked for at the same moment share requests. Vectors are brought to unit length. Throws
 * `input/invalid` for an address or numbers out of range; `embed` rejects with `remote/*`,
 * `model/incompatible` (vectors of another length, or not finite) or `aborted`. A text that the
 * server refuses keeps no vector and harms no other.
 */
export function openAICompatibleEmbedder(options: OpenAICompatibleEmbedderOptions): Embedder {
  return new HttpEmbedder(options)
}

interface Job {
  readonly text: string
  readonly kind: EmbedKind
  readonly signal: AbortSignal | undefined
  readonly resolve: (vector: Float32Array) => void
  readonly reject: (error: unknown) => void
}

class HttpEmbedder implements Embedder {
  readonly identity: EmbedderIdentity
  readonly concurrency: number
  readonly meaningTrust: number | undefined
  private readonly address: string
  private readonly batch: number
  private readonly requests: number
  private readonly attempts: number
  private readonly closing = new AbortController()
  private readonly waiting: Job[] = []
  private running = 0
  private scheduled = false

  constructor(private readonly options: OpenAICompatibleEmbedderOptions) {
    const { url, model, dims, revision = '1', batch = 32, concurrency = 2, attempts = 5 } = options
    if (typeof model !== 'string' || model === '')
      throw invalid('model', typeof model, 'Give the name by which the server knows it.')
    this.address = addressOf(url, '/embeddings', MODEL)
    this.batch = whole('batch', batch, 1, 2048)
    this.requests = whole('concurrency', concurrency, 1, 16)
    this.attempts = whole('attempts', attempts, 1, 10)
    this.concurrency = this.batch * this.requests
    this.meaningTrust = options.meaningTrust
    this.identity = {
      model,
      revision,
      dtype: 'remote',
      dims: whole('dims', dims, 1, LIMITS.vectorDims),
      pooling: 'remote',
    }
  }

  embed(texts: readonly string[], { kind, signal }: EmbedOptions): Promise<Float32Array[]> {
    return Promise.all(
      texts.map(
        (text) =>
          new Promise<Float32Array>((resolve, reject) => {
            this.waiting.push({ text, kind, signal, resolve, reject })
            this.schedule()
          }),
      ),
    )
  }

  close(): Promise<void> {
    this.closing.abort()
    for (const { reject } of this.waiting.splice(0)) reject(abortedError(this.closing.signal))
    return Promise.resolve()
  }

  /** A moment later, so that what is asked for together goes together. */
  private schedule(): void {
    if (this.scheduled) return
    this.scheduled = true
    setTimeout(() => {
      this.scheduled = false
      this.pump()
    })
  }

  private pump(): void {
    while (this.running < this.requests && this.waiting.length > 0) {
      const { kind } = this.waiting[0]!,
        jobs: Job[] = []
      while (jobs.length < this.batch && this.waiting[0]?.kind === kind) {
        const job = this.waiting.shift()!
        if (job.signal?.aborted) job.reject(abortedError(job.signal))
        else jobs.push(job)
      }
      if (jobs.length === 0) continue
      this.running++
      void this.run(jobs).finally(() => {
        this.running--
        this.pump()
      })
    }
  }

  private async run(jobs: readonly Job[]): Promise<void> {
    try {
      const vectors = await retry(() => this.request(jobs), {
        ...BACKOFF,
        attempts: this.attempts,
        signal: this.closing.signal,
        retryable: waitOf,
      })
      jobs.forEach(({ resolve }, i) => {
        resolve(vectors[i]!)
      })
    } catch (error) {
      if (!isRefusal(error)) for (const { reject } of jobs) reject(error)
      else if (jobs.length === 1) jobs[0]!.reject(textFailure(error, 'The text has no vector.'))
      else {
        // one text of the batch is at fault: halves find it
        const half = jobs.length >> 1
        await this.run(jobs.slice(0, half))
        await this.run(jobs.slice(half))
      }
    }
  }

  private async request(jobs: readonly Job[]): Promise<Float32Array[]> {
    const { model, apiKey, headers, queryPrefix = '', passagePrefix = '' } = this.options,
      send = this.options.fetch ?? globalThis.fetch.bind(globalThis),
      { signal } = this.closing
    const prefix = jobs[0]!.kind === 'query' ? queryPrefix : passagePrefix
    let response: Response, body: string
    try {
      response = await send(this.address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          ...headers,
        },
        body: JSON.stringify({
          model,
          input: jobs.map(({ text }) => prefix + text),
          encoding_format: 'float',
        }),
        signal,
      })
      body = await response.text()
    } catch (cause) {
      throwIfAborted(signal)
      throw new HubmeshError(
        'remote/unavailable',
        `The ${MODEL}'s server cannot be reached or broke off the connection; check the address ` +
          'and whether it runs, and in a page its CORS headers and connect-src of the policy.',
        { cause, retryable: true },
      )
    }
    if (!response.ok) throw refused(response, body, MODEL)
    const { vectors, tokens } = readAnswer(body, jobs.length, this.identity)
    this.options.onUsage?.({ texts: jobs.length, tokens })
    return vectors
  }
}

/** Whether an error is worth another try, and after how many milliseconds where the server says. */
function waitOf(error: unknown): boolean | number {
  if (!isHubmeshError(error) || !error.retryable) return false
  const { retryAfterMs } = error.details
  return typeof retryAfterMs === 'number' ? retryAfterMs : true
}

/** The request as it is was refused: too long a text, most often. */
function isRefusal(error: unknown): error is HubmeshError {
  const status = isHubmeshError(error) && error.code === 'remote/invalid' && error.details['status']
  return status === 400 || status === 413 || status === 422
}

interface EmbeddingAnswer {
  readonly data?: readonly { readonly index?: number; readonly embedding?: readonly number[] }[]
  readonly usage?: { readonly total_tokens?: number }
}

function readAnswer(
  body: string,
  count: number,
  { model, dims }: EmbedderIdentity,
): { readonly vectors: Float32Array[]; readonly tokens: number | null } {
  let answer: EmbeddingAnswer
  try {
    answer = JSON.parse(body) as EmbeddingAnswer
  } catch (cause) {
    throw new HubmeshError(
      'remote/invalid',
      `The ${MODEL}'s server gave an answer that is no JSON; check that its address ends before ` +
        '/embeddings.',
      { cause },
    )
  }
  const { data, usage } = (answer ?? {}) as EmbeddingAnswer
  if (!Array.isArray(data) || data.length !== count)
    throw new HubmeshError(
      'remote/invalid',
      `The ${MODEL} "${model}" gave ${Array.isArray(data) ? data.length : 'no'} vectors for ` +
        `${count} texts; check that the address is that of an embeddings endpoint.`,
    )
  const vectors: Float32Array[] = []
  data.forEach(({ index, embedding }: NonNullable<EmbeddingAnswer['data']>[number], place) => {
    vectors[index ?? place] = unitVector(embedding, model, dims)
  })
  const tokens = usage?.total_tokens
  return { vectors, tokens: typeof tokens === 'number' ? tokens : null }
}

function unitVector(values: unknown, model: string, dims: number): Float32Array {
  const vector = Array.isArray(values) ? Float32Array.from(values as number[]) : new Float32Array()
  if (vector.length !== dims)
    throw new HubmeshError(
      'model/incompatible',
      `The ${MODEL} "${model}" gave a vector of ${vector.length} components, and its identity says ` +
        `${dims}. Set dims to what the model gives.`,
      { details: { model, dims, found: vector.length } },
    )
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0))
  if (!(length > 0) || !Number.isFinite(length))
    throw new HubmeshError(
      'model/incompatible',
      `The ${MODEL} "${model}" gave a vector that is zero or not finite; check the model on its server.`,
      { details: { model, dims } },
    )
  return vector.map((x) => x / length)
}
