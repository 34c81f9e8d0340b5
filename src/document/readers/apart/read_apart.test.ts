import { afterEach, expect, it, vi } from 'vitest'
import { HubmeshError } from '../../../base/errors.ts'
import { createEngine } from '../../../node.ts'
import { pdfOf, zipOf } from '../../testing/make_files.ts'
import { readFiles } from '../read_files.ts'
import { ReadApart, type ReadingWorker } from './read_apart.ts'
import { serveReading } from './serve_reading.ts'

const RTF = '{\\rtf1\\ansi Berth 12 is beside the crane.}'

function fileOf(name: string, content: string | Uint8Array): File {
  return new File([content as Uint8Array<ArrayBuffer>], name)
}

interface Made extends ReadingWorker {
  terminated: boolean
  die(): void
}

const open: MessagePort[] = []
afterEach(() => {
  for (const port of open.splice(0)) port.close()
  vi.useRealTimers()
})

/** Workers over a channel: those that serve, and those that never answer. */
function workers(answering = true): { apart: ReadApart; made: Made[] } {
  const made: Made[] = []
  const apart = new ReadApart(() => {
    const { port1, port2 } = new MessageChannel()
    open.push(port1, port2)
    port1.start()
    if (answering) serveReading(port2)
    port2.start()
    let hear: (error: HubmeshError) => void = () => undefined
    const worker: Made = {
      worker: port1,
      terminated: false,
      onDeath: (listener) => {
        hear = listener
      },
      terminate: () => {
        worker.terminated = true
      },
      die: () => {
        hear(new HubmeshError('worker/crashed', 'It died.'))
      },
    }
    made.push(worker)
    return Promise.resolve(worker)
  })
  return { apart, made }
}

it('gives what reading in place gives, with one worker for files in a row', async () => {
  const files = [
    fileOf('berth.rtf', RTF),
    fileOf('plain.txt', 'A plain text.'),
    fileOf('pack.zip', zipOf({ 'a.txt': 'First of two.', 'b.png': 'x', 'c.rtf': RTF })),
    fileOf('broken.docx', 'no zip'),
  ]
  const { apart, made } = workers()
  const there = await readFiles(files, { apart })
  expect(there).toEqual(await readFiles(files))
  expect(there.documents.map(({ id }) => id)).toEqual([
    'berth.rtf',
    'plain.txt',
    'pack.zip/a.txt',
    'pack.zip/c.rtf',
  ])
  expect(there.rejected.map(({ name }) => name)).toEqual(['pack.zip/b.png', 'broken.docx'])
  expect(made).toHaveLength(1)
  apart.close()
  expect(made[0]!.terminated).toBe(true)
})

it('ends the worker of a file that takes too long, and reads the next by another', async () => {
  const { apart, made } = workers(false)
  const { rejected } = await readFiles([fileOf('a.rtf', RTF), fileOf('b.rtf', RTF)], {
    apart,
    limits: { mostMs: 30 },
  })
  expect(rejected.map(({ name, code }) => [name, code])).toEqual([
    ['a.rtf', 'input/too-large'],
    ['b.rtf', 'input/too-large'],
  ])
  expect(rejected[0]!.reason).toMatch(/^"a\.rtf": .*more than 0\.03 seconds.*Leave it out/)
  expect(made.map(({ terminated }) => terminated)).toEqual([true, true])
})

it('ends the worker when the call is cancelled', async () => {
  const { apart, made } = workers(false)
  const stop = new AbortController()
  const reading = readFiles([fileOf('a.rtf', RTF)], { apart, signal: stop.signal })
  await vi.waitFor(() => {
    expect(made).toHaveLength(1)
  })
  stop.abort()
  await expect(reading).rejects.toMatchObject({ code: 'aborted' })
  expect(made[0]!.terminated).toBe(true)
})

it('names the file that a worker died of', async () => {
  const { apart, made } = workers(false)
  const reading = readFiles([fileOf('a.rtf', RTF)], { apart })
  await vi.waitFor(() => {
    expect(made).toHaveLength(1)
  })
  await new Promise((resolve) => setTimeout(resolve, 5))
  made[0]!.die()
  expect((await reading).rejected).toMatchObject([
    { name: 'a.rtf', code: 'input/too-large', reason: expect.stringMatching(/died of it/) },
  ])
})

it('reads in place where no worker starts, tries once and says so once', async () => {
  let tries = 0
  const apart = new ReadApart(() => {
    tries++
    return Promise.reject(new HubmeshError('worker/start-failed', 'No worker here.'))
  })
  const { documents, warnings } = await readFiles([fileOf('a.rtf', RTF), fileOf('b.rtf', RTF)], {
    apart,
  })
  expect(documents.map(({ text }) => text)).toEqual(Array(2).fill('Berth 12 is beside the crane.'))
  expect(tries).toBe(1)
  expect(warnings).toMatchObject([
    { name: 'a.rtf', message: expect.stringMatching(/cannot be ended: No worker here/) },
  ])
})

it('ends a worker that has nothing to read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { apart, made } = workers()
  await readFiles([fileOf('a.rtf', RTF)], { apart })
  vi.advanceTimersByTime(2000)
  expect(made[0]!.terminated).toBe(false)
  vi.advanceTimersByTime(2000)
  expect(made[0]!.terminated).toBe(true)
})

it('in Node reads in a thread, through the engine', async () => {
  const engine = await createEngine({ corpus: 'thread' })
  try {
    const result = await engine.add(
      [
        fileOf('berth.rtf', RTF),
        fileOf('pages.pdf', pdfOf([[{ x: 72, y: 700, text: 'Invoice 7 is due in May.' }]])),
        fileOf('broken.epub', 'x'),
      ],
      { onInvalid: 'skip' },
    )
    expect(result.added).toEqual(['berth.rtf', 'pages.pdf'])
    expect(result.warnings).toBeUndefined()
    expect(result.rejected).toMatchObject([{ name: 'broken.epub', code: 'input/invalid' }])
    const { sources } = await engine.retrieve('What is beside the crane?', { tier: 'text' })
    expect(sources[0]!.documentId).toBe('berth.rtf')
  } finally {
    await engine.close()
  }
})
