import { drain } from '../base/slices.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { WordBuffer } from '../lexical/word_buffer.ts'
import { Pusher } from './push.ts'
import { TextIndex, type PassageText } from './text_index.ts'

function build(passages: readonly PassageText[], order = passages.map((_, i) => i)): TextIndex {
  const index = new TextIndex((slot) => passages[slot] as PassageText)
  for (const slot of order) index.add(slot, passages[slot] as PassageText)
  index.settle()
  return index
}

const mentionsOf = (index: TextIndex, slot: number): string[] => {
  const { data } = index.graph.mentions,
    from = index.graph.mentions.offset(slot)
  return [...data.subarray(from, from + index.graph.mentions.length(slot))]
    .map((m) => index.nameText(m >> 1) + (m & 1 ? '*' : ''))
    .sort()
}

const passages: PassageText[] = [
  {
    title: 'Scott Derrickson',
    text: 'Scott Derrickson is an American director who lives in Los Angeles.',
    opening: true,
  },
  {
    title: 'Ed Wood (film)',
    text: 'Ed Wood is a 1994 film about Edward Wood. It was made by Tim Burton.',
    opening: true,
  },
  {
    title: '',
    text: 'in los angeles scott derrickson met tim burton and the Ed Wood Appreciation Society',
    opening: true,
  },
]

it('a name found in one passage is recognised in all, however it is written', () => {
  const index = build(passages)
  // an untitled passage is about the first name of its opening
  expect(mentionsOf(index, 2)).toContain('los angeles*')
  for (const name of ['scott derrickson', 'tim burton', 'ed wood'])
    expect(mentionsOf(index, 2)).toContain(name)
  expect(mentionsOf(index, 0)).toContain('scott derrickson*')
  expect(mentionsOf(index, 1)).toContain('ed wood*')
})

it('a name may go over the end of a line, but not over a blank line', () => {
  const index = build([
    {
      title: '',
      text: '# Zebra\n\nThe Zebra Project was led by Ada\nQuill, who met\r\n\r\nDora Bell\n \nCole Wood',
      opening: true,
    },
  ])
  expect(mentionsOf(index, 0).map((name) => name.replace('*', ''))).toEqual(
    expect.arrayContaining(['zebra project', 'ada quill', 'dora bell', 'cole wood']),
  )
  expect(mentionsOf(index, 0).join()).not.toMatch(/zebra the|bell cole/)
})

const word = fc.constantFrom(
  'Ann',
  'ann',
  'Bell',
  'bell',
  'Cole',
  'of',
  'the',
  'Dora',
  'dora',
  '12',
  'film',
  'Film',
)
const passage = fc.record({
  title: fc.array(word, { maxLength: 3 }).map((w) => w.join(' ')),
  text: fc.array(word, { minLength: 1, maxLength: 14 }).map((w) => w.join(' ')),
  opening: fc.boolean(),
})

it('after settling, any sequence of additions and removals equals a fresh build', () => {
  fc.assert(
    fc.property(
      fc.array(passage, { minLength: 1, maxLength: 24 }),
      fc.array(fc.nat(23), { maxLength: 30 }),
      fc.boolean(),
      (all, toggles, settleOften) => {
        const index = new TextIndex((slot) => all[slot] as PassageText)
        all.forEach((p, slot) => index.add(slot, p))
        for (const toggle of toggles) {
          const slot = toggle % all.length
          if (index.has(slot)) {
            index.remove(slot, all[slot] as PassageText)
            drain(index.sweep())
          } else index.add(slot, all[slot] as PassageText)
          if (settleOften) while (index.settle(2) > 0);
        }
        index.settle()
        expect(index.settled).toBe(true)
        const left = all.map((_, slot) => slot).filter((slot) => index.has(slot))
        const fresh = build(all, left)
        for (const slot of left) expect(mentionsOf(index, slot)).toEqual(mentionsOf(fresh, slot))
        expect(index.articles).toBe(fresh.articles)
        for (const slot of left)
          expect(index.aboutOf(slot) < 0 ? '' : index.nameText(index.aboutOf(slot))).toBe(
            fresh.aboutOf(slot) < 0 ? '' : fresh.nameText(fresh.aboutOf(slot)),
          )
        for (const w of ['ann', 'bell', 'film']) {
          const a = index.vocabulary.find(w),
            b = fresh.vocabulary.find(w)
          const df = (x: TextIndex, id: number): number =>
            id < 0 ? 0 : x.lexical.documentFrequency(x.vocabulary.termOf(id))
          expect(df(index, a)).toBe(df(fresh, b))
        }
      },
    ),
    { numRuns: 300 },
  )
})

it('the walk and the scores do not depend on the order of insertion, to the last bit', () => {
  fc.assert(
    fc.property(
      fc.array(passage, { minLength: 2, maxLength: 20 }),
      fc.infiniteStream(fc.nat(1000)),
      (all, random) => {
        const order = all.map((_, i) => i)
        for (let i = order.length - 1; i > 0; i--) {
          const j = (random.next().value as number) % (i + 1),
            swap = order[i] as number
          order[i] = order[j] as number
          order[j] = swap
        }
        const results = [build(all), build(all, order)].map((index) => {
          const name = index.gazetteer.trie.find(
            ['ann', 'bell'].map((w) => index.vocabulary.find(w)),
          )
          const scores = new Float64Array(all.length)
          index.lexical.score(
            ['ann', 'film', 'cole']
              .map((w) => index.vocabulary.find(w))
              .filter((id) => id >= 0)
              .map((id) => index.vocabulary.termOf(id)),
            scores,
            null,
          )
          const walk =
            name < 0
              ? null
              : new Pusher(index.graph).walk([{ name, weight: 1 }], {
                  alpha: 0.3,
                  epsilon: 3e-6,
                  maxEdges: 1e6,
                  excluded: null,
                })
          return {
            scores: [...scores],
            walk:
              walk &&
              [...walk.slots]
                .map((slot, i) => [slot, walk.masses[i]!] as const)
                .sort((a, b) => a[0] - b[0]),
            residual: walk?.residual,
          }
        })
        expect(results[1]).toEqual(results[0])
      },
    ),
  )
})

it('text of another script, markup and names of object members are only data', () => {
  const odd = build([
    { title: '__proto__', text: 'constructor Prototype 東京都 and __proto__', opening: true },
    { title: '東京', text: '東京は日本の首都', opening: true },
  ])
  expect(mentionsOf(odd, 0)).toContain('proto*')
  expect(mentionsOf(odd, 0)).toContain('東京')
  expect(mentionsOf(odd, 1)).toContain('東京*')
})

it('a snapshot gives back the same index under new numbers, and goes on from there', () => {
  fc.assert(
    fc.property(
      fc.array(passage, { minLength: 1, maxLength: 16 }),
      fc.array(passage, { maxLength: 6 }),
      (all, later) => {
        const index = build(all),
          order = Int32Array.from(all, (_, i) => all.length - 1 - i)
        const texts = [...all].reverse().concat(later)
        const back = new TextIndex((slot) => texts[slot] as PassageText)
        back.restore(Buffer.from(index.snapshot(order)))
        expect(back.settled).toBe(true)
        for (let i = 0; i < all.length; i++)
          expect(mentionsOf(back, i)).toEqual(mentionsOf(index, all.length - 1 - i))
        expect(new Uint8Array(back.snapshot(Int32Array.from(all, (_, i) => i)))).toEqual(
          new Uint8Array(index.snapshot(order)),
        )
        later.forEach((p, i) => {
          back.add(all.length + i, p)
        })
        if (later.length > 0) back.remove(0, texts[0] as PassageText)
        back.settle()
        const left = texts.map((_, i) => i).slice(later.length > 0 ? 1 : 0),
          fresh = new TextIndex((slot) => texts[slot] as PassageText)
        for (const slot of left) fresh.add(slot, texts[slot] as PassageText)
        fresh.settle()
        for (const slot of left) expect(mentionsOf(back, slot)).toEqual(mentionsOf(fresh, slot))
        expect(back.articles).toBe(fresh.articles)
      },
    ),
    { numRuns: 150 },
  )
})

it('a snapshot with any byte of its header or any number out of range is refused, never read out of bounds', () => {
  const all = passages,
    bytes = build(all).snapshot(Int32Array.from([0, 1, 2]))
  let refused = 0
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const damaged = bytes.slice()
      damaged[at]! ^= flip
      const back = new TextIndex((slot) => all[slot] as PassageText)
      try {
        back.restore(damaged)
        for (const slot of [0, 1, 2]) mentionsOf(back, slot)
      } catch (error) {
        expect(error).toMatchObject({ code: 'index/corrupt' })
        refused++
      }
    }),
    { numRuns: 600 },
  )
  expect(refused).toBeGreaterThan(100)
})

it('no name is lost where the tables of names grow', () => {
  const passages = Array.from({ length: 1500 }, (_, i) => ({
    title: `Title${i} Word${i}`,
    text: `Then came Person${i} Family${i} again.`,
    opening: true,
  }))
  const index = new TextIndex((slot) => passages[slot]!)
  passages.forEach((passage, slot) => {
    index.add(slot, passage, false)
  })
  index.settle()
  const words = new WordBuffer()
  for (let i = 0; i < 1500; i++) {
    const found: number[] = []
    index.readNames(`Person${i} Family${i} Title${i} Word${i}`, words, false, (name) =>
      found.push(index.graph.documentFrequency(name)),
    )
    expect(found).toEqual([1, 1])
  }
})
