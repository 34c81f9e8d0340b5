/** The EntityKG of an extraction. */
import { assembleEntityKG } from '../compat/planner/assemble_entity_kg.ts'
import type { EntityKG } from '../compat/planner/entity_kg.ts'
import type { LLMExtraction } from './extraction.ts'

/**
 * Documents, the names in them, and one `relates` edge for each pair of related names, with its
 * predicates; what the Planner walks.
 */
export function entityKGOf(extraction: LLMExtraction): EntityKG {
  const mentions = new Map<string, string[]>(extraction.documentIds.map((id) => [id, []])),
    links = new Map<string, string>()
  for (const { documentId, name, entityId } of extraction.mentions) {
    mentions.get(documentId)?.push(name)
    links.set(name, entityId)
  }
  return assembleEntityKG(mentions, { preset: 'relations', links, relations: extraction.relations })
}
