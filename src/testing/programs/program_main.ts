/** An engine in a program of its own: calls come as messages and are answered as messages. */
import { createInterface } from 'node:readline'
import { parentPort, workerData } from 'node:worker_threads'
import { HashingEmbedder } from '../../embed/hashing.ts'
import { createEngine, CorpusManager, isHubmeshError } from '../../node.ts'
import { writeAsAnother } from './first_calls.ts'
import type { Answer, Ask, Setting } from './program.ts'

const setting = (workerData ?? JSON.parse(process.argv[2]!)) as Setting
const tell = (answer: Answer): void => {
  if (parentPort !== null) parentPort.postMessage(answer)
  else process.stdout.write(`${JSON.stringify(answer)}\n`)
}

const { directory, corpus, dims } = setting
const embedder = dims === null ? null : new HashingEmbedder(dims)
const engine = open()
engine.then(
  () => {
    tell({ id: 0, value: null })
  },
  (error: unknown) => {
    tell({ id: 0, ...failure(error) })
  },
)

function open(): ReturnType<typeof createEngine> {
  return createEngine({ corpus, storage: { directory }, model: embedder })
}

function failure(error: unknown): { readonly code: string; readonly message: string } {
  return isHubmeshError(error)
    ? { code: error.code, message: error.message }
    : { code: 'none', message: String(error) }
}

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
  const methods = (await engine) as unknown as Record<string, (...given: unknown[]) => unknown>
  return await methods[call]!(...args)
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
