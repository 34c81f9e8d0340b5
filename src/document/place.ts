/** Where a span stands in its document: section, table, page, row. */
import { aboveAt, type Outline } from '../chunk/outline.ts'
import type { Metadata, Place } from '../types.ts'

interface Placed {
  readonly title: string
  readonly metadata: Metadata
}

/** The place of the text that begins at `at`. */
export function placeAt(document: Placed, outline: Outline | null, at: number): Place {
  const { section } = aboveAt(outline, document.title, at),
    page = pageAt(document.metadata, at),
    row = rowOf(document.metadata)
  return {
    ...(section === '' ? {} : { section }),
    ...(page === null ? {} : { page }),
    ...(row === null ? {} : { row }),
  }
}

/** Page from 1, by the offsets at which pages begin; null for a document without pages. */
function pageAt({ path, pageStarts }: Metadata, at: number): number | null {
  if (typeof path !== 'string' || !Array.isArray(pageStarts)) return null
  let low = 0,
    high = pageStarts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (Number(pageStarts[middle]) <= at) low = middle + 1
    else high = middle
  }
  return Math.max(1, low)
}

function rowOf({ path, row }: Metadata): number | null {
  return typeof path === 'string' && Number.isInteger(row) && Number(row) > 0 ? Number(row) : null
}
