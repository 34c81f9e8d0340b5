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
  const collector = new Collector()
  for (const document of documents) {
    throwIfAborted(signal)
    collector.take(document, outcomes.get(document.id)!)
  }
  const { mentions, relations, failures, counts } = collector
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
    entities: entitiesOf(kept, idOf, collector.types),
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
      ...counts,
    },
  }
}

/** Names and relations of all answers, each with its place in its document's text. */
class Collector {
  readonly mentions: Draft<ExtractedMention>[] = []
  readonly relations: Draft<ExtractedRelation>[] = []
  readonly failures: ExtractionFailure[] = []
  /** Name -> type -> times it was given that type. */
  readonly types = new Map<string, Map<string, number>>()
  readonly counts = { notInText: 0, namesNotInText: 0, malformed: 0 }

  take({ id: documentId, text }: AdmittedDocument, { reply, failure }: Outcome): void {
    if (failure) this.failures.push({ documentId, ...failure })
    if (!reply) return
    this.counts.malformed += reply.malformed
    const evidence = new TextEvidence(text)
    const seen = new Set<string>()
    const mention = (name: string): boolean => {
      if (seen.has(name)) return true
      const place = canonicalize(name) === '' ? null : evidence.first(name)
      if (!place) return false
      seen.add(name)
      this.mentions.push({ documentId, name, ...place })
      return true
    }
    const distinct = new Map(reply.triples.map((triple) => [JSON.stringify(triple), triple]))
    for (const [subject, predicate, object] of distinct.values()) {
      const named = canonicalize(subject) !== '' && canonicalize(object) !== ''
      const found = named ? evidence.pair(subject, object) : null
      if (!found) {
        this.counts.notInText++
        continue
      }
      mention(subject)
      mention(object)
      const { start, end } = found
      const quoted = text.slice(found.sentence.start, found.sentence.end)
      const sentence = { ...found.sentence, text: quoted }
      this.relations.push({ subject, predicate, object, documentId, start, end, sentence })
    }
    for (const { name, type } of reply.entities) {
      if (!mention(name)) this.counts.namesNotInText++
      else if (type !== null) this.countType(name, type)
    }
  }

  private countType(name: string, type: string): void {
    const counts = this.types.get(name) ?? new Map<string, number>()
    this.types.set(name, counts.set(type, (counts.get(type) ?? 0) + 1))
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
