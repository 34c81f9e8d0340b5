/** Which corpus takes what is dropped; never the sample. */
import { SAMPLE } from '../platform/sample.ts'
import { freeName, OWN_CORPUS } from '../words/corpus_name.ts'
import type { State } from './state.ts'

/**
 * Documents go into the open corpus of one's own, else into a new one that is named after the
 * folder.
 */
export function documentsInto(
  { corpus, corpora }: Pick<State, 'corpus' | 'corpora'>,
  folder: string | null,
): string {
  if (corpus !== null && corpus !== SAMPLE.corpus) return corpus
  return folder === null
    ? OWN_CORPUS
    : freeName(folder, new Set(corpora.map((entry) => entry.name)))
}

/**
 * One archive goes into the open corpus where a person named that and nothing is in it yet; null
 * where it opens as a corpus of its own.
 */
export function archiveInto({
  corpus,
  status,
  adding,
}: Pick<State, 'corpus' | 'status' | 'adding'>): string | null {
  return corpus !== null &&
    corpus !== SAMPLE.corpus &&
    corpus !== OWN_CORPUS &&
    status?.documents === 0 &&
    adding === null
    ? corpus
    : null
}
