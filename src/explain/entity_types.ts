/** Kind of a name by compromise, for display and filters; loaded on first use. */
import type { EntityType } from '../types.ts'

interface Compromise {
  (text: string): { people(): Found; places(): Found; organizations(): Found }
}
interface Found {
  readonly found: boolean
}

let compromise: Promise<Compromise> | null = null

/** Kind of a name as it is written, capitals and all. */
export async function typeOf(label: string): Promise<EntityType> {
  compromise ??= import('compromise/three').then(
    (module) => module.default as unknown as Compromise,
  )
  const view = (await compromise)(label)
  if (view.people().found) return 'person'
  if (view.places().found) return 'place'
  if (view.organizations().found) return 'organisation'
  return 'other'
}
