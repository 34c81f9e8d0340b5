/** The EntityKG of a corpus' passages by the corpus' own names, merges and given relations. */
import type { Corpus } from '../../corpus/corpus.ts'
import { labelOf } from '../../explain/labels.ts'
import { MentionReader } from '../../explain/mentions.ts'
import { canonicalize } from '../../graph/canonicalize.ts'
import { rangeOf } from '../../graph/given_relations.ts'
import { titleName } from '../../graph/name_spans.ts'
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
  const { text, table } = corpus,
    reader = new MentionReader(text, table),
    words = new WordBuffer(),
    labels = new Map<number, string>(),
    merged = new Map<string, string>()
  const mentions = new Map<string, string[]>(),
    titles = new Map<string, string>(),
    relations: EntityRelation[] = []
  /** A name as it is written, or as what it was merged into is. */
  const shown = (written: string, known: number, spelt: number): string => {
    if (known === spelt) return written
    const label = labels.get(known) ?? labelOf(known, text, table, reader)
    labels.set(known, label)
    merged.set(canonicalize(written), canonicalize(label))
    return label
  }
  const read = (part: string, into: string[]): void => {
    text.readNames(part, words, false, (name, from, to, spelt) => {
      into.push(
        shown(part.slice(words.starts[from], words.ends[to - 1]).replace(SPACES, ' '), name, spelt),
      )
    })
  }
  for (const [id, slot] of slots) {
    const entry = table.entry(slot),
      own = titleName(entry.title).trim(),
      names: string[] = []
    words.read(own, text.vocabulary, true)
    const spelt = text.gazetteer.trie.find(words.ids, 0, words.length),
      title = own === '' || spelt < 0 ? own : shown(own, text.merges.canonical(spelt), spelt)
    if (title !== '') names.push(title)
    read(entry.title, names)
    read(table.text(slot), names)
    mentions.set(
      id,
      names.map((name) => name.trim()).filter((name) => name.length >= LEAST_LENGTH),
    )
    titles.set(id, title)
    const given = corpus.relations.get(entry.id),
      { start, end } = table.span(slot)
    if (given?.hash !== entry.hash) continue
    for (const relation of given.relations) {
      const range = rangeOf(relation),
        quoted: string[][] = [[], []]
      if (range.start < start || range.end > end) continue
      for (const [i, span] of [relation.subject, relation.object].entries()) {
        const part = entry.text.slice(span.start, span.end)
        read(part, quoted[i]!)
      }
      const [subject, object] = quoted.map((found) => found[0])
      if (subject !== undefined && object !== undefined)
        relations.push({ documentId: id, subject, predicate: relation.predicate, object })
    }
  }
  const kg = assembleEntityKG(mentions, { preset: 'hubmesh', titles, relations })
  if (merged.size === 0) return kg
  const aliasToNode = new Map(kg.aliasToNode)
  for (const [alias, form] of merged) {
    const node = kg.aliasToNode.get(form)
    if (node !== undefined && alias !== '') aliasToNode.set(alias, node)
  }
  return new EntityKG({
    graph: kg.graph,
    docToEntities: kg.docToEntities,
    entityToDocs: kg.entityToDocs,
    canonicalToNode: kg.canonicalToNode,
    nodeToLabel: kg.nodeToLabel,
    aliasToNode,
  })
}
