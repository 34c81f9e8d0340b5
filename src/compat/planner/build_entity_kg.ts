/** `buildEntityKG`: documents to an EntityKG without any LLM. */
import { admitAll } from '../../document/admit.ts'
import { HubmeshError, throwIfAborted } from '../../base/errors.ts'
import { typeOf } from '../../explain/entity_types.ts'
import { titleName } from '../../graph/names/name_spans.ts'
import type { AdmittedDocument, DocumentInput, EntityType } from '../../types.ts'
import { assembleEntityKG } from './assemble_entity_kg.ts'
import type { EntityRelation, GraphPreset } from './assemble_entity_kg.ts'
import { corpusNames } from './corpus_names.ts'
import type { EntityKG } from './entity_kg.ts'
import { byCodeUnits } from './graph.ts'
import type { Linker } from './linker.ts'

/** A name in a document; `label` is one of ENTITY_LABELS or of the caller's own. */
export type NamedEntity = string | { readonly text: string; readonly label?: string }

/** Reads the names of one document, in place of the rules. */
export type NameReader = (
  document: AdmittedDocument,
  options: { readonly signal?: AbortSignal },
) => readonly NamedEntity[] | Promise<readonly NamedEntity[]>

/** Kinds of names that are kept by default; dates, numbers and amounts are not among them. */
export const ENTITY_LABELS: readonly string[] = [
  'PERSON',
  'ORG',
  'GPE',
  'LOC',
  'NORP',
  'FAC',
  'EVENT',
  'WORK_OF_ART',
  'PRODUCT',
  'LAW',
  'LANGUAGE',
]

export interface BuildEntityKGOptions {
  /**
   * Labels that are kept; a name without a label always is. Default ENTITY_LABELS. Given without
   * `names`, the names that the rules find are labelled by compromise: PERSON, ORG, or GPE, LOC and
   * FAC for a place; others are left out.
   */
  readonly labels?: readonly string[]
  /** UTF-16 units of a name at least; default 2. */
  readonly minEntityLength?: number
  /**
   * Merges names across documents. Left out: within each document, a short form counts as the
   * longer one that holds its words.
   */
  readonly linker?: Linker | null
  readonly names?: NameReader
  /** Default `hubmesh`. */
  readonly preset?: Exclude<GraphPreset, 'relations'>
  /** What documents state of names, each document one of these; they become `relates` edges. */
  readonly relations?: readonly EntityRelation[]
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/**
 * The graph of the documents (text, object or admitted; a title is read as part of its document)
 * and the names in them. The order of the documents changes nothing. Rejects with `input/invalid`,
 * `input/too-large`, `input/conflict`, as the linker and the reader do, and with `aborted`.
 */
export async function buildEntityKG(
  documents: readonly (string | DocumentInput)[],
  options: BuildEntityKGOptions = {},
): Promise<EntityKG> {
  const { minEntityLength = 2, linker = null, preset = 'hubmesh', signal } = options
  if (!Number.isInteger(minEntityLength) || minEntityLength < 1)
    throw new HubmeshError(
      'input/invalid',
      `minEntityLength is ${minEntityLength}; it must be a whole number of at least 1.`,
      { details: { field: 'minEntityLength' } },
    )
  throwIfAborted(signal)
  const admitted = admitAll(documents, signal ? { signal } : {}).documents.sort((a, b) =>
    byCodeUnits(a.id, b.id),
  )
  const found = options.names
    ? await readAll(admitted, options.names, options)
    : await byRules(admitted, options)
  const labels = new Set(options.labels ?? ENTITY_LABELS)
  const mentions = new Map<string, string[]>(),
    every = new Set<string>()
  admitted.forEach((document, at) => {
    const names = found[at]!.map((name) => (typeof name === 'string' ? { text: name } : name))
      .filter((name) => name.label === undefined || labels.has(name.label))
      .map((name) => name.text.trim())
      .filter((name) => name.length >= minEntityLength)
    mentions.set(document.id, names)
    for (const name of names) every.add(name)
  })
  const links = linker
    ? await linker.link([...every].sort(byCodeUnits), signal ? { signal } : {})
    : null
  throwIfAborted(signal)
  const titles = new Map(
    admitted.map((document) => [document.id, titleName(document.title).trim()]),
  )
  const { relations = [] } = options
  return assembleEntityKG(mentions, { preset, links, titles, relations })
}

async function readAll(
  documents: readonly AdmittedDocument[],
  read: NameReader,
  { signal, onProgress }: BuildEntityKGOptions,
): Promise<(readonly NamedEntity[])[]> {
  const out: (readonly NamedEntity[])[] = []
  for (const document of documents) {
    throwIfAborted(signal)
    out.push(await read(document, signal ? { signal } : {}))
    onProgress?.(out.length, documents.length)
  }
  return out
}

async function byRules(
  documents: readonly AdmittedDocument[],
  { labels, signal, onProgress }: BuildEntityKGOptions,
): Promise<(readonly NamedEntity[])[]> {
  const names = await corpusNames(documents, {
    ...(signal ? { signal } : {}),
    ...(onProgress ? { onProgress } : {}),
  })
  if (!labels) return names
  const wanted = new Set(labels),
    label = new Map<string, string>()
  for (const name of new Set(names.flat())) {
    throwIfAborted(signal)
    label.set(name, LABELS_OF[await typeOf(name)].find((one) => wanted.has(one)) ?? 'OTHER')
  }
  return names.map((list) => list.map((text) => ({ text, label: label.get(text)! })))
}

const LABELS_OF: Readonly<Record<EntityType, readonly string[]>> = {
  person: ['PERSON'],
  place: ['GPE', 'LOC', 'FAC'],
  organisation: ['ORG'],
  other: [],
}
