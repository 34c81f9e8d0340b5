import { describe, expect, it } from 'vitest'
import { intakeOfDrop, isLeftAside } from './intake.ts'

interface FakeEntry { readonly name: string; readonly children?: readonly FakeEntry[] }

function entry(fake: FakeEntry, parent = ''): FileSystemEntry {
  const fullPath = `${parent}/${fake.name}`
  const children = (fake.children ?? []).map((child) => entry(child, fullPath))
  return {
    name: fake.name, fullPath, isDirectory: fake.children !== undefined, isFile: fake.children === undefined,
    file: (done: (file: File) => void) => { done(new File(['x'], fake.name)) },
    createReader: () => {
      let at = 0
      return { readEntries: (done: (some: FileSystemEntry[]) => void) => { done(children.slice(at, (at += 100))) } }
    },
  } as unknown as FileSystemEntry
}
const drop = (...fakes: FakeEntry[]): DataTransfer => ({ files: [], items: fakes.map((fake) => ({ kind: 'file', webkitGetAsEntry: () => entry(fake) })) }) as unknown as DataTransfer

describe('a drop', () => {
  it('walks folders of more than one reader batch and keeps the paths', async () => {
    const intake = await intakeOfDrop(drop({ name: 'notes', children: [{ name: 'a', children: Array.from({ length: 230 }, (_, i) => ({ name: `${i}.md` })) }, { name: 'README.md' }] }))
    expect(intake.files).toHaveLength(231)
    expect(intake.files.map((file) => file.name)).toContain('notes/a/229.md')
    expect(intake.folder).toBe('notes')
  })

  it('leaves hidden files and folders of tools aside, and counts them', async () => {
    const intake = await intakeOfDrop(drop({ name: 'p', children: [{ name: '.git', children: [{ name: 'config' }] }, { name: 'node_modules', children: [] }, { name: '.DS_Store' }, { name: 'x.txt' }] }, { name: 'y.txt' }))
    expect(intake.files.map((file) => file.name)).toEqual(['y.txt', 'p/x.txt'])
    expect(intake).toMatchObject({ leftAside: 3, folder: null })
  })

  it('stops when cancelled', async () => {
    await expect(intakeOfDrop(drop({ name: 'a.txt' }), AbortSignal.abort())).rejects.toThrow()
  })

  it('takes names that only look hidden', () => {
    expect([isLeftAside('a/b.c.txt'), isLeftAside('a/.env'), isLeftAside('Thumbs.db')]).toEqual([false, true, true])
  })
})
