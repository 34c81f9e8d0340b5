/**
 * Relations that a document states of two names, given by users or by its layout, for the steps of
 * a path.
 */
import type { Corpus } from '../corpus/corpus.ts'
import type { DocumentEntry } from '../corpus/corpus_table.ts'
import { rangeOf } from '../graph/given_relations.ts'
import { titleName } from '../graph/names/name_spans.ts'
import { relationsOf, type LayoutPredicate } from '../graph/relations.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import { LIMITS } from '../base/limits.ts'
import type { Span, StepRelation } from '../types.ts'

/** `text.slice(start, end)` of the document carries it. */
export interface StatedRelation extends Span {
  /** Names by number, of merged ones that by which they are known; -1 for what is no name. */
  readonly subject: number
  readonly object: number
  readonly told: StepRelation
}

const ORIGINS: Readonly<Record<LayoutPredicate, StepRelation['origin']>> = {
  'links to': 'link',
  'under heading': 'heading',
  'listed under': 'list',
}
const ORDER: readonly StepRelation['origin'][] = ['given', 'link', 'heading', 'list']

/** Read once a document, for as long as the document is there. */
const layouts = new WeakMap<DocumentEntry, ReturnType<typeof relationsOf>>()

/** Looks relations up for the length of one answer. */
export class StatedRelations {
  private readonly words = new WordBuffer()
  private readonly held = new Map<number, readonly StatedRelation[]>()

  constructor(private readonly corpus: Pick<Corpus, 'text' | 'table' | 'relations'>) {}

  /**
   * What the passage states of a name and the first of `others` that it states anything of; given
   * ones first, then links, headings, lists, each in reading order.
   */
  between(slot: number, name: number, others: readonly number[]): StatedRelation | null {
    for (const other of others) {
      if (other < 0 || other === name) continue
      const found = this.of(slot).find(
        ({ subject, object }) =>
          (subject === name && object === other) || (subject === other && object === name),
      )
      if (found) return found
    }
    return null
  }

  /**
   * What was given of one of the names and another that is not among `told`; null where nothing
   * was.
   */
  onward(
    slot: number,
    names: readonly number[],
    told: ReadonlySet<number>,
  ): { readonly relation: StatedRelation; readonly name: number } | null {
    for (const name of names) {
      for (const relation of this.of(slot)) {
        if (relation.told.origin !== 'given' || name < 0) continue
        const other =
          relation.subject === name
            ? relation.object
            : relation.object === name
              ? relation.subject
              : -1
        if (other >= 0 && !told.has(other) && this.corpus.text.graph.documentFrequency(other) > 0)
          return { relation, name: other }
      }
    }
    return null
  }

  private of(slot: number): readonly StatedRelation[] {
    const known = this.held.get(slot)
    if (known) return known
    const { table, relations } = this.corpus,
      entry = table.entry(slot),
      passage = table.span(slot),
      out: StatedRelation[] = []
    const add = (
      span: Span,
      subject: string,
      predicate: string,
      object: string,
      origin: StepRelation['origin'],
    ): void => {
      if (span.start < passage.start || span.end > passage.end) return
      const ends = [this.nameOf(subject), this.nameOf(object)] as const
      if (ends[0] >= 0 && ends[1] >= 0 && ends[0] !== ends[1])
        out.push({
          start: span.start,
          end: span.end,
          subject: ends[0],
          object: ends[1],
          told: { subject: oneLine(subject), predicate, object: oneLine(object), origin },
        })
    }
    const given = relations.get(entry.id)
    if (given?.hash === entry.hash)
      for (const relation of given.relations)
        add(
          rangeOf(relation),
          quoted(entry, relation.subject),
          relation.predicate,
          quoted(entry, relation.object),
          'given',
        )
    for (const { subject, predicate, object, start, end } of layoutOf(entry))
      add({ start, end }, subject, predicate, object, ORIGINS[predicate])
    out.sort(
      (a, b) =>
        ORDER.indexOf(a.told.origin) - ORDER.indexOf(b.told.origin) ||
        a.start - b.start ||
        a.end - b.end,
    )
    this.held.set(slot, out)
    return out
  }

  /** The name that these words are, but for a qualifier behind them. */
  private nameOf(words: string): number {
    const { text } = this.corpus
    this.words.read(titleName(words), text.vocabulary, true)
    const name = text.gazetteer.trie.find(this.words.ids, 0, this.words.length)
    return name < 0 || text.passagesWith(name) === 0 ? -1 : text.merges.canonical(name)
  }
}

function layoutOf(entry: DocumentEntry): ReturnType<typeof relationsOf> {
  const known = layouts.get(entry)
  if (known) return known
  const read = entry.text.length > LIMITS.layoutChars ? [] : relationsOf(entry.title, entry.text)
  layouts.set(entry, read)
  return read
}

const quoted = ({ text }: DocumentEntry, { start, end }: Span): string => text.slice(start, end)
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')
