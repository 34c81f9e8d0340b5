import { expect, it } from 'vitest'
import { PassageReader } from './passage_reader.ts'
import { TextIndex } from './text_index.ts'

function readerOf(texts: readonly string[]): {
  readonly reader: PassageReader
  readonly index: TextIndex
} {
  const index = new TextIndex((slot) => ({ title: '', text: texts[slot] as string, opening: true }))
  texts.forEach((text, slot) => {
    index.add(slot, { title: '', text, opening: true })
  })
  index.settle()
  return { index, reader: new PassageReader(index, (slot) => texts[slot] as string) }
}

const sentences = ({ reader, index }: ReturnType<typeof readerOf>, slot: number): string[][] => {
  const out: string[][] = []
  reader.visitSentences(slot, new Map(), (_terms, names, count) =>
    out.push(names.slice(0, count).map((name) => index.nameText(name))),
  )
  return out
}

it('each sentence has its own names, and no name spans two', () => {
  const made = readerOf([
    'Ann met Tim Burton. Johnny Depp came too.',
    'They saw Burton. Johnny was late.',
    'Burton Johnny is a street.',
  ])
  expect(sentences(made, 2)[0]).toContain('burton johnny')
  expect(sentences(made, 1)).toEqual([['burton'], ['johnny']])
  expect(sentences(made, 0)[0]).toContain('tim burton')
})

it('a stop of a script without spaces ends a word as it ends a sentence', () => {
  const made = readerOf(['Bo K។កខ']),
    { ids, starts, ends } = made.reader.wordsOf(0)
  expect([...ids.keys()].map((i) => 'Bo K។កខ'.slice(starts[i], ends[i]))).toEqual(['Bo', 'K', 'កខ'])
  for (const { end } of made.reader.sentencesOf(0))
    expect([...starts].every((start, i) => start >= end || (ends[i] as number) <= end)).toBe(true)
})

it('words and terms are those of the passage, each read once', () => {
  const texts = ['Tim Burton made a film.', ''],
    { reader, index } = readerOf(texts),
    bits = new Map([[index.vocabulary.termOf(index.vocabulary.find('film')), 4]])
  expect(reader.wordsOf(0)).toBe(reader.wordsOf(0))
  const terms: number[] = []
  reader.visitSentences(0, bits, (held) => terms.push(held))
  reader.visitSentences(1, bits, (held) => terms.push(held))
  expect(terms).toEqual([4])
})
