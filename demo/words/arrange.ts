/** The order of the list of documents, and what a search in it leaves. */
import type { DocumentLine } from '../session/documents.ts'

export const SORTS = ['added', 'title', 'size', 'state'] as const
export type Sort = (typeof SORTS)[number]

/** What stands for a document where it has no title of its own. */
export function titleOf({ id, title }: Pick<DocumentLine, 'id' | 'title'>): string {
  return title === '' ? id : title
}

/** Documents whose title or name holds all words of the search; equal ones keep their order. */
export function arranged(
  lines: readonly DocumentLine[],
  search: string,
  sort: Sort,
): readonly DocumentLine[] {
  const wanted = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const found = lines.filter((line) => {
    const text = `${line.title}\n${line.id}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  if (sort === 'title') found.sort((a, b) => compare(titleOf(a), titleOf(b)))
  if (sort === 'size') found.sort((a, b) => b.chars - a.chars)
  if (sort === 'state') found.sort((a, b) => share(a) - share(b))
  return found
}

/** By code unit after folding case: the same on every machine. */
function compare(a: string, b: string): number {
  const x = a.toLowerCase(),
    y = b.toLowerCase()
  return x < y ? -1 : x > y ? 1 : 0
}

function share({ passages, passagesWithVectors }: DocumentLine): number {
  return passages === 0 ? 0 : passagesWithVectors / passages
}
