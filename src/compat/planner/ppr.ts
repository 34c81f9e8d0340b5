/** Personalized PageRank by power iteration, as hubmesh 0.4.2 defines it. */
import { exp, ln } from '../../base/math.ts'
import { HubmeshError, throwIfAborted } from '../../base/errors.ts'
import { yieldToEvents } from '../../base/platform.ts'
import { byCodeUnits, edgeWeight } from './graph.ts'
import type { PlannerGraph } from './graph.ts'
import { PprMass } from './ppr_mass.ts'

export const ENTITY_PREFIX = 'ent:'
export const DOCUMENT_PREFIX = 'doc:'

export interface PprOptions {
  /** Probability of returning to a seed at each step, in (0, 1]; default .15. */
  readonly alpha?: number
  /** Default 50. */
  readonly maxIterations?: number
  /** The walk ends when the masses change by less than this in all; default 1e-6. */
  readonly tolerance?: number
  /** Nodes that carry no mass: the walk goes on as if they and their edges were not there. */
  readonly without?: ReadonlySet<string>
}

/** Edges visited between two turns of the event loop: some 10 ms. */
const WORK_PER_TURN = 2_000_000

/**
 * Transition matrix of a graph, made once: p' = (1 - alpha) P^T p + alpha r, where r is uniform
 * over the distinct seeds and a node without edges leads to itself (Page et al. 1999; Haveliwala
 * 2002). Nodes are numbered by id, so that sums run in the same order whatever the order of
 * insertion.
 */
export class PprSolver {
  private readonly index = new Map<string, number>()
  private readonly offsets: Int32Array
  private readonly targets: Int32Array
  private readonly weights: Float64Array
  private readonly degrees: Float64Array

  /**
   * `hubDiscount` (gamma, at least 0) divides an edge's weight by ln(e + degree)^gamma of each end
   * that is an entity, so that names in many documents lead less mass across. Throws
   * `input/invalid` for it or for an edge's weight.
   */
  constructor(graph: PlannerGraph, hubDiscount = 0) {
    checkDiscount(hubDiscount)
    graph
      .nodeIds()
      .sort(byCodeUnits)
      .forEach((node, at) => this.index.set(node, at))
    this.offsets = new Int32Array(graph.order + 1)
    const discount = new Float64Array(graph.order).fill(1)
    let used = 0
    for (const [node, at] of this.index) {
      const degree = graph.degree(node),
        ends = degree - (graph.edge(node, node) ? 1 : 0)
      used += ends
      this.offsets[at + 1] = used
      if (hubDiscount > 0 && node.startsWith(ENTITY_PREFIX))
        discount[at] = exp(-hubDiscount * ln(ln(Math.E + degree)))
    }
    this.targets = new Int32Array(used)
    this.weights = new Float64Array(used)
    this.degrees = new Float64Array(graph.order)
    // Each node writes itself into the lists of its neighbours: as nodes come in order, every list
    // is in order.
    const filled = this.offsets.slice(0, graph.order)
    for (const [node, at] of this.index) {
      for (const [neighbor, edge] of graph.edgesOf(node)) {
        const to = this.index.get(neighbor)!,
          place = filled[to]!++
        this.targets[place] = at
        this.weights[place] = edgeWeight(edge) * discount[at]! * discount[to]!
      }
    }
    for (let at = 0; at < graph.order; at++) this.degrees[at] = this.degreeOf(at, null)
  }

  /**
   * The walk from these seeds. Throws `input/invalid` when none of them is a node that may carry
   * mass, and for impossible options.
   */
  solve(seeds: readonly string[], options: PprOptions = {}): PprMass {
    const run = this.iterate([seeds], options)
    for (let step = run.next(); ; step = run.next()) if (step.done) return step.value[0]!
  }

  /**
   * One walk a group of seeds, in step: they end together, when all of them change by less than
   * tolerance * groups. Lets other tasks run in between. Rejects as `solve` throws, and with
   * `aborted`.
   */
  async solveMany(
    groups: readonly (readonly string[])[],
    options: PprOptions & { readonly signal?: AbortSignal } = {},
  ): Promise<PprMass[]> {
    const run = this.iterate(groups, options)
    let work = 0
    for (let step = run.next(); ; step = run.next()) {
      if (step.done) return step.value
      work += step.value
      if (work < WORK_PER_TURN) continue
      work = 0
      await yieldToEvents()
      throwIfAborted(options.signal)
    }
  }

  private *iterate(
    groups: readonly (readonly string[])[],
    options: PprOptions,
  ): Generator<number, PprMass[]> {
    const { alpha, maxIterations, tolerance } = settle(options)
    const count = this.index.size
    const excluded = this.mask(options.without)
    const degrees = excluded ? this.degreesWithout(excluded) : this.degrees
    const restarts = groups.map((seeds) => this.restart(seeds, excluded))
    const walk: Walk = {
      offsets: this.offsets,
      targets: this.targets,
      weights: this.weights,
      degrees,
      excluded,
      alpha,
      flow: new Float64Array(count),
    }
    const masses = restarts.map((restart) => restart.slice()),
      next = restarts.map(() => new Float64Array(count))
    let change = 0,
      iterations = 0
    while (iterations < maxIterations) {
      change = 0
      for (let group = 0; group < groups.length; group++) {
        change += step(walk, restarts[group]!, masses[group]!, next[group]!)
        const before = masses[group]!
        masses[group] = next[group]!
        next[group] = before
      }
      iterations++
      if (change < tolerance * groups.length) break
      yield (this.targets.length + count) * groups.length
    }
    return masses.map((mass) => new PprMass(iterations, change, this.index, mass))
  }

  private degreeOf(node: number, excluded: Uint8Array | null): number {
    let sum = 0
    for (let at = this.offsets[node]!, end = this.offsets[node + 1]!; at < end; at++)
      if (!excluded?.[this.targets[at]!]) sum += this.weights[at]!
    return sum
  }

  private mask(without: ReadonlySet<string> | undefined): Uint8Array | null {
    const excluded = new Uint8Array(this.index.size)
    let any = false
    for (const node of without ?? []) {
      const at = this.index.get(node)
      if (at !== undefined) {
        excluded[at] = 1
        any = true
      }
    }
    return any ? excluded : null
  }

  /**
   * Sums are made anew, not subtracted from: what is left of a float after a subtraction is not the
   * sum of the rest.
   */
  private degreesWithout(excluded: Uint8Array): Float64Array {
    const degrees = this.degrees.slice()
    excluded.forEach((out, node) => {
      if (!out) return
      degrees[node] = 0
      for (let at = this.offsets[node]!, end = this.offsets[node + 1]!; at < end; at++) {
        const other = this.targets[at]!
        if (!excluded[other]) degrees[other] = this.degreeOf(other, excluded)
      }
    })
    return degrees
  }

  private restart(seeds: readonly string[], excluded: Uint8Array | null): Float64Array {
    const nodes = new Set<number>()
    for (const seed of seeds) {
      const at = this.index.get(seed)
      if (at !== undefined && !excluded?.[at]) nodes.add(at)
    }
    if (nodes.size === 0)
      throw new HubmeshError(
        'input/invalid',
        `None of the ${seeds.length} seeds is a node of the graph; a walk needs one to begin at.`,
        { details: { seeds: seeds.length } },
      )
    const restart = new Float64Array(this.index.size)
    for (const at of nodes) restart[at] = 1 / nodes.size
    return restart
  }
}

/** What all walks of a solver share. */
interface Walk {
  readonly offsets: Int32Array
  readonly targets: Int32Array
  readonly weights: Float64Array
  readonly degrees: Float64Array
  readonly excluded: Uint8Array | null
  readonly alpha: number
  readonly flow: Float64Array
}

/**
 * One iteration, from `mass` into `next`; gives the L1 change. Apart from the class, as most of a
 * question's time is spent here.
 */
function step(
  { offsets, targets, weights, degrees, excluded, alpha, flow }: Walk,
  restart: Float64Array,
  mass: Float64Array,
  next: Float64Array,
): number {
  const count = degrees.length,
    onward = 1 - alpha
  for (let node = 0; node < count; node++)
    flow[node] = degrees[node] === 0 ? 0 : mass[node]! / degrees[node]!
  let change = 0
  for (let node = 0, at = 0; node < count; node++) {
    const end = offsets[node + 1]!
    if (excluded !== null && excluded[node] === 1) {
      at = end
      continue
    }
    // A node without edges keeps what it has.
    let sum = degrees[node] === 0 ? mass[node]! : 0
    for (; at < end; at++) sum += weights[at]! * flow[targets[at]!]!
    const value = onward * sum + alpha * restart[node]!
    change += Math.abs(value - mass[node]!)
    next[node] = value
  }
  return change
}

/**
 * Mass of every node of `graph` under a walk that returns to the `seeds` (each counted once,
 * unknown ones passed over), in order of ids. The defaults are hubmesh's: alpha .15, at most 50
 * iterations, L1 tolerance 1e-6, no hub discount. Empty for an empty graph; else throws
 * `input/invalid` when no seed is in it.
 */
export function personalizedPageRank(
  graph: PlannerGraph,
  seeds: readonly string[],
  options: PprOptions & { readonly hubDiscount?: number } = {},
): Map<string, number> {
  if (graph.order === 0) return new Map()
  return new PprSolver(graph, options.hubDiscount).solve(seeds, options).toMap()
}

export function checkDiscount(hubDiscount: number): void {
  if (!Number.isFinite(hubDiscount) || hubDiscount < 0)
    throw new HubmeshError(
      'input/invalid',
      `hubDiscount is ${hubDiscount}; it must be a finite number of at least 0.`,
      { details: { field: 'hubDiscount' } },
    )
}

export function checkAlpha(name: string, alpha: number): void {
  if (!(alpha > 0 && alpha <= 1))
    throw new HubmeshError(
      'input/invalid',
      `${name} is ${alpha}; it must be above 0 and at most 1.`,
      { details: { field: name } },
    )
}

function settle(options: PprOptions): { alpha: number; maxIterations: number; tolerance: number } {
  const { alpha = 0.15, maxIterations = 50, tolerance = 1e-6 } = options
  checkAlpha('alpha', alpha)
  if (!Number.isInteger(maxIterations) || maxIterations < 1)
    throw new HubmeshError(
      'input/invalid',
      `maxIterations is ${maxIterations}; it must be a whole number of at least 1.`,
    )
  if (!(tolerance >= 0))
    throw new HubmeshError(
      'input/invalid',
      `tolerance is ${tolerance}; it must be a number of at least 0.`,
    )
  return { alpha, maxIterations, tolerance }
}
