import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CorpusManager } from '../registry/corpus_manager.ts'
import type { MergeSuggestion, NameMerge, Subgraph } from '../types.ts'
import { runCommandLine } from './run.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hubmesh-names-'))
  const manager = new CorpusManager(root, { embedder: null })
  await manager.build('harbours', [
    {
      id: 'a',
      title: 'North Atlantic Treaty',
      text: 'The North Atlantic Treaty was signed by Henrietta Quill.',
    },
    {
      id: 'b',
      title: 'Henrietta Quill',
      text: 'Henrietta Quill praised the NAT in public. Henrieta Quill did so twice.',
    },
    { id: 'c', title: 'Oskar Bram', text: 'Oskar Bram opposed the NAT.' },
  ])
  await manager.close()
})
afterAll(async () => {
  await rm(root, { recursive: true, force: true })
})

async function run(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' },
    sink = (key: 'out' | 'err') => ({
      write: (text: string) => {
        said[key] += text
        return true
      },
      isTTY: false,
    })
  const code = await runCommandLine(
    ['names', ...words, '--corpus', 'harbours', '--root', root],
    { stdout: sink('out'), stderr: sink('err') } as never,
    new AbortController().signal,
  )
  return { code, ...said }
}

it('suggests, merges, lists, splits and undoes', async () => {
  const suggestions = JSON.parse((await run('suggest', '--json')).out) as MergeSuggestion[]
  expect(
    suggestions.map(({ names: [a, b], reasons }) => [a.name, b.name, reasons[0]?.kind]),
  ).toEqual(
    expect.arrayContaining([
      ['north atlantic treaty', 'nat', 'acronym'],
      ['henrietta quill', 'henrieta quill', 'spelling'],
    ]),
  )
  expect((await run('suggest', '--limit', '1')).out.split('\n').length).toBeGreaterThan(2)
  const merge = JSON.parse(
    (await run('merge', 'NAT', 'North Atlantic Treaty', '--json')).out,
  ) as NameMerge
  expect(merge).toMatchObject({ name: 'north atlantic treaty', passages: 3 })
  expect((await run('list')).out).toContain(
    `${merge.id}  North Atlantic Treaty  = nat, north atlantic treaty  3 passages`,
  )
  expect(
    (JSON.parse((await run('suggest', '--json')).out) as MergeSuggestion[]).some(
      ({ reasons }) => reasons[0]?.kind === 'acronym',
    ),
  ).toBe(false)
  expect(await run('undo', merge.id)).toMatchObject({ code: 0, out: '' })
  await run('merge', 'NAT', '--into', 'North Atlantic Treaty')
  expect(await run('split', 'nat')).toMatchObject({ code: 0, out: '' })
})

it('says what is wrong with words that make no sense, and with names the corpus does not know', async () => {
  for (const words of [
    ['join', 'a', 'b'],
    ['merge', 'NAT'],
    ['split'],
    ['undo'],
    ['list', 'x'],
    ['suggest', '--limit', '0'],
  ])
    expect(await run(...words)).toMatchObject({ code: 2, out: '' })
  expect(await run('merge', 'NAT', 'Atlantis')).toMatchObject({
    code: 1,
    err: expect.stringContaining('names[1]: the corpus does not know this name') as string,
  })
  expect((await run('split', 'NAT')).code).toBe(1)
})

it('the graph of names is shown: around a name, in circles, by passages', async () => {
  const around = await run('around', 'Henrietta Quill', '--depth', '2', '--json'),
    part = JSON.parse(around.out) as Subgraph
  expect(part.nodes[0]).toMatchObject({ label: 'Henrietta Quill', passages: 2 })
  expect(part.nodes.map(({ label }) => label)).toContain('North Atlantic Treaty')
  expect((await run('around', 'Henrietta Quill')).out).toMatch(
    /^Henrietta Quill {2}\(person, 2 passages\)$/m,
  )
  expect((await run('circles')).out).toContain('Henrietta Quill')
  expect((await run('passages', 'Henrietta Quill', '--limit', '1')).out).toMatch(/^a 0-\d+: The/)
  expect((await run('passages')).err).toContain('passages takes one name')
  expect((await run('complete', 'henr')).out).toMatch(/^Henrietta Quill {2}\(title, 2 passages\)$/m)
  expect(JSON.parse((await run('complete', 'henr', '--json')).out)).toMatchObject([
    { text: 'Henrietta Quill', kind: 'title' },
    { text: 'Henrieta Quill', kind: 'name' },
  ])
  expect((await run('complete')).err).toContain('complete takes one name')
  expect((await run('around', 'Nobody Known')).err).toContain('does not know')
})
