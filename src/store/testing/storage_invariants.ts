/**
 * Invariants of every storage after every fault: I1 to I4. For tests and diagnosis; repairs
 * nothing.
 */
import { documentFault } from '../records/document_codec.ts'
import type { CorpusStorage, StoredDocument } from '../storage.ts'

export interface InvariantOptions {
  /** Ids whose commit was acknowledged and that were not removed (I1). */
  readonly acknowledged?: Iterable<string>
  /** Every state that a document may be in: whole, or absent where that is allowed (I2). */
  readonly candidates?: (id: string) => readonly StoredDocument[] | undefined
  /** The content hash of title and text, to compare with the stored one (I3). */
  readonly hashOf?: (document: StoredDocument) => string | Promise<string>
}

/** What is wrong, one sentence each; empty when all holds. */
export async function checkStorageInvariants(
  storage: CorpusStorage,
  options: InvariantOptions = {},
): Promise<string[]> {
  const faults: string[] = []
  const documents = new Map<string, StoredDocument>()
  let before: string | null = null
  for await (const page of storage.documents()) {
    for (const document of page) {
      const { id } = document
      if (before !== null && !(before < id))
        faults.push(`I2: ${JSON.stringify(id)} comes after ${JSON.stringify(before)}`)
      before = id
      documents.set(id, document)
      const fault = documentFault(document)
      if (fault !== null) faults.push(`I2: ${JSON.stringify(id)}: ${fault}`)
      const candidates = options.candidates?.(id)
      if (candidates !== undefined && !candidates.some((one) => sameDocument(one, document)))
        faults.push(`I2: ${JSON.stringify(id)} is none of the versions that were written`)
      if (options.hashOf !== undefined && (await options.hashOf(document)) !== document.hash)
        faults.push(`I3: ${JSON.stringify(id)} does not match its content hash`)
    }
  }
  for (const id of options.acknowledged ?? [])
    if (!documents.has(id)) faults.push(`I1: ${JSON.stringify(id)} was acknowledged and is gone`)
  const seen = new Set<string>()
  for await (const rows of storage.vectors()) {
    for (const { documentId, hash, passage, vector } of rows) {
      const name = `passage ${passage} of ${JSON.stringify(documentId)}`
      const document = documents.get(documentId)
      const key = `${passage} ${documentId}`
      if (seen.has(key)) faults.push(`I4: ${name} has two vectors`)
      seen.add(key)
      if (document === undefined || document.hash !== hash)
        faults.push(`I4: the vector of ${name} belongs to no stored text`)
      else if (passage * 2 >= document.passages.length)
        faults.push(`I4: ${name} does not exist and has a vector`)
      if (vector.length !== storage.settings.embedder?.dims)
        faults.push(`I4: the vector of ${name} has ${vector.length} components`)
      if (!vector.every((component) => Number.isFinite(component)))
        faults.push(`I4: the vector of ${name} is not finite`)
    }
  }
  return faults
}

export function sameDocument(a: StoredDocument, b: StoredDocument): boolean {
  return (
    a.id === b.id &&
    a.title === b.title &&
    a.text === b.text &&
    a.hash === b.hash &&
    JSON.stringify(a.metadata) === JSON.stringify(b.metadata) &&
    a.passages.join() === b.passages.join()
  )
}
