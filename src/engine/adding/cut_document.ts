/** The stored form of a document: its text beside the offsets of its passages. */
import { cutPassages } from '../../chunk/passages.ts'
import type { CorpusSettings, StoredDocument } from '../../store/storage.ts'
import type { AdmittedDocument } from '../../types.ts'

/** Yields how many characters each piece of the work was. */
export function* cutDocument(
  document: AdmittedDocument & { readonly passages?: Int32Array },
  chunk: CorpusSettings['chunk'],
): Generator<number, StoredDocument> {
  const { id, title, text, metadata, hash } = document
  yield text.length
  if (document.passages) return { id, title, text, metadata, hash, passages: document.passages }
  const spans = yield* cutPassages(text, chunk),
    passages = new Int32Array(spans.length * 2)
  spans.forEach(({ start, end }, i) => {
    passages[2 * i] = start
    passages[2 * i + 1] = end
  })
  return { id, title, text, metadata, hash, passages }
}
