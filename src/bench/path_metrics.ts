/** Whether reasoning paths pass the gold passages, end at the answer, and bridge by names. */
import type { TextClasses } from './metrics.ts'
import type { RankedPath } from './system.ts'

/** As many as `retrieve` returns at most. */
export const PATHS = 5

export interface PathMetrics {
  /** 1 where the first path passes through every gold passage. */
  readonly best: number
  /** 1 where one of the paths does. */
  readonly any: number
  /** 1 where the paths together do. */
  readonly union: number
  /**
   * 1 where the first path ends at a gold passage that holds the answer string; null where no gold
   * passage holds it.
   */
  readonly ends: number | null
  /** Share of the first path's bridges that are names; null where it has no bridge. */
  readonly bridges: number | null
}

/** A question's gold passages, and those of them that hold its answer string. */
export interface PathGold {
  readonly gold: readonly string[]
  readonly answering: readonly string[]
}

/** `paths` best first. */
export function pathMetrics(
  paths: readonly RankedPath[],
  { gold, answering }: PathGold,
  classes: TextClasses,
): PathMetrics {
  const holdsAll = (ids: readonly string[]): boolean => {
    const held = new Set(ids.map((id) => classes.get(id)))
    return gold.every((id) => held.has(classes.get(id)))
  }
  const [best] = paths,
    last = best?.ids.at(-1)
  const ends = new Set(answering.map((id) => classes.get(id)))
  return {
    best: best && holdsAll(best.ids) ? 1 : 0,
    any: paths.some(({ ids }) => holdsAll(ids)) ? 1 : 0,
    union: holdsAll(paths.flatMap(({ ids }) => ids)) ? 1 : 0,
    ends: answering.length === 0 ? null : last !== undefined && ends.has(classes.get(last)) ? 1 : 0,
    bridges:
      !best || best.names.length === 0
        ? null
        : best.named.filter(Boolean).length / best.names.length,
  }
}
