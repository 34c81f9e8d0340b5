import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import type { LocalEngine } from './engine.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import { nearWords } from '../graph/near_words.ts'
import { editDistance } from '../base/edit_distance.ts'
import type { DocumentInput } from '../types.ts'

async function engine(
  documents: readonly DocumentInput[],
  embedder: HashingEmbedder | null = null,
): Promise<LocalEngine> {
  const made = await openTestEngine([], { embedder })
  for (const document of documents) await made.add(document)
  await made.ready('settled')
  return made
}

const documents: readonly DocumentInput[] = [
  { id: 'a', text: 'The United Harbour Board met in Elmsted. Henrietta Quill led it.' },
  { id: 'b', text: 'In Elmsted the UHB was feared. Henrieta Quill knew why.' },
  { id: 'c', title: 'J. K. Morrow', text: 'A life in letters: Jean-Paul Brisk, Vela Strand.' },
  { id: 'd', text: 'Joanna Morrow dined with Jean Paul Brisk.' },
  { id: 'e', text: 'Captain Derrick Stone sailed. Then Stone slept beside the mast.' },
  { id: 'f', text: 'Nobody but Stone could read the chart.' },
  { id: 'g', text: 'Silver Gull carried Oskar Bram, Ida Fenn and Tomas Reel.' },
  { id: 'h', text: 'Grey Petrel carried Oskar Bram, Ida Fenn and Tomas Reel.' },
]

it(
  'suggests by every way of writing and by company, with places on both sides, and never what ' +
    'is one already',
  async () => {
    const one = await engine(documents),
      found = await one.suggestMerges({ limit: 50 })
    const kinds = new Map(
      found.map(({ names: [a, b], reasons }) => [
        `${a.name} = ${b.name}`,
        reasons.map(({ kind }) => kind),
      ]),
    )
    expect(kinds.get('united harbour board = uhb')?.[0]).toBe('acronym')
    expect(kinds.get('henrietta quill = henrieta quill')?.[0]).toBe('spelling')
    expect([...kinds.values()].flat()).toEqual(
      expect.arrayContaining(['acronym', 'spelling', 'initials', 'part', 'neighbours']),
    )
    expect(
      kinds.get('silver gull = grey petrel') ?? kinds.get('grey petrel = silver gull'),
    ).toContain('neighbours')
    for (const { names, score, reasons, shared } of found) {
      expect(score).toBeGreaterThan(0)
      expect(score).toBeLessThanOrEqual(1)
      expect(reasons.length).toBeGreaterThan(0)
      expect(shared.length).toBeLessThanOrEqual(5)
      for (const { places, name } of names) {
        expect(places.length, name).toBeGreaterThan(0)
        for (const { documentId, start, end, text, inTitle, sentence } of places) {
          const document = (await one.getDocument(documentId))!
          expect((inTitle ? document.title : document.text).slice(start, end)).toBe(text)
          expect(document.text.slice(sentence.start, sentence.end)).toBe(sentence.text)
        }
      }
    }
    expect(await one.suggestMerges({ limit: 2 })).toEqual(found.slice(0, 2))
    await one.mergeNames(['UHB', 'United Harbour Board'])
    expect(
      (await one.suggestMerges({ limit: 50 })).some(
        ({ reasons }) => reasons[0]?.kind === 'acronym',
      ),
    ).toBe(false)
    for (const limit of [0, 201, 1.5])
      await expect(one.suggestMerges({ limit })).rejects.toMatchObject({ code: 'input/invalid' })
  },
)

it('gives the same list whatever the order in which documents came, with an embedder too', async () => {
  const first = await engine(documents, new HashingEmbedder()),
    second = await engine([...documents].reverse(), new HashingEmbedder())
  for (const one of [first, second]) await one.ready('vectors')
  const list = await first.suggestMerges({ limit: 50 })
  expect(list.length).toBeGreaterThan(3)
  expect(await second.suggestMerges({ limit: 50 })).toEqual(list)
})

it('finds just the words that are a slip apart', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 5, maxLength: 8 }),
        { maxLength: 12 },
      ),
      (words) => {
        const near = nearWords(words)
        for (const word of words)
          expect(near.get(word) ?? []).toEqual(
            words.filter((other) => other !== word && editDistance(word, other, 1) <= 1).sort(),
          )
      },
    ),
    { numRuns: 200 },
  )
  expect(nearWords(['tern1', 'tern2', 'gul', 'gull'])).toEqual(new Map())
})

it('is cancelled while it weighs pairs, and lets questions be answered meanwhile', async () => {
  const pairs = Array.from({ length: 400 }, (_, i) => {
    const word = `${String.fromCharCode(65 + (i % 26))}${String.fromCharCode(97 + (((i / 26) | 0) % 26))}rkwood${i % 7}`
    return {
      id: `p${i}`,
      text:
        `Then came Harry ${word}lane and Harry ${word}lan with ` +
        `${'Otto Benn, Ida Fenn, Tomas Reel and Vela Strand. '.repeat(2)}`,
    }
  })
  const one = await engine([
      { id: 'all', text: pairs.map(({ text }) => text).join(' ') },
      ...pairs,
    ]),
    control = new AbortController()
  let turns = 0
  const beat = setInterval(() => {
    if (++turns === 3) control.abort()
  }, 0)
  await expect(one.suggestMerges({ signal: control.signal })).rejects.toMatchObject({
    code: 'aborted',
  })
  clearInterval(beat)
})

it('takes no longer for one passage that names everything', async () => {
  const names = Array.from(
    { length: 600 },
    (_, i) =>
      `Quarl${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + ((i / 26) | 0))}bo`,
  )
  const one = await openTestEngine([], { chunk: { strategy: 'none' } })
  await one.add({
    id: 'list',
    text: `${names.map((name) => `Then ${name} came.`).join(' ')} Then Henrietta Quill came. Then Henrieta Quill left.`,
  })
  await one.ready('settled')
  const found = await one.suggestMerges({ limit: 200 })
  expect(found.map(({ names: [a, b] }) => [a.name, b.name].sort())).toContainEqual([
    'henrieta quill',
    'henrietta quill',
  ])
  expect(found.every(({ reasons }) => reasons.every(({ kind }) => kind !== 'neighbours'))).toBe(
    true,
  )
})
