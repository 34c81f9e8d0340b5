/**
 * Reading the names of many documents by our own rules: capitals, titles, and what other documents
 * call a name.
 */
import { throwIfAborted } from '../../base/errors.ts'
import { titleName } from '../../graph/names/name_spans.ts'
import { TextIndex } from '../../graph/text_index.ts'
import type { PassageText } from '../../graph/text_index.ts'
import { WordBuffer } from '../../lexical/word_buffer.ts'
import { yieldToEvents } from '../../base/platform.ts'

/** Documents read between two turns of the event loop. */
const BATCH = 128
const SPACES = /\s+/g

/**
 * Names of each document as they are written, its title's first. A name found in one is recognised
 * in all, so each answer depends on all of the documents. Rejects with `aborted`.
 */
export async function corpusNames(
  documents: readonly { readonly title: string; readonly text: string }[],
  options: {
    readonly signal?: AbortSignal
    readonly onProgress?: (done: number, total: number) => void
  } = {},
): Promise<string[][]> {
  const passageOf = (slot: number): PassageText => ({
    title: documents[slot]!.title,
    text: documents[slot]!.text,
    opening: true,
  })
  const index = new TextIndex(passageOf)
  for (let slot = 0; slot < documents.length; slot++) {
    if (slot % BATCH === 0) {
      throwIfAborted(options.signal)
      await yieldToEvents()
    }
    index.add(slot, passageOf(slot), false)
  }
  const words = new WordBuffer(),
    out: string[][] = []
  for (const { title, text } of documents) {
    if (out.length % BATCH === 0) {
      throwIfAborted(options.signal)
      options.onProgress?.(out.length, documents.length)
      await yieldToEvents()
    }
    const names: string[] = [],
      own = titleName(title).trim()
    if (own !== '') names.push(own)
    for (const part of [title, text]) {
      index.readNames(part, words, false, (_name, from, to) => {
        names.push(part.slice(words.starts[from], words.ends[to - 1]).replace(SPACES, ' '))
      })
    }
    out.push(names)
  }
  options.onProgress?.(documents.length, documents.length)
  return out
}
