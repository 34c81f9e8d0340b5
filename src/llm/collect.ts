/** Turning answers into entities and relations with their places in the text. */
import { throwIfAborted } from '../base/errors.ts'
import { canonicalize } from '../graph/canonicalize.ts'
import { byCodeUnits } from '../compat/planner/graph.ts'
import { longestFirst } from '../compat/planner/linker.ts'
import type { Linker } from '../compat/planner/linker.ts'
import type { AdmittedDocument } from '../types.ts'
import { TextEvidence } from '../graph/text_evidence.ts'
import type {
  ExtractedEntity,
  ExtractedMention,
  ExtractedRelation,
  ExtractionFailure,
  LLMEstimate,
  LLMExtraction,
} from './extraction.ts'
import type { Reply } from './read_reply.ts'

/** What came of one document's question; both are there where the answer broke off. */
export interface Outcome {
  readonly reply: Reply | null
  readonly failure: Omit<ExtractionFailure, 'documentId'> | null
}

export interface CollectOptions {
  readonly documents: readonly AdmittedDocument[]
  /** By document id, one for each document. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly estimate: LLMEstimate
  readonly linker: Linker | null
  readonly asked: number
  readonly signal: AbortSignal | undefined
}

type Draft<T> = Omit<T, 'entityId' | 'subjectId' | 'objectId'>

interface EntityDraft {
  readonly names: Set<string>
  readonly documents: Set<string>
  readonly types: Map<string, number>
}

export async function collectExtraction(options: CollectOptions): Promise<LLMExtraction> {
  const { documents, outcomes, linker, signal } = options
  const mentions: Draft<ExtractedMention>[] = [],
    relations: Draft<ExtractedRelation>[] = [],
    failures: ExtractionFailure[] = []
  const types = new Map<string, Map<string, number>>()
  let notInText = 0,
    namesNotInText = 0,
    malformed = 0
  for (const { id: documentId, text } of documents) {
    throwIfAborted(signal)
    const { reply, failure } = outcomes.get(documentId)!
    if (failure) failures.push({ documentId, ...failure })
    if (!reply) continue
    malformed += reply.malformed
    const evidence = new TextEvidence(text),
      seen = new Set<string>(),
      told = new Set<string>()
    const mention = (name: string): boolean => {
      if (seen.has(name)) return true
      const place = canonicalize(name) === '' ? null : evidence.first(name)
      if (!place) return false
      seen.add(name)
      mentions.push({ documentId, name, ...place })
      return true
    }
    for (const [subject, predicate, object] of reply.triples) {
      const key = JSON.stringify([subject, predicate, object])
      if (told.has(key)) continue
      told.add(key)
      const found =
        canonicalize(subject) === '' || canonicalize(object) === ''
          ? null
          : evidence.pair(subject, object)
      if (!found) {
        notInText++
        continue
      }
      mention(subject)
      mention(object)
      const { start, end, sentence } = found
      relations.push({
        subject,
        predicate,
        object,
        documentId,
        start,
        end,
        sentence: { ...sentence, text: text.slice(sentence.start, sentence.end) },
      })
    }
    for (const { name, type } of reply.entities) {
      if (!mention(name)) {
        namesNotInText++
        continue
      }
      if (type === null) continue
      const said = types.get(name) ?? new Map<string, number>()
      types.set(name, said.set(type, (said.get(type) ?? 0) + 1))
    }
  }

  const names = [...new Set(mentions.map((one) => one.name))].sort(byCodeUnits)
  const links =
    linker && names.length > 0 ? await linker.link(names, signal ? { signal } : {}) : null
  throwIfAborted(signal)
  const idOf = new Map(names.map((name) => [name, canonicalize(links?.get(name) ?? name)]))
  // A form that the linker emptied is no name; neither is what hangs on it.
  const kept = mentions.filter((one) => idOf.get(one.name) !== '')
  const stated = relations.filter(
    (one) => idOf.get(one.subject) !== '' && idOf.get(one.object) !== '',
  )
  return {
    documentIds: documents.map((document) => document.id),
    entities: entitiesOf(kept, idOf, types),
    mentions: kept.map((one) => ({ ...one, entityId: idOf.get(one.name)! })),
    relations: stated.map((one) => ({
      ...one,
      subjectId: idOf.get(one.subject)!,
      objectId: idOf.get(one.object)!,
    })),
    failures,
    estimate: options.estimate,
    counts: {
      documents: documents.length,
      asked: options.asked,
      cached: options.estimate.cached,
      failed: failures.length,
      relations: stated.length,
      notInText,
      namesNotInText,
      malformed,
    },
  }
}

function entitiesOf(
  mentions: readonly Draft<ExtractedMention>[],
  idOf: ReadonlyMap<string, string>,
  types: ReadonlyMap<string, ReadonlyMap<string, number>>,
): ExtractedEntity[] {
  const drafts = new Map<string, EntityDraft>()
  for (const { name, documentId } of mentions) {
    const id = idOf.get(name)!
    let draft = drafts.get(id)
    if (!draft)
      drafts.set(id, (draft = { names: new Set(), documents: new Set(), types: new Map() }))
    draft.documents.add(documentId)
    if (draft.names.has(name)) continue
    draft.names.add(name)
    for (const [type, count] of types.get(name) ?? [])
      draft.types.set(type, (draft.types.get(type) ?? 0) + count)
  }
  return [...drafts]
    .sort(([a], [b]) => byCodeUnits(a, b))
    .map(([id, draft]) => ({
      id,
      label: [...draft.names].sort(longestFirst)[0]!,
      names: [...draft.names].sort(byCodeUnits),
      documentIds: [...draft.documents].sort(byCodeUnits),
      type: [...draft.types].sort((a, b) => b[1] - a[1] || byCodeUnits(a[0], b[0]))[0]?.[0] ?? null,
    }))
}
