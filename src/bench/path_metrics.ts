/** Whether reasoning paths pass through the gold passages. */
import type { TextClasses } from './metrics.ts'

/** As many as `retrieve` returns at most. */
export const PATHS = 5

export interface PathMetrics {
  /** 1 where the first path passes through every gold passage. */
  readonly best: number
  /** 1 where one of the paths does. */
  readonly any: number
  /** 1 where the paths together do. */
  readonly union: number
}

/** `paths` best first, each the ids of its passages. */
export function pathMetrics(
  paths: readonly (readonly string[])[],
  gold: readonly string[],
  classes: TextClasses,
): PathMetrics {
  const holdsAll = (ids: readonly string[]): boolean => {
    const held = new Set(ids.map((id) => classes.get(id)))
    return gold.every((id) => held.has(classes.get(id)))
  }
  return {
    best: paths[0] !== undefined && holdsAll(paths[0]) ? 1 : 0,
    any: paths.some(holdsAll) ? 1 : 0,
    union: holdsAll(paths.flat()) ? 1 : 0,
  }
}
