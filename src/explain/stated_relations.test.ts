import { describe, expect, it } from 'vitest'
import { buildEntityKGLLM } from '../llm/build_entity_kg_llm.ts'
import type { DocumentInput, Engine, PathStep, RetrieveResult } from '../types.ts'
import { FILMS } from '../testing/films.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'

const films: readonly DocumentInput[] = [
  FILMS[0]!,
  {
    id: 'b',
    title: 'Tim Burton',
    text: 'Tim Burton is an American filmmaker. He was born in Burbank, California.',
  },
  { id: 'c', title: 'Burbank, California', text: 'Burbank is a city in Los Angeles County.' },
]
const question = 'Where was the director of Ed Wood born?'

/**
 * Every step of an answer, once it is sure that its span and its sentence stand in the document.
 */
async function steps(one: Engine, answer: RetrieveResult): Promise<PathStep[]> {
  for (const { nodes, steps: all } of answer.reasoning) {
    expect(all).toHaveLength(nodes.length - 1)
    for (const step of all) {
      const document = (await one.getDocument(step.documentId))!
      expect((step.inTitle ? document.title : document.text).slice(step.start, step.end)).toBe(
        step.text,
      )
      expect(document.text.slice(step.sentence.start, step.sentence.end)).toBe(step.sentence.text)
      if (step.relation) expect(step.predicate).toBe(step.relation.predicate)
    }
  }
  return answer.reasoning.flatMap((path) => path.steps)
}

describe('relations of a language model', () => {
  it('are taken as buildEntityKGLLM gives them, and show in paths with predicate, span and sentence', async () => {
    const one = await openTestEngine(films),
      before = await one.retrieve(question)
    const answer: Readonly<Record<string, unknown>> = {
      'Ed Wood is': [
        ['Ed Wood', 'directed by', 'Tim Burton'],
        ['Ed Wood', 'stars', 'Johnny Depp'],
      ],
      'Tim Burton is': [['Tim Burton', 'born in', 'Burbank, California']],
    }
    const extraction = await buildEntityKGLLM(films.slice(0, 2), {
      llm: (prompt) =>
        Promise.resolve(
          JSON.stringify({
            triples: Object.entries(answer).find(([begin]) => prompt.includes(begin))?.[1] ?? [],
          }),
        ),
    })
    expect(await one.addRelations(extraction)).toMatchObject({ added: 3, known: 0, rejected: [] })
    expect(await one.addRelations(extraction)).toMatchObject({ added: 0, known: 3 })
    await one.ready('settled')
    const after = await one.retrieve(question),
      told = (await steps(one, after)).filter((step) => step.relation)
    expect(
      told.map(({ documentId, predicate, text, relation }) => ({
        documentId,
        predicate,
        text,
        origin: relation?.origin,
      })),
    ).toEqual(
      expect.arrayContaining([
        {
          documentId: 'a',
          predicate: 'directed by',
          text: 'Ed Wood is a 1994 American biographical film directed by Tim Burton',
          origin: 'given',
        },
        {
          documentId: 'b',
          predicate: 'born in',
          text: 'Tim Burton is an American filmmaker. He was born in Burbank, California',
          origin: 'given',
        },
      ]),
    )
    expect(after.reasoning[0]?.sentence).toContain(
      'which says: Ed Wood — directed by — Tim Burton; Tim Burton is the subject of “Tim Burton”',
    )
    // these names were names before: who says what of them changes no score
    expect(after.sources.map(({ documentId, score }) => [documentId, score])).toEqual(
      before.sources.map(({ documentId, score }) => [documentId, score]),
    )
    expect(
      (await one.pathBetween('Ed Wood', 'Tim Burton'))[0]?.steps.map((step) => step.predicate),
    ).toEqual(['titled', 'directed by'])
  })

  it('are listed by name and document, held against the text, and gone with their document', async () => {
    const one = await openTestEngine(films)
    const result = await one.addRelations([
      { documentId: 'a', subject: 'Tim Burton', predicate: 'directed', object: 'Ed Wood' },
      {
        documentId: 'a',
        subject: 'Ed Wood',
        predicate: 'stars',
        object: 'Johnny Depp',
        start: 0,
        end: 20,
      },
      { documentId: 'nobody', subject: 'Ed Wood', predicate: 'is', object: 'film' },
      { documentId: 'b', subject: 'Tim Burton', predicate: 'is', object: 'Burbank' },
    ])
    expect(result).toMatchObject({
      added: 2,
      rejected: [
        { at: 1, reason: 'not-in-text' },
        { at: 2, reason: 'unknown-document' },
      ],
    })
    const { total, relations } = await one.relations({ name: 'tim burton' })
    expect([
      total,
      relations.map(
        ({ documentId, subject, predicate, object }) =>
          `${documentId}: ${subject.text} ${predicate} ${object.text}`,
      ),
    ]).toEqual([2, ['a: Tim Burton directed Ed Wood', 'b: Tim Burton is Burbank']])
    expect(await one.relations({ documentId: 'c' })).toEqual({ total: 0, relations: [] })
    const archive = new Uint8Array(await (await one.export()).arrayBuffer()),
      other = await openTestEngine([])
    await other.import(archive)
    expect((await other.relations()).total).toBe(2)
    await one.remove('a')
    expect((await one.relations()).relations.map(({ documentId }) => documentId)).toEqual(['b'])
    await one.update({ ...films[1]!, text: `${films[1]!.text} More.` })
    expect((await one.relations()).total).toBe(0)
    await one.add(films[0]!)
    expect((await one.relations()).total).toBe(0)
    await other.removeRelations(['a'])
    expect(await other.removeRelations()).toMatchObject({ removed: 1 })
    for (const bad of [
      3,
      [{}],
      [{ documentId: 'a', subject: 'x', predicate: 'p'.repeat(200), object: 'y' }],
      [{ documentId: 'a', subject: 'x', predicate: 'p', object: 'y', start: 0.5 }],
    ])
      await expect(one.addRelations(bad as never)).rejects.toMatchObject({ code: 'input/invalid' })
  })

  it('make names of words that nobody capitalises, until they are taken back', async () => {
    const documents = [
      { id: 'a', text: 'They gave penicillin against pneumonia in the ward.' },
      { id: 'b', text: 'The mould that makes penicillin grew in a dish.' },
    ]
    const one = await openTestEngine(documents),
      plain = await openTestEngine(documents)
    await one.addRelations([
      { documentId: 'a', subject: 'penicillin', predicate: 'treats', object: 'pneumonia' },
    ])
    await one.ready('settled')
    expect(await one.resolveEntities(['penicillin', 'pneumonia'])).toMatchObject([
      { passages: 2 },
      { passages: 1 },
    ])
    const answer = await one.retrieve('mould', { seedEntities: ['pneumonia'] })
    expect((await steps(one, answer)).some((step) => step.predicate === 'treats')).toBe(true)
    await one.removeRelations()
    await one.ready('settled')
    expect(await one.graphStats()).toEqual(await plain.graphStats())
    expect(new Uint8Array(await (await one.export()).arrayBuffer())).toEqual(
      new Uint8Array(await (await plain.export()).arrayBuffer()),
    )
  })
})

describe('what the layout of documents states', () => {
  it('shows in paths: links, headings and lists, with their spans', async () => {
    const one = await openTestEngine([
      {
        id: 'guide',
        title: 'Harbour Guide',
        text:
          '# Harbour Guide\n\nThe quay was drawn by [Henrietta Quill](quill.md).\n\n## ' +
          'Pilot House\n\nIt keeps the charts.\n\n- Oskar Bram: the keeper',
      },
      {
        id: 'quill',
        title: 'Henrietta Quill',
        text: 'Henrietta Quill engraved maps of the coast.',
      },
      { id: 'house', title: 'Pilot House', text: 'The Pilot House has a lamp.' },
      { id: 'bram', title: 'Oskar Bram', text: 'Oskar Bram sold charts.' },
    ])
    const told = new Map<string, string>()
    for (const asked of [
      'Who engraved maps for the Harbour Guide?',
      'Has the lamp of the Harbour Guide a keeper?',
      'Who sold charts in the Pilot House?',
    ]) {
      for (const step of await steps(one, await one.retrieve(asked)))
        if (step.relation)
          told.set(
            `${step.relation.origin}: ${step.relation.subject} ${step.predicate} ${step.relation.object}`,
            step.text,
          )
    }
    expect(Object.fromEntries(told)).toMatchObject({
      'link: Harbour Guide links to Henrietta Quill': 'Henrietta Quill',
      'heading: Pilot House under heading Harbour Guide': 'Pilot House',
      'list: Oskar Bram listed under Pilot House': 'Oskar Bram',
    })
  })
})
