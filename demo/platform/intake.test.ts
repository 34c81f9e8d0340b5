import { describe, expect, it } from 'vitest'
import { intakeOfDrop, intakeOfInput, isLeftAside } from './intake.ts'

interface FakeEntry {
  readonly name: string
  readonly children?: readonly FakeEntry[]
  readonly refused?: boolean
}
const none = (): void => undefined

function entry(fake: FakeEntry, parent = ''): FileSystemEntry {
  const fullPath = `${parent}/${fake.name}`
  const children = (fake.children ?? []).map((child) => entry(child, fullPath))
  return {
    name: fake.name,
    fullPath,
    isDirectory: fake.children !== undefined,
    isFile: fake.children === undefined,
    file: (done: (file: File) => void, fail: (error: unknown) => void) => {
      if (fake.refused) fail(refusal)
      else done(new File(['x'], fake.name))
    },
    createReader: () => {
      let at = 0
      return {
        readEntries: (done: (some: FileSystemEntry[]) => void, fail: (error: unknown) => void) => {
          if (fake.refused) fail(refusal)
          else done(children.slice(at, (at += 100)))
        },
      }
    },
  } as unknown as FileSystemEntry
}
const refusal = new DOMException('no', 'NotReadableError')
const drop = (...fakes: FakeEntry[]): DataTransfer =>
  ({
    files: [],
    items: fakes.map((fake) => ({
      kind: 'file',
      getAsFile: () => null,
      webkitGetAsEntry: () => entry(fake),
    })),
  }) as unknown as DataTransfer

describe('a drop', () => {
  it('walks folders of more than one reader batch and keeps the paths', async () => {
    const intake = await intakeOfDrop(
      drop({
        name: 'notes',
        children: [
          { name: 'a', children: Array.from({ length: 230 }, (_, i) => ({ name: `${i}.md` })) },
          { name: 'README.md' },
        ],
      }),
      none,
    )
    expect(intake.files).toHaveLength(231)
    expect(intake.files.map((file) => file.name)).toContain('notes/a/229.md')
    expect(intake.folder).toBe('notes')
  })

  it('leaves hidden files and folders of tools aside, and counts them', async () => {
    const intake = await intakeOfDrop(
      drop(
        {
          name: 'p',
          children: [
            { name: '.git', children: [{ name: 'config' }] },
            { name: 'node_modules', children: [] },
            { name: '.DS_Store' },
            { name: 'x.txt' },
          ],
        },
        { name: 'y.txt' },
      ),
      none,
    )
    expect(intake.files.map((file) => file.name)).toEqual(['y.txt', 'p/x.txt'])
    expect(intake).toMatchObject({ leftAside: 3, folder: null })
  })

  it('takes the file itself where the browser opens no entry of it', async () => {
    const file = new File(['x'], 'memo.txt')
    const intake = await intakeOfDrop(
      {
        files: [],
        items: [
          {
            kind: 'file',
            getAsFile: () => file,
            webkitGetAsEntry: () => ({
              isFile: true,
              isDirectory: false,
              name: 'memo.txt',
              fullPath: '/memo.txt',
              file: (_: unknown, refuse: (error: Error) => void) => {
                refuse(new DOMException('Path does not exist', 'NotFoundError'))
              },
            }),
          },
        ],
      } as unknown as DataTransfer,
      () => undefined,
    )
    expect([intake.files, intake.unreadable]).toEqual([[file], []])
  })

  it('names what cannot be opened, and takes the rest', async () => {
    const intake = await intakeOfDrop(
      drop({
        name: 'p',
        children: [
          { name: 'locked.txt', refused: true },
          { name: 'secret', children: [{ name: 'in.txt' }], refused: true },
          { name: 'x.txt' },
        ],
      }),
      none,
    )
    expect(intake.files.map((file) => file.name)).toEqual(['p/x.txt'])
    expect(intake.unreadable).toEqual(
      ['p/locked.txt', 'p/secret'].map((name) => ({
        name,
        code: 'input/invalid',
        reason: 'the browser cannot open it (NotReadableError: no)',
      })),
    )
  })

  it('gives the page a turn again and again, and says how far it is', async () => {
    const files = Array.from({ length: 1000 }, (_, i) =>
        Object.assign(new File(['x'], `${i}.txt`), { webkitRelativePath: `many/${i}.txt` }),
      ),
      told: number[] = []
    let turns = 0,
      over = false
    const count = (): void => {
      turns++
      if (!over) setImmediate(count)
    }
    setImmediate(count)
    const intake = await intakeOfInput(files, (found) => {
      told.push(found)
    })
    over = true
    expect([intake.files.length, intake.files[999]!.name, intake.folder]).toEqual([
      1000,
      'many/999.txt',
      'many',
    ])
    expect(told).toEqual(Array.from({ length: 62 }, (_, i) => 16 * (i + 1)))
    expect(turns).toBeGreaterThan(10)
  })

  it('is left aside when told to, however deep it is looked into', async () => {
    const stop = new AbortController(),
      deep = {
        name: 'many',
        children: Array.from({ length: 500 }, (_, i) => ({ name: `${i}.txt` })),
      }
    let last = 0
    const look = intakeOfDrop(
      drop(deep),
      (found) => {
        last = found
        if (found >= 32) stop.abort()
      },
      stop.signal,
    )
    await expect(look).rejects.toMatchObject({ name: 'AbortError' })
    expect(last).toBe(32)
  })

  it('takes names that only look hidden', () => {
    expect([isLeftAside('a/b.c.txt'), isLeftAside('a/.env'), isLeftAside('Thumbs.db')]).toEqual([
      false,
      true,
      true,
    ])
  })
})
