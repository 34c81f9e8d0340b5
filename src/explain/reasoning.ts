/** Routes as paths a person can check: labels, exact spans, a sentence. */
import { roundScore } from '../base/math.ts'
import type { CorpusTable } from '../corpus/corpus_table.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { invariant } from '../base/errors.ts'
import type { PathNode, PathStep, ReasoningPath } from '../types.ts'
import { labelOf } from './labels.ts'
import type { MentionReader } from './mentions.ts'
import type { Route } from './route_types.ts'
import type { StatedRelation, StatedRelations } from './stated_relations.ts'

export function explainRoutes(
  routes: readonly Route[],
  index: TextIndex,
  table: CorpusTable,
  reader: MentionReader,
  stated: StatedRelations,
): ReasoningPath[] {
  const labels = new Map<number, string>()
  const label = (name: number): string => {
    const known = labels.get(name) ?? labelOf(name, index, table, reader)
    labels.set(name, known)
    return known
  }
  return routes.map((route) => explainRoute(route, index, table, reader, label, stated))
}

/**
 * The edge between a passage and a name it mentions, with the text that carries it: that of a
 * relation where one is given.
 */
export function stepOf(
  slot: number,
  name: number,
  index: TextIndex,
  table: CorpusTable,
  reader: MentionReader,
  relation: StatedRelation | null = null,
): PathStep {
  const entry = table.entry(slot)
  if (relation) {
    const { start, end, told } = relation,
      sentence = reader.sentencesAround(slot, relation)
    return {
      predicate: told.predicate,
      relation: told,
      documentId: entry.id,
      start,
      end,
      text: entry.text.slice(start, end),
      inTitle: false,
      sentence: { ...sentence, text: entry.text.slice(sentence.start, sentence.end) },
    }
  }
  const titles = entry.title !== '' && index.aboutOf(slot) === name
  const mention =
    reader.find(slot, name) ??
    (titles ? { name, spelt: name, inTitle: true, start: 0, end: entry.title.length } : null)
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

function explainRoute(
  route: Route,
  index: TextIndex,
  table: CorpusTable,
  reader: MentionReader,
  label: (name: number) => string,
  stated: StatedRelations,
): ReasoningPath {
  const nodes: PathNode[] = [],
    steps: PathStep[] = [],
    words: string[] = []
  const first = route.slots[0]!
  if (route.seed >= 0) {
    nodes.push(entityNode(route.seed, index, label(route.seed)))
    steps.push(
      stepOf(
        first,
        route.seed,
        index,
        table,
        reader,
        stated.between(first, route.seed, [index.aboutOf(first)]),
      ),
    )
  }
  nodes.push(documentNode(first, table))
  const opening = quoted(documentNode(first, table).label)
  words.push(
    route.seed < 0
      ? opening
      : steps[0]?.predicate === 'titled'
        ? `${label(route.seed)} is the subject of ${opening}`
        : `${label(route.seed)} is mentioned in ${opening}${aside(steps[0])}`,
  )
  route.names.forEach((name, i) => {
    const from = route.slots[i]!,
      to = route.slots[i + 1]!
    const before = i === 0 ? route.seed : route.names[i - 1]!,
      about = index.aboutOf(from)
    const leaving = stepOf(
      from,
      name,
      index,
      table,
      reader,
      name === about ? null : stated.between(from, name, [before, about]),
    )
    const arriving = stepOf(
      to,
      name,
      index,
      table,
      reader,
      stated.between(to, name, [index.aboutOf(to)]),
    )
    nodes.push(entityNode(name, index, label(name)), documentNode(to, table))
    steps.push(leaving, arriving)
    const target = quoted(documentNode(to, table).label)
    const reached = arriving.predicate === 'titled' ? 'the subject of' : 'also mentioned in',
      told = tell(leaving, label(name))
    words.push(
      leaving.predicate === 'titled'
        ? `whose subject ${label(name)} is mentioned in ${target}${aside(arriving)}`
        : `${told.text}${told.names ? '; ' : ', '}${told.names ? `${label(name)} is ` : ''}${reached} ` +
            `${target}${aside(arriving)}`,
    )
  })
  const last = route.slots[route.slots.length - 1]!,
    came = route.names[route.names.length - 1] ?? route.seed
  const more = stated.onward(
    last,
    [came, index.aboutOf(last)],
    new Set([route.seed, ...route.names, index.aboutOf(last)]),
  )
  if (more) {
    nodes.push(entityNode(more.name, index, label(more.name)))
    const step = stepOf(last, more.name, index, table, reader, more.relation)
    steps.push(step)
    words.push(tell(step, label(more.name)).text)
  }
  return { score: roundScore(route.score), nodes, steps, sentence: `${words.join(', ')}.` }
}

/** A step from a document to a name in words; `names`: the name does not stand at its end. */
function tell(
  { relation }: PathStep,
  label: string,
): { readonly text: string; readonly names: boolean } {
  if (!relation) return { text: `which mentions ${label}`, names: false }
  const { subject, predicate, object, origin } = relation
  switch (origin) {
    case 'given':
      return { text: `which says: ${subject} — ${predicate} — ${object}`, names: true }
    case 'link':
      return { text: `which links ${subject} to ${object}`, names: true }
    case 'heading':
      return { text: `where ${subject} is a heading under ${object}`, names: true }
    case 'list':
      return { text: `where ${subject} is listed under ${object}`, names: true }
  }
}

/** What an arriving step states beside the mention. */
function aside(step: PathStep | undefined): string {
  return step?.relation
    ? ` (${step.relation.subject} — ${step.relation.predicate} — ${step.relation.object})`
    : ''
}

function quoted(text: string): string {
  return `“${text}”`
}
