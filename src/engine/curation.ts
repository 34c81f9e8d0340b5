/**
 * What a user states beside the documents: merges and relations. Kept with the corpus, written in
 * one transaction with whatever changes it; a relation goes with its document.
 */
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { readRelations } from '../document/relations.ts'
import { MentionReader } from '../explain/mentions.ts'
import { labelOf } from '../explain/labels.ts'
import { nameMeant } from '../explain/name_lookup.ts'
import {
  decodeRelations,
  encodeRelations,
  addTo,
  placeRelation,
  type DocumentRelations,
  type GivenRelations,
  type PlacedRelation,
} from '../graph/given_relations.ts'
import {
  decodeRules,
  encodeRules,
  nameKey,
  plainName,
  ruleOf,
  withoutName,
  withRule,
  type NameRule,
} from '../graph/name_rules.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import { LIMITS } from '../base/limits.ts'
import { TextEvidence } from '../graph/text_evidence.ts'
import type { CorpusStorage } from '../store/storage.ts'
import { strings } from '../base/options.ts'
import type { AddRelationsResult, MergeNamesOptions, NameMerge, RelationsInput } from '../types.ts'
import type { Corpus } from '../corpus/corpus.ts'
import { compareIds } from '../base/compare_ids.ts'
import { tooManyMerges, type Curated } from './curated.ts'
import type { Settler } from './settler.ts'
import type { Snapshots } from './snapshots.ts'
import type { WriteQueue } from './write_queue.ts'

export class Curation {
  /** Why something kept could not be used, for `status`. */
  warning: string | null = null

  constructor(
    private readonly corpus: Corpus,
    private readonly storage: CorpusStorage,
    private readonly writeQueue: WriteQueue,
    private readonly snapshots: Snapshots,
    private readonly settler: Settler,
    private readonly changed: () => void,
  ) {}

  /**
   * Reads what is kept. Relations of documents that are not here, or are others now, are passed
   * over.
   */
  async load(): Promise<void> {
    const names = await this.storage.kept('names'),
      relations = await this.storage.kept('relations')
    const rules = names === null ? [] : decodeRules(names),
      given = relations === null ? new Map<string, DocumentRelations>() : decodeRelations(relations)
    this.warning =
      rules === null || given === null
        ? `What was said of ${rules === null ? 'names that are one' : 'relations'} could not ` +
          'be read and is left out. Say it again.'
        : null
    this.corpus.setRules(rules ?? [])
    const { relations: before } = this.corpus,
      after = new Map<string, DocumentRelations>()
    for (const [id, one] of given ?? []) {
      const held = before.get(id)
      after.set(id, held && JSON.stringify(held) === JSON.stringify(one) ? held : one)
    }
    this.corpus.setRelations(after)
  }

  /** Makes the names one. Rejects with `input/invalid` for a name that the corpus does not know. */
  async merge(given: readonly string[], options: MergeNamesOptions): Promise<NameMerge> {
    const names = strings('names', given),
      into = options.into === undefined ? undefined : text('into', options.into)
    return this.writeQueue.write(async () => {
      throwIfAborted(options.signal)
      if (names.length > LIMITS.mergedNames)
        throw new HubmeshError(
          'input/too-large',
          `${names.length} names were given to be one; at most ${LIMITS.mergedNames} are taken.`,
          { details: { limit: LIMITS.mergedNames } },
        )
      const keys = names.map((name, at) => nameKey(this.known(name, `names[${at}]`))),
        last = into === undefined ? null : nameKey(this.known(into, 'into'))
      const rule = ruleOf(last === null ? keys : [...keys, last], last)
      if (rule.names.length < 2)
        throw new HubmeshError(
          'input/invalid',
          'A merge takes at least two different names; these are one already, but for their capitals.',
          { details: { field: 'names' } },
        )
      const rules = withRule(this.corpus.rules, rule)
      if (rules.length > LIMITS.nameMerges) throw tooManyMerges()
      await this.take(rules)
      return this.describe(rule)
    })
  }

  /** Takes a name out of every merge it is in. */
  async split(name: string): Promise<void> {
    const key = nameKey(plainName(text('name', name)))
    return this.writeQueue.write(async () => {
      if (!this.corpus.rules.some(({ names }) => names.includes(key)))
        throw new HubmeshError(
          'input/invalid',
          'This name is in no merge. mergedNames() tells which are.',
          { details: { field: 'name' } },
        )
      await this.take(withoutName(this.corpus.rules, key))
    })
  }

  /** Undoes one merge as if it had never been made. */
  undo(id: string): Promise<void> {
    return this.writeQueue.write(async () => {
      if (!this.corpus.rules.some((rule) => rule.id === id))
        throw new HubmeshError(
          'input/invalid',
          'There is no merge of this id. mergedNames() tells which there are.',
          { details: { field: 'id' } },
        )
      await this.take(this.corpus.rules.filter((rule) => rule.id !== id))
    })
  }

  merges(): NameMerge[] {
    return this.corpus.rules.map((rule) => this.describe(rule))
  }

  /** Holds relations against the texts and keeps those that stand there. */
  async addRelations(
    given: RelationsInput,
    { signal }: { readonly signal?: AbortSignal },
  ): Promise<AddRelationsResult> {
    const input = readRelations(given)
    return this.writeQueue.write(async () => {
      const placed = new Map<string, PlacedRelation[]>(),
        evidence = new Map<string, TextEvidence>(),
        rejected: { at: number; reason: AddRelationsResult['rejected'][number]['reason'] }[] = []
      for (const [at, relation] of input.entries()) {
        if (at % 1024 === 0) throwIfAborted(signal)
        const { documentId } = relation,
          entry = this.corpus.table.get(documentId)
        if (entry && !evidence.has(documentId))
          evidence.set(documentId, new TextEvidence(entry.text))
        const place = entry ? placeRelation(entry.text, relation, evidence.get(documentId)!) : null,
          list = placed.get(documentId)
        if (place && list) list.push(place)
        else if (place) placed.set(documentId, [place])
        else rejected.push({ at, reason: entry ? 'not-in-text' : 'unknown-document' })
      }
      const after = new Map(this.corpus.relations),
        before = countOf(after)
      for (const [id, relations] of placed)
        addTo(after, id, this.corpus.table.get(id)!.hash, relations)
      const added = countOf(after) - before
      if (added > 0) await this.takeRelations(after)
      return {
        added,
        known: input.length - rejected.length - added,
        rejected,
        generation: this.storage.generation,
      }
    })
  }

  /** Forgets relations: those of some documents, or all. Gives how many. */
  async removeRelations(
    ids: readonly string[] | undefined,
  ): Promise<{ removed: number; generation: number }> {
    const documentIds = ids === undefined ? undefined : strings('documentIds', ids)
    return this.writeQueue.write(async () => {
      const before = this.corpus.relations,
        gone = new Set(documentIds ?? before.keys()),
        left = new Map([...before].filter(([id]) => !gone.has(id)))
      if (left.size < before.size) await this.takeRelations(left)
      return { removed: countOf(before) - countOf(left), generation: this.storage.generation }
    })
  }

  /** Takes into memory what was committed. */
  hold({ rules, relations, left, keep }: Curated): void {
    if (keep.some(({ name }) => name === 'names')) this.corpus.setRules(rules)
    if (relations !== left) this.corpus.setRelations(relations)
  }

  private async take(rules: readonly NameRule[]): Promise<void> {
    await this.storage.commit({
      put: [],
      remove: [],
      keep: [{ name: 'names', bytes: encodeRules(rules) }],
    })
    this.corpus.setRules(rules)
    this.told()
  }

  private async takeRelations(given: GivenRelations): Promise<void> {
    await this.storage.commit({
      put: [],
      remove: [],
      keep: [{ name: 'relations', bytes: encodeRelations(given) }],
    })
    this.corpus.setRelations(given)
    if (!this.corpus.settleIfQuick()) void this.settler.settle()
    this.told()
  }

  private told(): void {
    this.snapshots.changed()
    this.changed()
  }

  /** The words of a name that the corpus has. */
  private known(name: string, field: string): string {
    const { text } = this.corpus,
      words = new WordBuffer().read(name, text.vocabulary, true),
      found = text.gazetteer.trie.find(words.ids, 0, words.length)
    if (found >= 0 && text.gazetteer.trie.isInForce(found) && text.passagesWith(found) > 0)
      return text.nameText(found)
    return text.nameText(nameMeant(name, this.corpus, field))
  }

  private describe({ id, names, into }: NameRule): NameMerge {
    const { text, table } = this.corpus,
      { merges } = text,
      live = names.map((key) => merges.nameOf(key)).filter((name) => name >= 0)
    const known = live.length > 0 ? merges.canonical(live[0]!) : -1
    return {
      id,
      name: known < 0 ? null : text.nameText(known),
      label: known < 0 ? null : labelOf(known, text, table, new MentionReader(text, table)),
      names: live.map((name) => text.nameText(name)).sort(compareIds),
      into: into === null || merges.nameOf(into) < 0 ? null : text.nameText(merges.nameOf(into)),
      absent: names.length - live.length,
      passages: known < 0 ? 0 : text.graph.documentFrequency(known),
    }
  }
}

function text(field: string, value: unknown): string {
  if (typeof value !== 'string')
    throw new HubmeshError(
      'input/invalid',
      `${field} is ${value === null ? 'null' : `a ${typeof value}`}; give a string.`,
      { details: { field } },
    )
  return value
}

function countOf(given: GivenRelations): number {
  let count = 0
  for (const { relations } of given.values()) count += relations.length
  return count
}
