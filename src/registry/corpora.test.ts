import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import type { Embedder } from '../embed/embedder.ts'
import { HubmeshError } from '../base/errors.ts'
import { CorpusManager, defaultCorporaRoot, type CorpusManagerOptions } from './corpus_manager.ts'

const DEMO = new URL('../../../shared/fixtures/hubmesh/corpus/demo', import.meta.url).pathname
const hasDemo = existsSync(DEMO)
if (!hasDemo) console.info('skipped: ../shared/fixtures/hubmesh/corpus/demo is not here')

let root = ''
const open: CorpusManager[] = []
const manager = (
  options: CorpusManagerOptions = { embedder: new HashingEmbedder(16) },
): CorpusManager => {
  const made = new CorpusManager(root, options)
  open.push(made)
  return made
}
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hubmesh-corpora-'))
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  await rm(root, { recursive: true, force: true })
})

const people = [
  { id: 'one', title: 'Ada Quist', text: 'Ada Quist met Bela Trom in Aarhus.' },
  { id: 'two', text: 'Bela Trom wrote to Dora Wex.' },
]

describe('CorpusManager', () => {
  it('builds a corpus, lists it with its documents, and finds it again', async () => {
    const first = manager()
    expect(await first.build('notes', people)).toMatchObject({ added: ['one', 'two'], removed: [] })
    await (await first.load('notes')).ready('vectors')
    await first.close()
    const second = manager()
    expect(await second.list()).toMatchObject([{ name: 'notes', format: 'hubmesh', documents: 2 }])
    const { sources } = await (await second.load('notes')).retrieve('Who wrote to Dora Wex?')
    expect(sources[0]?.documentId).toBe('two')
  })

  it('builds with relations, which reach the planner and the export', async () => {
    const corpora = manager(),
      relation = { documentId: 'one', subject: 'Ada Quist', predicate: 'met', object: 'Bela Trom' }
    expect(
      await corpora.build('notes', people, {
        kg: { relations: [relation, { ...relation, object: 'Emil Zand' }] },
      }),
    ).toMatchObject({
      added: ['one', 'two'],
      relations: { added: 1, rejected: [{ at: 1, reason: 'not-in-text' }] },
    })
    const engine = await corpora.load('notes')
    await engine.ready('vectors')
    const edge = async (): Promise<unknown> => {
      const { kg } = await corpora.planner('notes')
      return kg!.graph.edge('ent:ada quist', 'ent:bela trom')?.attributes
    }
    expect(await edge()).toMatchObject({ kind: 'relates', predicates: ['met'] })
    const files = await corpora.exportPython('notes')
    const graph = [...files].find(([path]) => path.endsWith('kg.json'))![1]
    expect(new TextDecoder().decode(graph)).toContain('"met"')
    await expect(corpora.build('notes', [], { kg: [{ no: 1 }] as never })).rejects.toMatchObject({
      code: 'input/invalid',
    })
    expect((await engine.listDocuments()).total, 'nothing was written').toBe(2)
    const again = await corpora.build('notes', people, {
      kg: [{ ...relation, predicate: 'greeted' }],
    })
    expect(again.relations).toMatchObject({ added: 1 })
    expect(await edge()).toMatchObject({ predicates: ['greeted'] })
  })

  it('builds again to exactly the new documents', async () => {
    const corpora = manager()
    await corpora.build('notes', people)
    const again = await corpora.build('notes', [
      people[1]!,
      { id: 'three', text: 'Emil Zand stayed.' },
    ])
    expect(again).toMatchObject({ added: ['three'], unchanged: ['two'], removed: ['one'] })
    expect(
      (await (await corpora.load('notes')).listDocuments()).documents.map(({ id }) => id),
    ).toEqual(['three', 'two'])
  })

  it('adds, updates and removes', async () => {
    const corpora = manager()
    await corpora.build('notes', people)
    await corpora.add('notes', { id: 'three', text: 'Emil Zand stayed.' })
    await corpora.update('notes', { id: 'three', text: 'Emil Zand left.' })
    expect(await corpora.remove('notes', ['one', 'nobody'])).toMatchObject({
      removed: ['one'],
      missing: ['nobody'],
    })
    expect((await (await corpora.load('notes')).getDocument('three'))?.text).toBe('Emil Zand left.')
  })

  it('says "no corpus" of an unknown one, and begins none by looking', async () => {
    const corpora = manager()
    for (const call of [
      () => corpora.load('nothing'),
      () => corpora.planner('nothing'),
      () => corpora.add('nothing', 'text'),
      () => corpora.remove('nothing', 'a'),
      () => corpora.delete('nothing'),
    ]) {
      await expect(call()).rejects.toMatchObject({
        code: 'corpus/not-found',
        message: expect.stringContaining('no corpus') as string,
      })
    }
    expect(await corpora.list()).toEqual([])
  })

  it('takes no name that could lead out of its folder', async () => {
    const corpora = manager()
    for (const name of [
      '../up',
      '/etc',
      'a/b',
      '.',
      '..',
      '',
      'a\u0000',
      'x'.repeat(65),
      'con\\aux',
    ]) {
      for (const call of [
        () => corpora.build(name, people),
        () => corpora.load(name),
        () => corpora.planner(name),
        () => corpora.delete(name),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'input/invalid' })
    }
    await expect(corpora.load('__proto__')).rejects.toMatchObject({ code: 'corpus/not-found' })
  })

  it('warms up what it can and says what failed, without throwing', async () => {
    await manager().build('notes', people)
    await open[0]!.close()
    await cp(join(root, 'notes'), join(root, 'broken'), { recursive: true })
    const manifest = (await readdir(join(root, 'broken'))).find((name) =>
      name.startsWith('manifest-'),
    )
    await writeFile(join(root, 'broken', manifest!), 'x'.repeat(100))
    const report = await manager().warmup()
    expect(report).toMatchObject({ embedder: 'ok', 'corpus:notes': 'ok' })
    expect(report['corpus:broken']).toMatch(/^failed: store\/corrupt/)
    const failing = await manager({
      embedder: () => Promise.reject(new HubmeshError('model/fetch', 'no model')),
    }).warmup()
    expect(failing['embedder']).toBe('failed: model/fetch: no model')
  })

  it('are where the environment says, with the model that it names', async () => {
    vi.stubEnv('HUBMESH_CORPORA_ROOT', root)
    vi.stubEnv('HUBMESH_EMBED_MODEL', 'no-such-model')
    try {
      expect(defaultCorporaRoot()).toBe(root)
      const corpora = new CorpusManager()
      open.push(corpora)
      expect(corpora.root).toBe(root)
      await expect(corpora.embedder()).rejects.toMatchObject({
        code: 'input/invalid',
        message: expect.stringContaining('no-such-model') as string,
      })
      vi.stubEnv('HUBMESH_CORPORA_ROOT', '')
      expect(defaultCorporaRoot()).toMatch(/\.hubmesh.corpora$/)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('keeps one planner for each config', async () => {
    const corpora = manager()
    await corpora.build('notes', people)
    await (await corpora.load('notes')).ready('vectors')
    const plain = await corpora.planner('notes'),
      discounted = await corpora.planner('notes', { hubDiscount: 1 })
    expect(await corpora.planner('notes')).toBe(plain)
    expect(discounted).not.toBe(plain)
    expect(discounted.config.hubDiscount).toBe(1)
    expect((await plain.retrieve('Who met Bela Trom?')).sources.map(({ id }) => id).sort()).toEqual(
      ['one', 'two'],
    )
    await corpora.add('notes', { id: 'three', text: 'Emil Zand stayed.' })
    await (await corpora.load('notes')).ready('vectors')
    expect(await corpora.planner('notes')).not.toBe(plain)
  })
})

describe.skipIf(!hasDemo)('corpora of hubmesh for Python', () => {
  const noModel = (): CorpusManager => manager({ embedder: null })

  it('are listed and planned where they lie, and never changed', async () => {
    await cp(DEMO, join(root, 'demo'), { recursive: true })
    const corpora = noModel()
    expect(await corpora.list()).toMatchObject([{ name: 'demo', format: 'python', documents: 120 }])
    await expect(corpora.load('demo')).rejects.toMatchObject({ code: 'input/invalid' })
    await expect(corpora.build('demo', people)).rejects.toMatchObject({ code: 'input/invalid' })
    await expect(corpora.delete('demo')).rejects.toMatchObject({ code: 'input/invalid' })
    expect((await corpora.planner('demo')).kg?.graph.size).toBe(5874)
    expect(await corpora.warmup()).toMatchObject({ 'corpus:demo': 'ok' })
  })

  it('are imported with vectors and graph, and exported as they were', async () => {
    const corpora = noModel()
    const imported = await corpora.importPython(DEMO, 'mine')
    expect(imported).toMatchObject({
      documents: 120,
      rejected: [],
      embedding: { model: 'all-MiniLM-L6-v2', dtype: 'float32', dims: 384 },
    })
    await (await corpora.load('mine')).ready('vectors')
    expect(await (await corpora.load('mine')).status()).toMatchObject({
      documents: 120,
      passages: 120,
      passagesWithVectors: 120,
    })
    await corpora.exportPythonTo('mine', join(root, 'back'))
    const generation = await readFile(join(root, 'back', 'CURRENT'), 'utf8')
    const before = new Map(
      readFileSync(join(DEMO, 'gen-48e237ee', 'docs.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: string })
        .map((one) => [one.id, one]),
    )
    const after = (await readFile(join(root, 'back', generation, 'docs.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string })
    expect(after.length).toBe(before.size)
    for (const document of after) expect(document).toEqual(before.get(document.id))
    expect(JSON.parse(await readFile(join(root, 'back', generation, 'kg.json'), 'utf8'))).toEqual(
      JSON.parse(readFileSync(join(DEMO, 'gen-48e237ee', 'kg.json'), 'utf8')),
    )
    expect(JSON.parse(await readFile(join(root, 'back', generation, 'meta.json'), 'utf8'))).toEqual(
      JSON.parse(readFileSync(join(DEMO, 'gen-48e237ee', 'meta.json'), 'utf8')),
    )
  })

  it('lose their graph for one of our own once documents change', async () => {
    const corpora = noModel()
    await corpora.importPython(DEMO, 'mine')
    expect((await corpora.planner('mine')).kg?.graph.size).toBe(5874)
    await corpora.remove('mine', 'Alû')
    const kg = (await corpora.planner('mine')).kg!
    expect(kg.graph.size).not.toBe(5874)
    expect(kg.documentIds()).not.toContain('Alû')
  })

  it('are embedded afresh by the own model when asked for', async () => {
    const embedder: Embedder = new HashingEmbedder(16)
    const corpora = manager({ embedder })
    expect((await corpora.importPython(DEMO, 'mine', { vectors: 'own' })).embedding).toEqual(
      embedder.identity,
    )
    const engine = await corpora.load('mine')
    await engine.ready('vectors')
    expect((await engine.retrieve('Alû', { tier: 'full' })).debug).toMatchObject({
      tier: 'full',
      passagesWithVectors: 120,
    })
  })
})
