/** Owns turning routes into paths a person can check: labels, exact spans, a sentence. Refuses: choosing routes. */
import { roundScore } from '../deterministic_math.ts'
import type { CorpusTable } from '../corpus/corpus_table.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { invariant } from '../errors.ts'
import type { PathNode, PathStep, ReasoningPath } from '../types.ts'
import { labelOf } from './labels.ts'
import type { MentionReader } from './mentions.ts'
import type { Route } from './routes.ts'

export function explainRoutes(routes: readonly Route[], index: TextIndex, table: CorpusTable, reader: MentionReader): ReasoningPath[] {
  const labels = new Map<number, string>()
  const label = (name: number): string => {
    const known = labels.get(name) ?? labelOf(name, index, table, reader)
    labels.set(name, known)
    return known
  }
  return routes.map((route) => explainRoute(route, index, table, reader, label))
}

/** The edge between a passage and a name it mentions, with the text that carries it. */
export function stepOf(slot: number, name: number, index: TextIndex, table: CorpusTable, reader: MentionReader): PathStep {
  const entry = table.entry(slot), titles = entry.title !== '' && index.aboutOf(slot) === name
  const mention = reader.find(slot, name) ?? (titles ? { name, spelt: name, inTitle: true, start: 0, end: entry.title.length } : null)
  invariant(mention, 'A passage was linked by a name that is not in it.')
  const sentence = reader.sentenceAround(slot, mention)
  return {
    predicate: titles ? 'titled' : 'mentions',
    documentId: entry.id,
    start: mention.start,
    end: mention.end,
    text: (mention.inTitle ? entry.title : entry.text).slice(mention.start, mention.end),
    inTitle: mention.inTitle,
    sentence: { ...sentence, text: entry.text.slice(sentence.start, sentence.end) },
  }
}

export function entityNode(name: number, index: TextIndex, label: string): PathNode {
  return { kind: 'entity', id: index.nameText(name), label }
}

export function documentNode(slot: number, table: CorpusTable): PathNode {
  const { id, title } = table.entry(slot)
  return { kind: 'document', id, label: title === '' ? id : title }
}

function explainRoute(route: Route, index: TextIndex, table: CorpusTable, reader: MentionReader, label: (name: number) => string): ReasoningPath {
  const nodes: PathNode[] = [], steps: PathStep[] = [], words: string[] = []
  const first = route.slots[0] as number
  if (route.seed >= 0) {
    nodes.push(entityNode(route.seed, index, label(route.seed)))
    steps.push(stepOf(first, route.seed, index, table, reader))
  }
  nodes.push(documentNode(first, table))
  const opening = quoted(documentNode(first, table).label)
  words.push(route.seed < 0 ? opening : steps[0]?.predicate === 'titled' ? `${label(route.seed)} is the subject of ${opening}` : `${label(route.seed)} is mentioned in ${opening}`)
  route.names.forEach((name, i) => {
    const from = route.slots[i] as number, to = route.slots[i + 1] as number
    const leaving = stepOf(from, name, index, table, reader), arriving = stepOf(to, name, index, table, reader)
    nodes.push(entityNode(name, index, label(name)), documentNode(to, table))
    steps.push(leaving, arriving)
    const target = quoted(documentNode(to, table).label)
    words.push(`${leaving.predicate === 'titled' ? 'whose subject' : 'which mentions'} ${label(name)}${leaving.predicate === 'titled' ? ' is mentioned in' : arriving.predicate === 'titled' ? ', the subject of' : ', also mentioned in'} ${target}`)
  })
  return { score: roundScore(route.score), nodes, steps, sentence: `${words.join(', ')}.` }
}

function quoted(text: string): string { return `“${text}”` }
