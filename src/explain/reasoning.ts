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
  const given = { index, table, reader, label, stated }
  return routes.map((route) => new RouteTeller(route, given).tell())
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

/** What a route is told with. */
interface Given {
  readonly index: TextIndex
  readonly table: CorpusTable
  readonly reader: MentionReader
  readonly label: (name: number) => string
  readonly stated: StatedRelations
}

/** Nodes, steps and the words of one route, in order. */
class RouteTeller {
  private readonly nodes: PathNode[] = []
  private readonly steps: PathStep[] = []
  private readonly words: string[] = []

  constructor(
    private readonly route: Route,
    private readonly given: Given,
  ) {}

  tell(): ReasoningPath {
    const { route, nodes, steps } = this
    this.open()
    for (const i of route.names.keys()) this.cross(i)
    this.goOn()
    return {
      score: roundScore(route.score),
      nodes,
      steps,
      sentence: `${this.words.join(', ')}.`,
    }
  }

  private open(): void {
    const { seed, slots } = this.route,
      { index, label, stated, table } = this.given,
      first = slots[0]!,
      opening = quoted(documentNode(first, table).label)
    if (seed >= 0) {
      this.nodes.push(this.nodeOf(seed))
      this.steps.push(this.step(first, seed, stated.between(first, seed, [index.aboutOf(first)])))
    }
    this.nodes.push(documentNode(first, table))
    const [step] = this.steps
    this.words.push(
      !step
        ? opening
        : step.predicate === 'titled'
          ? `${label(seed)} is the subject of ${opening}`
          : `${label(seed)} is mentioned in ${opening}${aside(step)}`,
    )
  }

  /** From the i-th document by the i-th name to the next. */
  private cross(i: number): void {
    const { names, slots, seed } = this.route,
      { index, label, stated, table } = this.given,
      name = names[i]!,
      from = slots[i]!,
      to = slots[i + 1]!,
      about = index.aboutOf(from)
    const before = i === 0 ? seed : names[i - 1]!,
      leaving = this.step(
        from,
        name,
        name === about ? null : stated.between(from, name, [before, about]),
      ),
      arriving = this.step(to, name, stated.between(to, name, [index.aboutOf(to)]))
    this.nodes.push(this.nodeOf(name), documentNode(to, table))
    this.steps.push(leaving, arriving)
    const target = quoted(documentNode(to, table).label),
      reached = arriving.predicate === 'titled' ? 'the subject of' : 'also mentioned in',
      told = tell(leaving, label(name))
    this.words.push(
      leaving.predicate === 'titled'
        ? `whose subject ${label(name)} is mentioned in ${target}${aside(arriving)}`
        : `${told.text}${told.names ? '; ' : ', '}${told.names ? `${label(name)} is ` : ''}${reached} ` +
            `${target}${aside(arriving)}`,
    )
  }

  /** A stated relation that leads on from the last document. */
  private goOn(): void {
    const { names, slots, seed } = this.route,
      { index, label, stated } = this.given,
      last = slots.at(-1)!,
      about = index.aboutOf(last)
    const more = stated.onward(
      last,
      [names.at(-1) ?? seed, about],
      new Set([seed, ...names, about]),
    )
    if (!more) return
    const step = this.step(last, more.name, more.relation)
    this.nodes.push(this.nodeOf(more.name))
    this.steps.push(step)
    this.words.push(tell(step, label(more.name)).text)
  }

  private nodeOf(name: number): PathNode {
    return entityNode(name, this.given.index, this.given.label(name))
  }

  private step(slot: number, name: number, relation: StatedRelation | null): PathStep {
    const { index, table, reader } = this.given
    return stepOf(slot, name, index, table, reader, relation)
  }
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
