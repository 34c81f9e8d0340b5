/** Brings memory in step with storage: at the start, after another's writes, before our own. */
import { sameIdentity } from '../embed/embedder.ts'
import type { EmbedderIdentity } from '../types/embedder_identity.ts'
import type { CorpusStorage, StoredDocument } from '../store/storage.ts'
import { isHubmeshError, throwIfAborted } from '../base/errors.ts'
import { yieldToEvents } from '../base/platform.ts'
import { Slices } from '../base/slices.ts'
import type { Corpus } from '../corpus/corpus.ts'
import type { Readiness } from './readiness.ts'
import type { Curation } from './curation.ts'
import type { Snapshots } from './snapshots.ts'
import type { Settler } from './settler.ts'
import type { Vectorizer } from './vectorizer.ts'
import type { WriteQueue } from './write_queue.ts'

export interface FollowerParts {
  readonly corpus: Corpus
  readonly storage: CorpusStorage
  readonly writeQueue: WriteQueue
  readonly vectorizer: Vectorizer | null
  readonly settler: Settler
  readonly readiness: Readiness
  readonly snapshots: Snapshots
  readonly curation: Curation
  readonly changed: () => void
}

export class Follower {
  private closed = false
  /** Generation of the corpus when its documents began to be read. */
  private loaded = 0
  private unfollow: () => void = () => undefined
  private loading: Promise<void> = Promise.resolve()
  /** What could not be read, for `status`. */
  warning: string | null = null
  private due = false
  private documentsDue = false
  /** What vectors were by when the corpus was opened: those of another are not compared with them. */
  private embedder: EmbedderIdentity | null = null
  /** Vectors were passed over because their document was not here yet. */
  private passedOver = false

  constructor(private readonly parts: FollowerParts) {}

  /** Brings the documents, and their words and names as they were kept, or read anew. */
  async loadDocuments(signal?: AbortSignal): Promise<void> {
    await this.parts.curation.load()
    this.loaded = this.parts.storage.generation
    this.parts.writeQueue.inStepWith = this.loaded
    this.embedder = this.parts.storage.settings.embedder
    const kept = this.parts.snapshots.read()
    for await (const batch of this.parts.storage.documents()) {
      throwIfAborted(signal)
      this.parts.corpus.load(batch)
    }
    if (
      this.parts.corpus.table.documents === 0 ||
      (this.parts.curation.warning === null && this.parts.snapshots.restore(await kept))
    )
      return
    this.parts.corpus.buildText()
    this.parts.snapshots.changed()
  }

  /**
   * Reads the stored vectors behind the first answers, then asks for those that are missing;
   * follows other tabs from now on.
   */
  start(): void {
    if (this.parts.vectorizer) this.parts.vectorizer.catchUp = () => this.refresh()
    this.parts.writeQueue.catchUp = async () => {
      await this.takeDocuments()
      void this.parts.settler.settle()
      void this.refresh(false)
    }
    this.unfollow = this.parts.storage.onForeignCommit((_generation, what) => {
      void this.refresh(what === 'documents')
    })
    this.loading = this.loading
      .then(() => this.loadVectors())
      .catch((error: unknown) => {
        this.failed(error)
      })
    // another tab wrote while the documents were read, before this one listened
    if (this.parts.storage.generation !== this.loaded) void this.refresh()
  }

  /**
   * Reconciles memory with storage; commits of other tabs that arrive during a refresh are refreshed
   * together.
   */
  private refresh(documents = true): Promise<void> {
    this.documentsDue ||= documents
    if (this.due) return this.loading
    this.due = true
    this.loading = this.loading
      .then(() => this.catchUp())
      .catch((error: unknown) => {
        this.failed(error)
      })
    return this.loading
  }

  /** An engine that is closed meanwhile misses nothing; an open one says what it could not read. */
  private failed(error: unknown): void {
    if (this.closed) return
    this.warning =
      'What is stored could not be read again ' +
      `(${isHubmeshError(error) ? error.code : 'unknown'}); this tab answers from ` +
      'what it has. Reload the page.'
    this.parts.changed()
  }

  close(): void {
    this.closed = true
    this.unfollow()
  }

  private async loadVectors(again = false): Promise<void> {
    const { vectors, table } = this.parts.corpus
    try {
      if (this.hasOtherModel()) return

      const unseen = !again || !this.passedOver
      this.passedOver = false
      for await (const batch of this.parts.storage.vectors({ unseen })) {
        if (this.closed || !vectors) break
        for (const row of batch) {
          const entry = table.get(row.documentId),
            slot = entry?.slots[row.passage]
          if (!entry || entry.hash !== row.hash || slot === undefined) {
            this.passedOver = true
            continue
          }
          vectors.set(slot, row.vector)
          this.parts.vectorizer?.remove([slot])
        }
        await yieldToEvents()
      }
    } finally {
      this.parts.readiness.loadingVectors = false
    }
    if (!this.closed) this.parts.vectorizer?.enqueue(this.parts.corpus.missingVectors())
    this.parts.changed()
  }

  /** Another program has changed the model meanwhile; told, and this engine keeps what it has. */
  private hasOtherModel(): boolean {
    const { embedder } = this.parts.storage.settings
    if (embedder === null || this.embedder === null || sameIdentity(embedder, this.embedder))
      return false
    this.warning =
      `Another program embeds this corpus by ${embedder.model} now; this engine answers by the ` +
      'vectors it has, and saves none. Create a new engine with that model.'
    return true
  }

  /** Takes over what another tab added, changed or removed: whatever differs by id or content. */
  private async catchUp(): Promise<void> {
    const documents = this.documentsDue
    this.due = false
    this.documentsDue = false
    if (documents) {
      await this.parts.writeQueue.run(() => this.takeDocuments())
      await this.parts.settler.settle()
    }
    await this.loadVectors(documents)
  }

  /** Inside the write queue: what is stored now, of which only what is new is read. */
  private async takeDocuments(): Promise<void> {
    const { table } = this.parts.corpus,
      seen = new Set<string>(),
      fresh: StoredDocument[] = [],
      { generation } = this.parts.storage
    const isKnown = (id: string, hash: string, isNew: boolean): boolean => {
      seen.add(id)
      return !isNew && table.get(id)?.hash === hash
    }
    for await (const batch of this.parts.storage.documents(isKnown))
      for (const document of batch) {
        const held = table.get(document.id)
        seen.add(document.id)
        if (held?.hash === document.hash) held.metadata = document.metadata
        else fresh.push(document)
      }
    if (this.closed) return
    const gone = table.ids().filter((id) => !seen.has(id)),
      slices = new Slices()
    for (const id of gone) this.parts.vectorizer?.remove(table.get(id)!.slots)
    await slices.run(this.parts.corpus.remove(gone))
    for (const document of fresh) {
      this.parts.vectorizer?.remove(table.get(document.id)?.slots ?? [])
      await slices.run(this.parts.corpus.put(document, false))
    }
    await this.parts.curation.load()
    // what was committed while it was read is taken the next time
    this.parts.writeQueue.inStepWith = generation
    if (fresh.length > 0) this.parts.snapshots.changed()
  }
}
