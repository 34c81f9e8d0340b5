/** An engine in a program of its own: calls come as messages and are answered as messages. */
import { openAsBlob } from 'node:fs'
import { createInterface } from 'node:readline'
import { parentPort, workerData } from 'node:worker_threads'
import { HashingEmbedder } from '../../embed/hashing.ts'
import { createEngine, CorpusManager, isHubmeshError } from '../../node.ts'
import type { DocumentInput, Engine, Progress } from '../../types.ts'
import { writeAsAnother } from './first_calls.ts'
import { largeDocuments } from './large_input.ts'
import type { Answer, Ask, Setting } from './program.ts'

const setting = (workerData ?? JSON.parse(process.argv[2]!)) as Setting
const tell = (answer: Answer): void => {
  if (parentPort !== null) parentPort.postMessage(answer)
  else process.stdout.write(`${JSON.stringify(answer)}\n`)
}

const { directory, corpus, dims } = setting
const embedder = dims === null ? null : new HashingEmbedder(dims)
const engine: Promise<Engine> = open()
engine.then(
  () => {
    tell({ id: 0, value: null })
  },
  (error: unknown) => {
    tell({ id: 0, ...failure(error) })
  },
)

function open(): Promise<Engine> {
  return createEngine({ corpus, storage: { directory }, model: embedder })
}

function failure(error: unknown): { readonly code: string; readonly message: string } {
  return isHubmeshError(error)
    ? { code: error.code, message: error.message }
    : { code: 'none', message: String(error) }
}

/** Made before the moment that is measured. */
let large: { readonly documents: readonly DocumentInput[]; readonly archive: Blob } | null = null

/** A call of the engine by name; `build` is that of a manager of the same folder. */
async function run({ call, args }: Ask): Promise<unknown> {
  if (call === 'build') {
    const manager = new CorpusManager(directory, { embedder })
    try {
      return await manager.build(corpus, args[0] as never)
    } finally {
      await manager.close()
    }
  }
  if (call === 'writeAsAnother') {
    await writeAsAnother(await engine)
    return null
  }
  if (call === 'prepareLarge') {
    const [count, archive] = args as [number, string]
    large = { documents: largeDocuments(count), archive: await openAsBlob(archive) }
    return null
  }
  if (call === 'addLarge' || call === 'importLarge') return await writeLarge(await engine, call)
  const methods = (await engine) as unknown as Record<string, (...given: unknown[]) => unknown>
  return await methods[call]!(...args)
}

/** Gives the milliseconds after which it was stored. */
async function writeLarge(to: Engine, call: 'addLarge' | 'importLarge'): Promise<number> {
  const started = performance.now()
  let stored = 0
  const onProgress = ({ phase, done, total }: Progress): void => {
    if (phase === 'saving' && done === total) stored = performance.now() - started
  }
  await (call === 'addLarge'
    ? to.add(large!.documents, { onProgress })
    : to.import(large!.archive, { onProgress }))
  return stored
}

function ask(question: Ask): void {
  run(question).then(
    (value) => {
      tell({ id: question.id, value: value ?? null })
    },
    (error: unknown) => {
      tell({ id: question.id, ...failure(error) })
    },
  )
}

if (parentPort !== null) parentPort.on('message', ask)
else
  createInterface({ input: process.stdin }).on('line', (line) => {
    ask(JSON.parse(line) as Ask)
  })
