/** The EntityKG of a corpus' passages by the corpus' own names, merges and given relations. */
import { append } from '../../base/grown.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import { labelOf } from '../../explain/labels.ts'
import { MentionReader } from '../../explain/mentions.ts'
import { canonicalize } from '../../graph/canonicalize.ts'
import { rangeOf } from '../../graph/given_relations.ts'
import { titleName } from '../../graph/names/name_spans.ts'
import { WordBuffer } from '../../lexical/word_buffer.ts'
import { assembleEntityKG, type EntityRelation } from './assemble_entity_kg.ts'
import { EntityKG } from './entity_kg.ts'

const SPACES = /\s+/g
/** UTF-16 units of a name at least, as in buildEntityKG. */
const LEAST_LENGTH = 2

/**
 * What `buildEntityKG` makes of the same passages, with names that were merged under one node and
 * all their spellings as its aliases, and relations as edges.
 */
export function passageGraph(
  corpus: Corpus,
  slots: Iterable<readonly [id: string, slot: number]>,
): EntityKG {
  const names = new PassageNames(corpus)
  const mentions = new Map<string, string[]>()
  const titles = new Map<string, string>()
  const relations: EntityRelation[] = []
  for (const [id, slot] of slots) {
    const title = names.titleOf(slot)
    titles.set(id, title)
    mentions.set(
      id,
      [...(title === '' ? [] : [title]), ...names.of(slot)]
        .map((name) => name.trim())
        .filter((name) => name.length >= LEAST_LENGTH),
    )
    append(relations, names.relationsOf(id, slot))
  }
  const kg = assembleEntityKG(mentions, { preset: 'hubmesh', titles, relations })
  if (names.merged.size === 0) return kg
  const aliasToNode = new Map(kg.aliasToNode)
  for (const [alias, form] of names.merged) {
    const node = kg.aliasToNode.get(form)
    if (node !== undefined && alias !== '') aliasToNode.set(alias, node)
  }
  const { graph, docToEntities, entityToDocs, canonicalToNode, nodeToLabel } = kg
  return new EntityKG({
    graph,
    docToEntities,
    entityToDocs,
    canonicalToNode,
    nodeToLabel,
    aliasToNode,
  })
}

/** Names of passages as they are written, or as the name they were merged into is. */
class PassageNames {
  /** Canonical form of a spelling -> that of what it was merged into. */
  readonly merged = new Map<string, string>()
  private readonly labels = new Map<number, string>()
  private readonly words = new WordBuffer()
  private readonly reader: MentionReader

  constructor(private readonly corpus: Corpus) {
    this.reader = new MentionReader(corpus.text, corpus.table)
  }

  of(slot: number): string[] {
    const { table } = this.corpus
    return [...this.in(table.entry(slot).title), ...this.in(table.text(slot))]
  }

  /** The name that the passage's document is about; '' where its title is none. */
  titleOf(slot: number): string {
    const { text, table } = this.corpus
    const own = titleName(table.entry(slot).title).trim()
    this.words.read(own, text.vocabulary, true)
    const spelt = text.gazetteer.trie.find(this.words.ids, 0, this.words.length)
    return own === '' || spelt < 0 ? own : this.shown(own, text.merges.canonical(spelt), spelt)
  }

  /** Given relations that lie within the passage, between the first names of their ends. */
  relationsOf(documentId: string, slot: number): EntityRelation[] {
    const { table, relations } = this.corpus
    const entry = table.entry(slot)
    const { start, end } = table.span(slot)
    const given = relations.get(entry.id)
    if (given?.hash !== entry.hash) return []
    const found: EntityRelation[] = []
    for (const relation of given.relations) {
      const range = rangeOf(relation)
      if (range.start < start || range.end > end) continue
      const [subject, object] = [relation.subject, relation.object].map(
        (span) => this.in(entry.text.slice(span.start, span.end))[0],
      )
      if (subject !== undefined && object !== undefined)
        found.push({ documentId, subject, predicate: relation.predicate, object })
    }
    return found
  }

  private in(part: string): string[] {
    const { words } = this
    const found: string[] = []
    this.corpus.text.readNames(part, words, false, (name, from, to, spelt) => {
      const written = part.slice(words.starts[from], words.ends[to - 1]).replace(SPACES, ' ')
      found.push(this.shown(written, name, spelt))
    })
    return found
  }

  private shown(written: string, known: number, spelt: number): string {
    if (known === spelt) return written
    const { text, table } = this.corpus
    const label = this.labels.get(known) ?? labelOf(known, text, table, this.reader)
    this.labels.set(known, label)
    this.merged.set(canonicalize(written), canonicalize(label))
    return label
  }
}
