/**
 * Entry `hubmesh/inline`: the engine for a page that cannot host a worker file. Workers are made
 * from text, as blobs, which the page's policy must allow (`worker-src blob:`). Without HNSW and
 * tokenizers inside those workers.
 */
import { createEngine as createWithWorkers } from '../rpc/create_engine.ts'
import type { CreateEngineOptions } from '../rpc/create_engine.ts'
import { createTokenCounter } from '../pack/token_counter.ts'
import type { WorkerFactory } from '../port/spawn.ts'
import type { Engine } from '../types.ts'

/** Makers of both workers, for the option `workers` of `createEngine` and of `CorpusManager`. */
export async function inlineWorkers(): Promise<{
  readonly engine: WorkerFactory
  readonly embed: WorkerFactory
}> {
  const [engine, embed] = await Promise.all([engineSource(), embedSource()])
  return { engine: blobWorker(engine), embed: blobWorker(embed) }
}

/**
 * As `createEngine` of `hubmesh`, with workers made from blobs: about 300 kB gzipped more, loaded
 * here. A tokenizer named in `countTokens` counts on the page; `index: 'hnsw'` is refused with
 * `input/invalid`.
 */
export async function createEngine(options: CreateEngineOptions): Promise<Engine> {
  const { model, countTokens, workers = {} } = options
  const embeds = typeof model === 'string' || model instanceof URL
  const [engine, embed, counter] = await Promise.all([
    workers.engine ?? engineSource().then(blobWorker),
    workers.embed ?? (embeds ? embedSource().then(blobWorker) : undefined),
    countTokens === 'o200k' || countTokens === 'cl100k'
      ? createTokenCounter(countTokens)
      : countTokens,
  ])
  return createWithWorkers({
    ...options,
    workers: { engine, ...(embed === undefined ? {} : { embed }) },
    ...(counter === undefined ? {} : { countTokens: counter }),
  })
}

export type { CreateEngineOptions, WorkerFactory }

async function engineSource(): Promise<string> {
  return (await import('virtual:hubmesh/engine_worker_source')).source
}

async function embedSource(): Promise<string> {
  return (await import('virtual:hubmesh/embed_worker_source')).source
}

/**
 * A worker loads its script after the constructor returned, so the address may go only when it
 * answered or failed.
 */
function blobWorker(source: string): WorkerFactory {
  return () => {
    const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
    const worker = new Worker(url, { type: 'module' })
    const revoke = (): void => {
      URL.revokeObjectURL(url)
    }
    worker.addEventListener('message', revoke, { once: true })
    worker.addEventListener('error', revoke, { once: true })
    return worker
  }
}
