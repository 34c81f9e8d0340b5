/** Where a foreign value becomes relations. */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { RelationInput } from '../types.ts'

export function readRelations(given: unknown): readonly RelationInput[] {
  const list: unknown =
    typeof given === 'object' && given !== null && !Array.isArray(given)
      ? (given as { readonly relations?: unknown }).relations
      : given
  if (!Array.isArray(list))
    throw new HubmeshError(
      'input/invalid',
      'addRelations() takes a list of { documentId, subject, predicate, object, start?, end? ' +
        '}, or what buildEntityKGLLM() gives.',
      { details: { field: 'relations' } },
    )
  list.forEach((one: unknown, at) => {
    const fields = (typeof one === 'object' && one !== null ? one : {}) as Readonly<
      Record<string, unknown>
    >
    for (const field of ['documentId', 'subject', 'predicate', 'object'])
      if (typeof fields[field] !== 'string' || fields[field] === '')
        throw wrong(at, field, 'a string that is not empty')
    if ((fields['predicate'] as string).length > LIMITS.predicateChars)
      throw wrong(at, 'predicate', `at most ${LIMITS.predicateChars} characters`)
    for (const field of ['start', 'end'])
      if (fields[field] !== undefined && !Number.isSafeInteger(fields[field]))
        throw wrong(at, field, 'a whole number, an offset into the text')
  })
  return list as readonly RelationInput[]
}

function wrong(at: number, field: string, wanted: string): HubmeshError {
  return new HubmeshError(
    'input/invalid',
    `relations[${at}].${field} cannot be taken: it must be ${wanted}. Nothing of this call was added.`,
    { details: { field: `relations[${at}].${field}` } },
  )
}
