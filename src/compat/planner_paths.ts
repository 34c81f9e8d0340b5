/** Turning the planner's paths into paths a person can check: labels, exact spans, a sentence. */
import type { Corpus } from '../corpus/corpus.ts'
import { compareIds } from '../base/compare_ids.ts'
import { roundScore } from '../base/math.ts'
import type { EntityKG } from './planner/entity_kg.ts'
import type { PlannerPath } from './planner/paths.ts'
import { DOCUMENT_PREFIX, ENTITY_PREFIX } from './planner/ppr.ts'
import type { PathNode, PathStep, ReasoningPath, Span } from '../types.ts'
import { MentionReader } from '../explain/mentions.ts'
import { documentNode } from '../explain/reasoning.ts'

/** The words of `canonicalize`, each with its place. */
const WORD = /[\p{L}\p{N}\p{M}_]+/gu

interface Place extends Span {
  readonly inTitle: boolean
}

/** Documents looked at for one in which two names stand together. */
const MOST_SHARED = 20

/**
 * `slotOf` leads from the planner's document ids to passages; those that are excluded lead nowhere.
 */
export function explainPlannerPaths(
  paths: readonly PlannerPath[],
  kg: EntityKG | null,
  corpus: Corpus,
  slotOf: (id: string) => number | undefined,
): ReasoningPath[] {
  const reader = new MentionReader(corpus.text, corpus.table),
    forms = new Map<string, string[]>()
  for (const [alias, node] of kg?.aliasToNode ?? []) {
    const known = forms.get(node)
    if (known) known.push(alias)
    else forms.set(node, [alias])
  }
  return paths.flatMap((path) => new PathTeller(kg, corpus, reader, forms, slotOf).tell(path) ?? [])
}

class PathTeller {
  constructor(
    private readonly kg: EntityKG | null,
    private readonly corpus: Corpus,
    private readonly reader: MentionReader,
    private readonly forms: ReadonlyMap<string, readonly string[]>,
    private readonly slotOf: (id: string) => number | undefined,
  ) {}

  tell({ nodeIds, predicates, score }: PlannerPath): ReasoningPath | null {
    const nodes = nodeIds.map((id) => this.node(id)),
      steps: PathStep[] = []
    for (let i = 0; i + 1 < nodeIds.length; i++) {
      const step = this.step(nodeIds[i]!, nodeIds[i + 1]!, predicates[i]!)
      if (!step) return null
      steps.push(step)
    }
    if (nodes.some((node) => node === null)) return null
    const words = (nodes as PathNode[]).map(
      (node, i) =>
        `${i === 0 ? '' : ` — ${predicates[i - 1]!} — `}${node.kind === 'document' ? `“${node.label}”` : node.label}`,
    )
    return {
      score: roundScore(score),
      nodes: nodes as PathNode[],
      steps,
      sentence: `${words.join('')}.`,
    }
  }

  private isEntity(node: string): boolean {
    return this.kg !== null && node.startsWith(ENTITY_PREFIX)
  }

  private slot(node: string): number | undefined {
    return this.slotOf(this.kg === null ? node : node.slice(DOCUMENT_PREFIX.length))
  }

  private node(id: string): PathNode | null {
    if (this.isEntity(id))
      return {
        kind: 'entity',
        id: id.slice(ENTITY_PREFIX.length),
        label: this.kg!.nodeToLabel.get(id) ?? id.slice(ENTITY_PREFIX.length),
      }
    const slot = this.slot(id)
    return slot === undefined ? null : documentNode(slot, this.corpus.table)
  }

  private step(from: string, to: string, predicate: string): PathStep | null {
    const names = [from, to].filter((node) => this.isEntity(node)),
      slot = this.slot(this.isEntity(from) ? to : from)
    if (names.length === 2) return this.together(from, to, predicate)
    if (slot === undefined) return null
    if (names.length === 1) {
      const place = this.find(slot, names[0]!)
      return place && this.at(slot, predicate, place)
    }
    const target = this.slot(to)
    if (target === undefined) return null
    // two documents that are alike: what the second begins with
    const [first] = this.reader.sentencesOf(target)
    return this.at(target, predicate, { ...first!, inTitle: false })
  }

  /** The first document in which both names stand, from one to the other. */
  private together(a: string, b: string, predicate: string): PathStep | null {
    const holders = this.kg!.entityToDocs.get(b),
      shared = [...(this.kg!.entityToDocs.get(a) ?? [])]
        .filter((id) => holders?.has(id))
        .sort(compareIds)
    for (const id of shared.slice(0, MOST_SHARED)) {
      const slot = this.slotOf(id)
      if (slot === undefined) continue
      const x = this.find(slot, a),
        y = this.find(slot, b)
      if (x && y && !x.inTitle && !y.inTitle)
        return this.at(slot, predicate, {
          start: Math.min(x.start, y.start),
          end: Math.max(x.end, y.end),
          inTitle: false,
        })
      const one = x?.inTitle ? y : x
      if (x && y && one) return this.at(slot, predicate, one)
    }
    return null
  }

  private at(slot: number, predicate: string, { start, end, inTitle }: Place): PathStep {
    const entry = this.corpus.table.entry(slot),
      sentence = inTitle
        ? this.reader.sentencesOf(slot)[0]!
        : this.reader.sentencesAround(slot, { start, end })
    return {
      predicate,
      documentId: entry.id,
      start,
      end,
      text: (inTitle ? entry.title : entry.text).slice(start, end),
      inTitle,
      sentence: {
        start: sentence.start,
        end: sentence.end,
        text: entry.text.slice(sentence.start, sentence.end),
      },
    }
  }

  /**
   * Where a node's name first stands in a passage, by any of its spellings, the longest first; in
   * its text if it is there, else in its title.
   */
  private find(slot: number, node: string): Place | null {
    const { table } = this.corpus,
      forms = [...(this.forms.get(node) ?? []), node.slice(ENTITY_PREFIX.length)].sort(
        (a, b) => b.length - a.length || compareIds(a, b),
      )
    const inText = firstOf(table.text(slot), forms),
      offset = table.span(slot).start
    if (inText) return { start: inText.start + offset, end: inText.end + offset, inTitle: false }
    const inTitle = firstOf(table.title(slot), forms)
    return inTitle && { ...inTitle, inTitle: true }
  }
}

function firstOf(text: string, forms: readonly string[]): Span | null {
  const words = Array.from(text.matchAll(WORD), (match) => ({
    word: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }))
  for (const form of forms) {
    const wanted = form.split(' ')
    for (let at = 0; at + wanted.length <= words.length; at++) {
      if (wanted.every((word, i) => words[at + i]!.word === word))
        return { start: words[at]!.start, end: words[at + wanted.length - 1]!.end }
    }
  }
  return null
}
