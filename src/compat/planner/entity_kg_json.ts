/** Reading and writing kg.json of hubmesh 0.4.x. */
import { copyMetadata, describeValue, isPlainObject } from '../../document/metadata.ts'
import { HubmeshError, isHubmeshError } from '../../base/errors.ts'
import type { Metadata } from '../../types.ts'
import { byCodeUnits, edgeWeight, PlannerGraph } from './graph.ts'

/** The parts of an EntityKG; see there. */
export interface EntityKGParts {
  readonly graph: PlannerGraph
  readonly docToEntities: ReadonlyMap<string, ReadonlySet<string>>
  readonly entityToDocs: ReadonlyMap<string, ReadonlySet<string>>
  readonly canonicalToNode: ReadonlyMap<string, string>
  readonly nodeToLabel: ReadonlyMap<string, string>
  readonly aliasToNode?: ReadonlyMap<string, string>
}

/** kg.json. Keys of the maps are foreign text: read them with Object.entries only. */
export interface EntityKGJson {
  readonly nodes: readonly (readonly [string, Metadata])[]
  readonly edges: readonly (readonly [string, string, Metadata])[]
  readonly doc_to_entities: { readonly [key: string]: readonly string[] }
  readonly entity_to_docs: { readonly [key: string]: readonly string[] }
  readonly entity_canonical_to_node: { readonly [key: string]: string }
  readonly entity_node_to_label: { readonly [key: string]: string }
  /** Left out before hubmesh 0.2. */
  readonly alias_to_node?: { readonly [key: string]: string }
}

/** Throws `archive/invalid` with the field and the position, never with text of a document. */
export function decodeEntityKG(value: unknown): Required<EntityKGParts> {
  const fields = plainObject(value, 'kg.json')
  const graph = new PlannerGraph()
  list(fields['nodes'], 'nodes').forEach((item, at) => {
    const node = list(item, `nodes[${at}]`)
    graph.addNode(string(node[0], `nodes[${at}]`), attributes(node[1], `nodes[${at}]`))
  })
  list(fields['edges'], 'edges').forEach((item, at) => {
    const where = `edges[${at}]`,
      edge = list(item, where)
    const source = string(edge[0], where),
      target = string(edge[1], where)
    if (!graph.hasNode(source) || !graph.hasNode(target))
      throw invalid(where, 'joins a node that is not in nodes')
    graph.setEdge(source, target, attributes(edge[2], where))
    guarded(where, () => edgeWeight(graph.edge(source, target)!))
  })
  return {
    graph,
    docToEntities: setMap(fields['doc_to_entities'], 'doc_to_entities'),
    entityToDocs: setMap(fields['entity_to_docs'], 'entity_to_docs'),
    canonicalToNode: stringMap(fields['entity_canonical_to_node'], 'entity_canonical_to_node'),
    nodeToLabel: stringMap(fields['entity_node_to_label'], 'entity_node_to_label'),
    aliasToNode:
      fields['alias_to_node'] === undefined
        ? new Map()
        : stringMap(fields['alias_to_node'], 'alias_to_node'),
  }
}

/** What hubmesh 0.4.2 loads; a graph that was read is written as it was. */
export function encodeEntityKG(kg: Required<EntityKGParts>): EntityKGJson {
  return {
    nodes: [...kg.graph.nodes()],
    edges: kg.graph
      .edges()
      .map(({ source, target, attributes: held }) => [source, target, held] as const),
    doc_to_entities: setsToJson(kg.docToEntities),
    entity_to_docs: setsToJson(kg.entityToDocs),
    entity_canonical_to_node: Object.fromEntries(kg.canonicalToNode),
    entity_node_to_label: Object.fromEntries(kg.nodeToLabel),
    alias_to_node: Object.fromEntries(kg.aliasToNode),
  }
}

function setsToJson(map: ReadonlyMap<string, ReadonlySet<string>>): {
  [key: string]: readonly string[]
} {
  // Object.fromEntries makes own properties of every key, `__proto__` too.
  return Object.fromEntries([...map].map(([key, values]) => [key, [...values].sort(byCodeUnits)]))
}

function setMap(value: unknown, field: string): Map<string, Set<string>> {
  return new Map(
    Object.entries(plainObject(value, field)).map(([key, items]) => [
      key,
      new Set(list(items, field).map((item) => string(item, field))),
    ]),
  )
}

function stringMap(value: unknown, field: string): Map<string, string> {
  return new Map(
    Object.entries(plainObject(value, field)).map(([key, item]) => [key, string(item, field)]),
  )
}

function attributes(value: unknown, where: string): Metadata {
  return guarded(where, () => copyMetadata(plainObject(value, where), where))
}

function guarded<T>(where: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!isHubmeshError(error) || error.code === 'archive/invalid') throw error
    throw new HubmeshError(
      'archive/invalid',
      `${where} of kg.json cannot be used: ${error.message}`,
      { cause: error },
    )
  }
}

function plainObject(value: unknown, where: string): Record<string, unknown> {
  if (!isPlainObject(value)) throw invalid(where, `is ${describeValue(value)}, not an object`)
  return value as Record<string, unknown>
}

function list(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(where, `is ${describeValue(value)}, not a list`)
  return value
}

function string(value: unknown, where: string): string {
  if (typeof value !== 'string')
    throw invalid(where, `holds ${describeValue(value)} in the place of a string`)
  return value
}

function invalid(where: string, what: string): HubmeshError {
  return new HubmeshError(
    'archive/invalid',
    `${where} ${what}; a graph is read from the kg.json that hubmesh 0.4 writes.`,
    { details: { field: where } },
  )
}
