/**
 * Owns telling configs of a planner apart, so that one planner is kept for each. Refuses: looking
 * into functions.
 */
import type { PlannerConfig, PlannerOptions } from '../compat/planner/config.ts'

const numbers = new WeakMap<object, number>()
let given = 0

/** Equal for equal fields; a function is the same only as itself. */
export function configKey(config: PlannerConfig | PlannerOptions): string {
  return JSON.stringify(
    Object.entries(config as Readonly<Record<string, unknown>>)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => {
        if (typeof value !== 'function') return [name, value]
        if (!numbers.has(value)) numbers.set(value, ++given)
        return [name, `function ${numbers.get(value)}`]
      }),
  )
}
