/** Turning the names of each document into an EntityKG: forms, aliases, nodes, edges. */
import { ln } from '../../base/math.ts'
import { HubmeshError } from '../../base/errors.ts'
import { canonicalize } from '../../graph/canonicalize.ts'
import { LIMITS } from '../../base/limits.ts'
import type { Metadata } from '../../types.ts'
import { EntityKG } from './entity_kg.ts'
import { byCodeUnits, PlannerGraph } from './graph.ts'
import { KeptForms, longestFirst } from './linker.ts'
import { DOCUMENT_PREFIX, ENTITY_PREFIX } from './ppr.ts'

/**
 * What joins the nodes. `hubmesh`: mentions, and names that occur in the same document, weighted by
 * how often. `bipartite`: mentions only, of weight ln(1 + documents / documents with the name),
 * three times that for a document's title. `relations`: mentions and the given relations.
 */
export type GraphPreset = 'hubmesh' | 'bipartite' | 'relations'

/** Something that a document says of two names. */
export interface EntityRelation {
  readonly documentId: string
  readonly subject: string
  readonly predicate: string
  readonly object: string
}

export interface AssembleOptions {
  /** Default `hubmesh`. */
  readonly preset?: GraphPreset
  /**
   * Canonical form of each mention, by a linker. Left out: a form is absorbed by a longer one of
   * the same document that holds its words, but for `relations`.
   */
  readonly links?: ReadonlyMap<string, string> | null
  /** The name that a document is about. */
  readonly titles?: ReadonlyMap<string, string>
  /** Their names are mentions of their documents, each of which is a key of `mentions`. */
  readonly relations?: readonly EntityRelation[]
}

const TITLE_WEIGHT = 3

/**
 * `mentions`: document id -> names as they are written. The order of documents and of names changes
 * nothing. Throws `input/too-large` for a document with too many names.
 */
export function assembleEntityKG(
  mentions: ReadonlyMap<string, readonly string[]>,
  options: AssembleOptions = {},
): EntityKG {
  const {
    preset = 'hubmesh',
    links = null,
    titles = new Map<string, string>(),
    relations = [],
  } = options
  const formOf = (mention: string): string => canonicalize(links?.get(mention) ?? mention)
  const displays = new Map<string, Set<string>>()
  const docToEntities = new Map<string, Set<string>>()
  const entityToDocs = new Map<string, Set<string>>()
  const collapse = links === null && preset !== 'relations'
  for (const [id, names] of withRelations(mentions, relations, formOf)) {
    const forms = formsOf(names, formOf, collapse)
    for (const [form, written] of forms) for (const name of written) add(displays, form, name)
    const nodes = [...forms.keys()].sort(byCodeUnits).map((form) => ENTITY_PREFIX + form)
    docToEntities.set(id, new Set(nodes))
    for (const node of nodes) add(entityToDocs, node, id)
  }
  const nodeToLabel = new Map<string, string>()
  for (const [form, written] of displays)
    nodeToLabel.set(ENTITY_PREFIX + form, [...written].sort(longestFirst)[0]!)

  const graph = new PlannerGraph()
  for (const [id, entities] of docToEntities) {
    const document = DOCUMENT_PREFIX + id
    const own = ENTITY_PREFIX + formOf(titles.get(id) ?? '')
    graph.addNode(document, { kind: 'doc', doc_id: id })
    for (const node of entities) {
      if (!graph.hasNode(node)) graph.addNode(node, entityAttributes(node, nodeToLabel))
      const rarity = ln(1 + docToEntities.size / entityToDocs.get(node)!.size)
      const weight = (node === own ? TITLE_WEIGHT : 1) * rarity
      const kind = 'mentions'
      graph.setEdge(document, node, preset === 'bipartite' ? { kind, weight } : { kind })
    }
    if (preset === 'hubmesh') joinAll(graph, id, [...entities])
  }
  for (const { subject, object, predicate } of relations)
    relate(graph, ENTITY_PREFIX + formOf(subject), ENTITY_PREFIX + formOf(object), predicate)
  return new EntityKG({
    graph,
    docToEntities,
    entityToDocs,
    canonicalToNode: new Map([...displays.keys()].map((form) => [form, ENTITY_PREFIX + form])),
    nodeToLabel,
    aliasToNode: aliasesOf(displays),
  })
}

/** The names of each document in order of ids, those of its relations among them. */
function withRelations(
  mentions: ReadonlyMap<string, readonly string[]>,
  relations: readonly EntityRelation[],
  formOf: (mention: string) => string,
): Map<string, string[]> {
  const all = new Map(
    [...mentions.keys()].sort(byCodeUnits).map((id) => [id, [...mentions.get(id)!]]),
  )
  for (const { documentId, subject, object } of relations) {
    const list = all.get(documentId)
    if (!list)
      throw new HubmeshError(
        'input/invalid',
        `A relation is of the document '${documentId}', which is not among the documents.`,
        { details: { id: documentId } },
      )
    if (formOf(subject) !== '' && formOf(object) !== '') list.push(subject, object)
  }
  return all
}

function entityAttributes(node: string, labels: ReadonlyMap<string, string>): Metadata {
  const canonical = node.slice(ENTITY_PREFIX.length)
  return { kind: 'entity', canonical, label: labels.get(node)! }
}

/**
 * Forms of one document with the ways they are written in it; where `collapse`, short forms count
 * as the longer one that holds them.
 */
function formsOf(
  names: readonly string[],
  formOf: (mention: string) => string,
  collapse: boolean,
): Map<string, Set<string>> {
  const forms = new Map<string, Set<string>>()
  for (const name of names) if (formOf(name) !== '') add(forms, formOf(name), name)
  if (!collapse) return forms
  const kept = new KeptForms()
  for (const form of [...forms.keys()].sort(longestFirst)) {
    const holder = [...kept.holdersOf(form)].sort(byCodeUnits)[0]
    if (holder === undefined) {
      kept.add(form)
      continue
    }
    for (const name of forms.get(form)!) add(forms, holder, name)
    forms.delete(form)
  }
  return forms
}

/**
 * Every way a name is written leads to its node, but never one that is another entity's exact name;
 * the first form in order wins where two claim one.
 */
function aliasesOf(displays: ReadonlyMap<string, ReadonlySet<string>>): Map<string, string> {
  const aliases = new Map<string, string>()
  for (const form of displays.keys()) aliases.set(form, ENTITY_PREFIX + form)
  for (const form of [...displays.keys()].sort(byCodeUnits)) {
    for (const name of [...displays.get(form)!].sort(byCodeUnits)) {
      const alias = canonicalize(name)
      if (alias !== '' && !aliases.has(alias)) aliases.set(alias, ENTITY_PREFIX + form)
    }
  }
  return aliases
}

function joinAll(graph: PlannerGraph, id: string, entities: readonly string[]): void {
  if (entities.length > LIMITS.entitiesPerClique) {
    throw new HubmeshError(
      'input/too-large',
      `Document '${id}' holds ${entities.length} names, and the 'hubmesh' preset joins each ` +
        `with each; at most ${LIMITS.entitiesPerClique} are taken. Chunk the documents first, or ` +
        `use the 'bipartite' preset.`,
      { details: { id, length: entities.length, limit: LIMITS.entitiesPerClique } },
    )
  }
  for (let i = 0; i < entities.length; i++) {
    for (let j = i + 1; j < entities.length; j++) {
      const known = graph.edge(entities[i]!, entities[j]!)
      graph.setEdge(entities[i]!, entities[j]!, {
        kind: 'co_occurs',
        weight: known ? weightOf(known.attributes) + 1 : 1,
      })
    }
  }
}

/**
 * One edge for two names, with each predicate once, weighted by how often a relation of them is
 * found.
 */
function relate(graph: PlannerGraph, subject: string, object: string, predicate: string): void {
  if (!graph.hasNode(subject) || !graph.hasNode(object)) return
  const known = graph.edge(subject, object)?.attributes
  const held = known?.['predicates'],
    predicates = Array.isArray(held) ? (held as readonly string[]) : []
  graph.setEdge(subject, object, {
    kind: 'relates',
    weight: known ? weightOf(known) + 1 : 1,
    predicates: predicates.includes(predicate) ? predicates : [...predicates, predicate],
  })
}

function weightOf(attributes: Metadata): number {
  return typeof attributes['weight'] === 'number' ? attributes['weight'] : 1
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key)
  if (set) set.add(value)
  else map.set(key, new Set([value]))
}
