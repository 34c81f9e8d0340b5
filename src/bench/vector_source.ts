/** Vectors of a set: from .npy files, or from a model with its cache. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { EmbedKind, Embedder } from '../embed/embedder.ts'
import { manifestFor } from '../embed/manifests.ts'
import { NodeEmbedder } from '../embed/node_embedder.ts'
import type { ModelRuntime } from '../types.ts'
import { HubmeshError } from '../base/errors.ts'
import type { Dataset } from './dataset.ts'
import { decodeNpy, encodeNpy } from './npy.ts'
import { VectorCache } from './vector_cache.ts'

export interface VectorOptions {
  /** Folder of .npy files, or null for the model. */
  readonly vectors: string | null
  readonly model: string
  readonly cache: string
  /** Default native, by which the published figures are. */
  readonly runtime?: ModelRuntime
}

interface SourceIo {
  readonly progress: (line: string) => void
  readonly signal?: AbortSignal
}

export interface SetVectors {
  readonly passages: readonly Float32Array[]
  readonly questions: readonly Float32Array[]
}

export interface VectorSource {
  of(dataset: Dataset, io: SourceIo): Promise<SetVectors>
  /** Vectors of reworded questions; null where they come from files. */
  questions(dataset: Dataset, io: SourceIo): Promise<Float32Array[] | null>
  /** Vectors of texts as passages; null where vectors come from files. */
  texts(texts: readonly string[], io: SourceIo): Promise<Float32Array[] | null>
  close(): Promise<void>
}

export async function openVectors(options: VectorOptions): Promise<VectorSource> {
  if (options.vectors !== null)
    return {
      of: (dataset) => readVectors(options.vectors as string, dataset),
      questions: () => Promise.resolve(null),
      texts: () => Promise.resolve(null),
      close: () => Promise.resolve(),
    }
  const { runtime = 'native' } = options
  const cache = await VectorCache.open(options.cache, {
    ...manifestFor(options.model).identity,
    runtime,
  })
  let open: Promise<Embedder> | null = null
  const embedder = (): Promise<Embedder> =>
    (open ??= NodeEmbedder.open({ model: resolve(options.model), runtime }))
  const vectors = (
    dataset: Dataset,
    texts: readonly string[],
    kind: EmbedKind,
    { progress, signal }: SourceIo,
  ): Promise<Float32Array[]> => {
    const started = performance.now()
    const onProgress = ({ done, total }: { done: number; total: number }): void => {
      progress(
        `${dataset.name}: ${done} of ${total} new vectors, ` +
          `${(done / ((performance.now() - started) / 1000)).toFixed(0)} a second`,
      )
    }
    return cache.vectors(texts, kind, embedder, { onProgress, ...(signal ? { signal } : {}) })
  }
  const questions = (dataset: Dataset, io: SourceIo): Promise<Float32Array[]> =>
    vectors(
      dataset,
      dataset.questions.map(({ question }) => question),
      'query',
      io,
    )
  return {
    async of(dataset, io) {
      const passages = await vectors(
        dataset,
        dataset.passages.map(({ title, text }) => (title === '' ? text : `${title}. ${text}`)),
        'passage',
        io,
      )
      return { passages, questions: await questions(dataset, io) }
    },
    questions,
    texts: (texts, { signal }) =>
      cache.vectors(texts, 'passage', embedder, signal ? { signal } : {}),
    async close() {
      if (open !== null) await (await open).close()
    },
  }
}

async function readVectors(directory: string, dataset: Dataset): Promise<SetVectors> {
  const read = async (what: string, least: number): Promise<Float32Array[]> => {
    const file = join(directory, `${dataset.name}.${what}.npy`)
    const { rows } = decodeNpy(
      await readFile(file).catch((cause: unknown) => {
        throw new HubmeshError('input/invalid', `${file} cannot be read.`, { cause })
      }),
    )
    if (rows.length < least)
      throw new HubmeshError(
        'input/invalid',
        `${file} has ${rows.length} rows for ${least} ${what}.`,
      )
    return rows.slice(0, least)
  }
  return {
    passages: await read('corpus', dataset.passages.length),
    questions: await read('queries', dataset.questions.length),
  }
}

/** Writes both files of a set, as `--vectors` reads them. */
export async function dumpVectors(
  directory: string,
  name: string,
  vectors: SetVectors,
): Promise<void> {
  await mkdir(directory, { recursive: true })
  const dims = vectors.passages[0]?.length ?? 0
  await writeFile(join(directory, `${name}.corpus.npy`), encodeNpy(vectors.passages, dims))
  await writeFile(join(directory, `${name}.queries.npy`), encodeNpy(vectors.questions, dims))
}
