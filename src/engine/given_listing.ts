/** Lists given relations with their texts and sentences. */
import type { Corpus } from '../corpus/corpus.ts'
import { compareIds } from '../base/compare_ids.ts'
import { sentenceSpans } from '../chunk/sentence_spans.ts'
import { rangeOf, type PlacedRelation } from '../graph/given_relations.ts'
import { plainName } from '../graph/name_rules.ts'
import { checkOptions } from '../base/options.ts'
import { strings, whole } from '../base/options.ts'
import type { Relation, RelationListing, RelationsOptions, Span } from '../types.ts'
import { findName } from '../explain/name_lookup.ts'

/** Units on each side of a relation in which its sentence is looked for. */
const AROUND = 2000

/** By document id, then by place. Throws `input/invalid` for options out of range. */
export function listRelations(corpus: Corpus, options: RelationsOptions): RelationListing {
  checkOptions<RelationsOptions>('relations()', options, {
    name: true,
    documentId: true,
    offset: true,
    limit: true,
  })
  const offset = whole('offset', options.offset ?? 0, 0, Number.MAX_SAFE_INTEGER),
    limit = whole('limit', options.limit ?? 100, 1, 10_000),
    { name, documentId } = options
  if (name !== undefined) strings('name', [name])
  if (documentId !== undefined) strings('documentId', [documentId])
  const wantedName = name === undefined ? -1 : findName(name, corpus),
    found: { readonly id: string; readonly text: string; readonly relation: PlacedRelation }[] = []
  const isWanted = (text: string): boolean =>
    wantedName >= 0
      ? findName(text, corpus) === wantedName
      : plainName(text) === plainName(name ?? '')
  for (const id of [...corpus.relations.keys()].sort(compareIds)) {
    const entry = corpus.table.get(id),
      given = corpus.relations.get(id)!
    if (!entry || entry.hash !== given.hash || (documentId !== undefined && id !== documentId))
      continue
    for (const relation of given.relations) {
      const { subject, object } = relation
      if (
        name === undefined ||
        isWanted(entry.text.slice(subject.start, subject.end)) ||
        isWanted(entry.text.slice(object.start, object.end))
      )
        found.push({ id, text: entry.text, relation })
    }
  }
  return {
    total: found.length,
    relations: found
      .slice(offset, offset + limit)
      .map(({ id, text, relation }) => described(id, text, relation)),
  }
}

function described(documentId: string, text: string, relation: PlacedRelation): Relation {
  const quoted = (span: Span): Span & { readonly text: string } => ({
    start: span.start,
    end: span.end,
    text: text.slice(span.start, span.end),
  })
  return {
    documentId,
    subject: quoted(relation.subject),
    predicate: relation.predicate,
    object: quoted(relation.object),
    sentence: quoted(sentencesAround(text, rangeOf(relation))),
  }
}

/** The sentence that holds a range, or those from its first to its last. */
export function sentencesAround(text: string, range: Span): Span {
  const from = Math.max(0, range.start - AROUND),
    near = sentenceSpans(text.slice(from, range.end + AROUND))
  const first = near.findLast((span) => span.start + from <= range.start),
    last = near.find((span) => span.end + from >= range.end)
  return {
    start: Math.min(range.start, first ? first.start + from : range.start),
    end: Math.max(range.end, last ? last.end + from : range.end),
  }
}
