import { expect, it } from 'vitest'
import { TextIndex } from '../graph/text_index.ts'
import { readQuestion } from './question.ts'

it(
  'a word in a form that no passage has counts as its stem, as it would if a removed ' +
    'passage had had that form',
  () => {
    const texts = ['The museum keeps one old book.', 'A garden with three statues.'],
      index = new TextIndex((slot) => ({ title: '', text: texts[slot] as string, opening: true }))
    texts.forEach((text, slot) => {
      index.add(slot, { title: '', text, opening: true })
    })
    index.settle()
    const book = index.vocabulary.find('book')
    expect(index.vocabulary.find('books')).toBe(-1)
    expect(readQuestion('where are books kept', index, true).terms).toContain(book)
    // what no passage has in any form, and stop words, still count for nothing
    expect(readQuestion('whales', index, true).terms).toEqual([])
    expect(readQuestion('those', index, true).terms).toEqual([])
  },
)

it('a stop word is no misspelt name, whether or not a passage has it', () => {
  const texts = ['Stephen Jay Gould taught at Harvard.', 'Gould was fond of snails.'],
    index = new TextIndex((slot) => ({ title: '', text: texts[slot] as string, opening: true }))
  texts.forEach((text, slot) => {
    index.add(slot, { title: '', text, opening: true })
  })
  index.settle()
  expect(readQuestion('who would know gould', index, true).respelt).toEqual([])
  expect(readQuestion('who is goold', index, true).respelt).toEqual([2])
})
