/** Kind of a name by compromise, for display and filters; loaded on first use. */
import type { EntityType } from '../types.ts'

export interface Compromise {
  (text: string): { people(): Found; places(): Found; organizations(): Found; json(): unknown }
}
interface Found {
  readonly found: boolean
  text(): string
}

let compromise: Promise<Compromise> | null = null

/** The library; a load that failed is tried again by the next call. */
export function loadCompromise(): Promise<Compromise> {
  compromise ??= import('compromise/three').then(
    (module) => module.default as unknown as Compromise,
    (error: unknown) => {
      compromise = null
      throw error
    },
  )
  return compromise
}

/** Kind of a name as it is written, capitals and all. */
export async function typeOf(label: string): Promise<EntityType> {
  const view = (await loadCompromise())(label)
  if (view.people().found) return 'person'
  if (view.places().found) return 'place'
  if (view.organizations().found) return 'organisation'
  return 'other'
}
