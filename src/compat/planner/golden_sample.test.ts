import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { InMemoryStore } from '../stores/in_memory_store.ts'
import { assembleEntityKG } from './assemble_entity_kg.ts'
import type { PlannerOptions } from './config.ts'
import { EntityKG } from './entity_kg.ts'
import type { EntityKGJson } from './entity_kg_json.ts'
import { Planner } from './planner.ts'
import { configOf, expectPaths, expectSources } from './testing/golden_runs.ts'
import type { GoldenResult } from './testing/golden_runs.ts'

interface Sample {
  readonly documents: readonly {
    readonly id: string
    readonly text: string
    readonly vector: readonly number[]
    readonly names: readonly string[]
  }[]
  readonly question: string
  readonly vector: readonly number[]
  readonly mentions: readonly string[]
  readonly communities: Readonly<Record<string, number>>
  readonly kg: EntityKGJson
  readonly runs: readonly (GoldenResult & {
    readonly name: string
    readonly mode: 'kg' | 'knn'
    readonly config: PlannerOptions
  })[]
}

const sample = JSON.parse(
  readFileSync(new URL('testing/golden_sample.json', import.meta.url), 'utf8'),
) as Sample

describe('eight documents, as hubmesh 0.4.2 ranks them', () => {
  const store = new InMemoryStore(sample.documents)
  const kg = EntityKG.fromJSON(sample.kg)

  it.each(sample.runs.map((run) => [run.name, run] as const))('%s', async (_, run) => {
    const planner = new Planner(
      store,
      null,
      configOf(run.config, run.mode === 'knn' ? sample.communities : undefined),
      run.mode === 'kg' ? kg : null,
      () => sample.mentions,
    )
    const result = await planner.retrieve(sample.question, { queryVector: sample.vector, topK: 8 })
    expectSources(result, run, 1e-4)
    if (run.mode === 'kg') expectPaths(result, run)
    else expect(result.reasoning.length).toBeGreaterThan(0)
  })

  it('makes the very graph out of the same names', () => {
    const made = assembleEntityKG(
      new Map(sample.documents.map((document) => [document.id, document.names])),
    )
    const sorted = (json: EntityKGJson): unknown => ({
      ...json,
      nodes: [...json.nodes].sort(byText),
      edges: json.edges.map(([a, b, attributes]) => [...[a, b].sort(), attributes]).sort(byText),
      // hubmesh lists names that were absorbed, without a node; here they are aliases only.
      entity_canonical_to_node: undefined,
      entity_node_to_label: undefined,
    })
    expect(sorted(made.toJSON())).toEqual(sorted(sample.kg))
    for (const [canonical, node] of made.canonicalToNode)
      expect(sample.kg.entity_canonical_to_node[canonical]).toBe(node)
    for (const [node, label] of made.nodeToLabel)
      expect(sample.kg.entity_node_to_label[node]).toBe(label)
  })
})

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}
