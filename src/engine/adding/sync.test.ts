import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFolder } from '../../registry/walk_folder.ts'
import { fileAt } from '../../document/testing/make_files.ts'
import { openTestEngine } from '../../testing/open_test_engine.ts'
import type { Engine, Progress, SyncResult } from '../../types.ts'

let folder: string, root: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hubmesh-sync-'))
  root = basename(folder)
})
afterEach(() => rm(folder, { recursive: true }))

async function write(name: string, text: string, seconds = 1_700_000_000): Promise<void> {
  const path = join(folder, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, text)
  await utimes(path, seconds, seconds)
}

const open = (): Promise<Engine> => openTestEngine([], { openFolder })

function did({ added, replaced, removed, unchanged, filesRead }: SyncResult): unknown {
  const short = (ids: readonly string[]): string[] =>
    ids.map((id) => id.replace(`${root}/`, '')).sort()
  return [short(added), short(replaced), short(removed), short(unchanged), filesRead]
}

describe('a corpus in step with a folder', () => {
  it('takes what is new, what changed and what went, and reads no more than that', async () => {
    await write('one.md', '# One\n\nThe keel was laid.')
    await write('sub/two.txt', 'The mast was stepped.')
    await write('table.csv', 'name,fee\nAda,3\nBo,4\nCy,5')
    await write('picture.png', 'x')
    await write('.hidden.txt', 'x')
    const engine = await open()
    await engine.add({ id: 'elsewhere', text: 'Not of the folder.' })
    const first = await engine.sync(folder)
    expect(did(first)).toEqual([
      ['one.md', 'sub/two.txt', 'table.csv#0', 'table.csv#1', 'table.csv#2'],
      [],
      [],
      [],
      3,
    ])
    expect(first.skipped).toEqual([`${root}/picture.png`])
    expect(did(await engine.sync(folder))).toEqual([
      [],
      [],
      [],
      ['one.md', 'sub/two.txt', 'table.csv#0', 'table.csv#1', 'table.csv#2'],
      0,
    ])
    await write('one.md', '# One\n\nThe keel was laid anew.', 1_700_000_100)
    await write('table.csv', 'name,fee\nAda,3\nBo,7', 1_700_000_100)
    await write('three.md', 'A third.')
    await rm(join(folder, 'sub'), { recursive: true })
    expect(did(await engine.sync(folder))).toEqual([
      ['three.md'],
      // Ada's row is as it was, but of a file of another time
      ['one.md', 'table.csv#0', 'table.csv#1'],
      ['sub/two.txt', 'table.csv#2'],
      [],
      3,
    ])
    expect((await engine.getDocument('elsewhere'))?.text).toBe('Not of the folder.')
    const { sources } = await engine.retrieve('What was laid anew?')
    expect(sources[0]!.documentId).toBe(`${root}/one.md`)
  })

  it('goes on where it was cut short', async () => {
    for (let i = 0; i < 150; i++) await write(`n${String(i).padStart(3, '0')}.txt`, `Buoy ${i}.`)
    const stop = new AbortController()
    const engine = await openTestEngine([], {
      openFolder: async (path, signal) => {
        const { files, ...listing } = await openFolder(path, signal)
        const failing = files.map((file, i) => ({
          ...file,
          open: () => {
            if (i === 100) stop.abort()
            return file.open()
          },
        }))
        return { ...listing, files: failing }
      },
    })
    await expect(engine.sync(folder, { signal: stop.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
    const kept = (await engine.listDocuments()).total
    const { added, unchanged, filesRead, files } = await engine.sync(folder)
    expect([kept, added.length, unchanged.length, filesRead, files]).toEqual([64, 86, 64, 86, 150])
  })

  it('loses nothing where a file cannot be read, and says so', async () => {
    await write('page.docx', 'no zip')
    await write('one.txt', 'Kept.')
    const engine = await open()
    const { rejected, added } = await engine.sync(folder)
    expect(added).toEqual([`${root}/one.txt`])
    expect(rejected.map(({ name, code }) => [name, code])).toEqual([
      [`${root}/page.docx`, 'input/invalid'],
    ])
    await write('one.txt', '\u0000\u0001\u0002\u0000', 1_700_000_100)
    const again = await engine.sync(folder)
    expect([again.removed, again.rejected.length]).toEqual([[], 2])
    expect((await engine.getDocument(`${root}/one.txt`))?.text).toBe('Kept.')
  })

  it('takes a folder handle and the files of a chosen folder alike', async () => {
    const files = [
        fileAt('docs/a.txt', 'The first.'),
        fileAt('docs/in/b.md', '# Second'),
        fileAt('docs/c.bin', 'x'),
      ],
      file = (name: string, of: File) => ({
        kind: 'file',
        name,
        getFile: () => Promise.resolve(of),
      }),
      directory = (name: string, entries: unknown[]): FileSystemDirectoryHandle =>
        ({
          ...{ kind: 'directory', name },
          values: async function* () {
            for (const entry of entries) yield await Promise.resolve(entry)
          },
        }) as unknown as FileSystemDirectoryHandle,
      handle = directory('docs', [
        file('a.txt', files[0]!),
        directory('in', [file('b.md', files[1]!)]),
        file('c.bin', files[2]!),
      ])
    const byHandle = await open(),
      byFiles = await open()
    for (const [engine, source] of [
      [byHandle, handle],
      [byFiles, files],
    ] as const) {
      const { added, skipped } = await engine.sync(source)
      expect([added, skipped]).toEqual([['docs/a.txt', 'docs/in/b.md'], ['docs/c.bin']])
      expect((await engine.sync(source)).filesRead).toBe(0)
    }
    expect((await byHandle.sync(files)).filesRead).toBe(0)
    expect((await byFiles.sync([files[0]!])).removed).toEqual(['docs/in/b.md'])
  })

  it('refuses what is no folder, and removes nothing where one cannot be listed', async () => {
    const engine = await open()
    await engine.sync([fileAt('docs/a.txt', 'The first.')])
    const broken = {
      ...{ kind: 'directory', name: 'docs' },
      values: async function* () {
        throw new DOMException('gone', 'NotAllowedError')
      },
    } as unknown as FileSystemDirectoryHandle
    for (const source of [
      broken,
      join(folder, 'missing'),
      null as unknown as string,
      [new File(['x'], 'x.txt')],
      [fileAt('a/x.txt', 'x'), fileAt('b/x.txt', 'x')],
    ])
      await expect(engine.sync(source)).rejects.toMatchObject({ code: 'input/invalid' })
    const inPage = await openTestEngine()
    await expect(inPage.sync(folder)).rejects.toThrow('a path, which a page cannot open')
    expect((await engine.listDocuments()).total).toBe(1)
  })
})

describe('a stream of documents', () => {
  it('is kept in batches, and pulled no further than what is kept', async () => {
    const engine = await openTestEngine()
    let pulled = 0
    const ahead: number[] = []
    async function* cursor() {
      for (; pulled < 1000; pulled++) {
        if (pulled % 256 === 0) ahead.push(pulled - (await engine.listDocuments()).total)
        yield { id: `row ${pulled}`, text: `Berth ${pulled} is free.` }
      }
    }
    const seen: Progress[] = []
    const { added } = await engine.add(cursor(), { onProgress: (progress) => seen.push(progress) })
    expect(added.length).toBe(1000)
    expect(ahead).toEqual([0, 0, 0, 0])
    expect(Math.max(...seen.map(({ done }) => done))).toBe(1000)
  })

  it('may be a ReadableStream, with files in it', async () => {
    const engine = await openTestEngine()
    const stream = new ReadableStream<string | File>({
      start(controller) {
        controller.enqueue('A text.')
        controller.enqueue(fileAt('in/a.md', '# A file'))
        controller.close()
      },
    })
    expect((await engine.update(stream)).added).toEqual(
      ['in/a.md', expect.stringMatching(/^doc-/)].sort(),
    )
  })

  it('keeps what came before its source failed, or the call was cancelled', async () => {
    const engine = await openTestEngine()
    let ended = 0
    async function* failing() {
      try {
        yield { id: 'kept', text: 'Kept.' }
        await Promise.resolve()
        throw new Error('cursor lost')
      } finally {
        ended++
      }
    }
    await expect(engine.add(failing())).rejects.toMatchObject({
      code: 'input/invalid',
      details: { taken: 1 },
    })
    expect((await engine.listDocuments()).total).toBe(1)
    const stop = new AbortController(),
      silent: AsyncIterable<string> = {
        [Symbol.asyncIterator]: () => ({
          next: () => {
            stop.abort()
            return new Promise<never>(() => undefined)
          },
        }),
      }
    await expect(engine.add(silent, { signal: stop.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
    await expect(engine.add(failing(), { others: 'remove' })).rejects.toThrow('one switch')
    expect(ended).toBe(1)
  })
})
