/** Merges and relations beside a change of documents or an archive. */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { Corpus } from '../corpus/corpus.ts'
import {
  addTo,
  decodeRelations,
  encodeRelations,
  type GivenRelations,
} from '../graph/given_relations.ts'
import { decodeRules, encodeRules, withRule, type NameRule } from '../graph/name_rules.ts'
import type { KeptRecord } from '../store/storage.ts'

/** Merges and relations, and the records of those that are other than before. */
export interface Curated {
  readonly rules: readonly NameRule[]
  readonly relations: GivenRelations
  /** Without those of documents that went or changed, and without an archive's. */
  readonly left: GivenRelations
  readonly keep: readonly KeptRecord[]
}

/**
 * Merges and relations as they will be once these documents went or changed, joined with what an
 * archive keeps of those that come: every merge, and the relations of a document with that text.
 */
export function curatedAfter(
  corpus: Corpus,
  gone: readonly string[],
  records: readonly KeptRecord[],
  textOf: (id: string) => { readonly hash: string; readonly text: string } | undefined,
): Curated {
  let { rules } = corpus,
    isChanged = gone.some((id) => corpus.relations.has(id))
  const left = new Map(corpus.relations)
  for (const id of gone) left.delete(id)
  const relations = records.length === 0 ? left : new Map(left)
  for (const { name, bytes } of records) {
    if (name === 'names')
      for (const rule of decodeRules(bytes) ?? [])
        if (!rules.some(({ id }) => id === rule.id)) rules = withRule(rules, rule)
    if (name !== 'relations') continue
    for (const [id, { hash, relations: given }] of decodeRelations(bytes) ?? []) {
      const found = textOf(id)
      if (
        found?.hash !== hash ||
        given.some(({ subject, object }) => Math.max(subject.end, object.end) > found.text.length)
      )
        continue
      const before = relations.get(id)?.relations.length
      addTo(relations, id, hash, given)
      isChanged ||= relations.get(id)?.relations.length !== before
    }
  }
  if (rules.length > LIMITS.nameMerges) throw tooManyMerges()
  const keep: KeptRecord[] = []
  if (rules.length !== corpus.rules.length) keep.push({ name: 'names', bytes: encodeRules(rules) })
  if (isChanged) keep.push({ name: 'relations', bytes: encodeRelations(relations) })
  return { rules, relations, left, keep }
}

/** Throws `archive/invalid` for a kept record of an archive that is not what it is called. */
export function checkKept({ name, bytes }: KeptRecord): void {
  const good =
    name === 'names' ? decodeRules(bytes) : name === 'relations' ? decodeRelations(bytes) : null
  if (good === null)
    throw new HubmeshError(
      'archive/invalid',
      'What this archive keeps of names or relations cannot be read. Get the file again from ' +
        'where it was made, or update hubmesh.',
    )
}

export function tooManyMerges(): HubmeshError {
  return new HubmeshError(
    'input/too-large',
    `The corpus would have more than ${LIMITS.nameMerges} merges of names, which is the most that is kept. Undo some.`,
    { details: { limit: LIMITS.nameMerges } },
  )
}
