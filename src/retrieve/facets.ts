/** How many documents have which metadata, and which documents take part. */
import type { Corpus } from '../corpus/corpus.ts'
import type { DocumentEntry } from '../corpus/corpus_table.ts'
import { invalid, strings, whole } from '../base/options.ts'
import { compileFilter, valueAt } from '../document/filter.ts'
import { readQuestion } from './question.ts'
import type { Facet, FacetOptions, Filter, Json } from '../types.ts'

const MOST_FIELDS = 20,
  MOST_VALUES = 1000

/** See `Engine.facets`. Values of most documents first, then numbers and texts in their order. */
export function countFacets(
  corpus: Corpus,
  fields: readonly string[],
  options: FacetOptions,
): readonly Facet[] {
  const names = strings('fields', fields)
  if (names.length === 0 || names.length > MOST_FIELDS)
    throw invalid('fields', `a list of ${names.length}`, `Give 1 to ${MOST_FIELDS} fields.`)
  const limit = whole('limit', options.limit ?? 20, 1, MOST_VALUES),
    isOut = outside(strings('excludeDocs', options.excludeDocs ?? []), options.filter),
    entries = options.query === undefined ? corpus.table.all() : withWords(corpus, options.query)
  const counts = names.map(() => new Map<string | number | boolean | null, number>())
  for (const entry of entries) {
    if (isOut?.(entry)) continue
    names.forEach((field, i) => {
      const value = valueAt(entry.metadata, field, field.split('.')),
        members = new Set<Json | undefined>(Array.isArray(value) ? (value as Json[]) : [value])
      for (const member of members)
        if (member !== undefined && (member === null || typeof member !== 'object'))
          counts[i]!.set(member, (counts[i]!.get(member) ?? 0) + 1)
    })
  }
  return names.map((field, i) => ({
    field,
    values: [...counts[i]!]
      .sort(([a, n], [b, m]) => m - n || byValue(a, b))
      .slice(0, limit)
      .map(([value, documents]) => ({ value, documents })),
    total: counts[i]!.size,
  }))
}

/** The documents with a word of the question, each once. */
function withWords(corpus: Corpus, query: string): Set<DocumentEntry> {
  const found = new Set<DocumentEntry>()
  const [text] = strings('query', [query])
  for (const term of readQuestion(text!, corpus.text).distinct)
    corpus.text.lexical.visit(term, (slot) => found.add(corpus.table.entry(slot)))
  return found
}

type Scalar = string | number | boolean | null

function byValue(a: Scalar, b: Scalar): number {
  if (typeof a !== typeof b) return typeof a < typeof b ? -1 : 1
  return a === b ? 0 : (a as string) < (b as string) ? -1 : 1
}

/** Whether a document takes no part; null where all do. */
export function outside(
  excludeDocs: readonly string[],
  filter: Filter | undefined,
): ((entry: DocumentEntry) => boolean) | null {
  const excluded = new Set(excludeDocs),
    passes = filter === undefined ? null : compileFilter(filter)
  if (excluded.size === 0 && !passes) return null
  return (entry) => excluded.has(entry.id) || (passes !== null && !passes(entry.metadata))
}
