/** Every write of a corpus, by the one writer: a draft of segments, then one switch of the manifest. */
import { HubmeshError, isHubmeshError } from '../../base/errors.ts'
import type { EmbedderIdentity } from '../../types.ts'
import { settleCommit, type SettledCommit } from '../records/commit_batch.ts'
import { documentBytes } from '../records/document_codec.ts'
import type { Encryption } from '../encryption/encryption.ts'
import { modelChanged, type ModelChange } from '../records/model_change.ts'
import { identityKey } from '../records/settings_codec.ts'
import type { Commit, VectorRow } from '../storage.ts'
import type { CorpusState } from './corpus_state.ts'
import { beginWriting } from './begin_writing.ts'
import { Draft, namedRecords, type Current, type DraftOptions } from './draft.ts'
import { type Manifest } from './manifest.ts'
import { rowsToKeep } from './rows_to_keep.ts'
import { Room, type Attempt, type WriteKind } from './room.ts'
import type { VectorChange, VectorPlan } from './vector_directory.ts'
import { checkRow, rowBytes } from './vector_segment.ts'

/** After these, what the writer knows may be untrue. */
const FORGETTING: readonly string[] = [
  'writer/lost',
  'store/evicted',
  'store/indeterminate',
  'store/corrupt',
]

interface CommitOptions {
  readonly rows?: readonly VectorRow[]
  readonly by?: EmbedderIdentity | undefined
  readonly signal?: AbortSignal | undefined
  /** Small segments are merged on the way. */
  readonly merges?: boolean
}

/** On a full disk: nothing is rewritten that need not be. */
const SPARING: CommitOptions = { merges: false }

export class SegmentWriter {
  private begun = false
  private readonly room: Room

  constructor(
    private readonly state: CorpusState,
    private readonly onCommitted: (what: 'documents' | 'vectors') => void,
  ) {
    this.room = new Room(state, () => this.shed())
  }

  /** The next write becomes the writer anew, and reads what is stored by then. */
  forget(): void {
    this.begun = false
  }

  /** Becomes the writer, if it is not: takes the lock, reads what is stored, fences older writers. */
  async lead(): Promise<void> {
    await this.guarded(async () => {
      await this.state.backend.lock()
      if (!this.begun) await this.room.attempt('removal', () => this.begin())
    })
  }

  async commit(commit: Commit): Promise<void> {
    const settled = settleCommit(commit)
    if (settled.put.length + settled.remove.length + settled.keep.length === 0) return
    const { embedder } = this.state.settings,
      rows = commit.rows ?? []
    if (rows.length > 0) this.checkMaker(commit.by)
    if (embedder !== null) for (const row of rows) checkRow(row, embedder.dims)
    await this.write(
      this.takesAway(settled) ? 'removal' : 'data',
      (sparing) =>
        sparing
          ? this.removeSparingly(settled)
          : this.writeCommit(settled, { rows, by: commit.by, signal: commit.signal }),
      Math.max(documentsBytes(settled.put), rows.length * rowBytes(embedder?.dims ?? 0)),
      Math.max(0, ...settled.keep.map(({ bytes }) => bytes.length)),
    )
    this.onCommitted('documents')
  }

  async putVectors(rows: readonly VectorRow[], by?: EmbedderIdentity): Promise<void> {
    if (rows.length === 0) return
    const { embedder } = this.state.settings
    if (embedder === null)
      throw new HubmeshError(
        'bug/invariant',
        'Vectors came before the corpus knew its embedder. Call setEmbedder first.',
      )
    this.checkMaker(by)
    for (const row of rows) checkRow(row, embedder.dims)
    await this.write(
      'data',
      async () => {
        this.checkMaker(by)
        await this.state.learnDocuments()
        const append = rowsToKeep(rows, this.state.documents)
        if (append.length === 0) return
        await this.drafting({ needed: append.length * rowBytes(embedder.dims) }, async (draft) => {
          const plan = await this.planVectors({ append, identity: embedder }, draft)
          await this.publish(draft, { vectors: plan.vectors })
          plan.apply()
        })
      },
      rows.length * rowBytes(embedder.dims),
    )
    this.onCommitted('vectors')
  }

  async setEmbedder(identity: EmbedderIdentity, change: ModelChange): Promise<void> {
    await this.write('removal', async () => {
      const { settings, manifest } = this.state
      if (settings.embedder !== null && identityKey(settings.embedder) === identityKey(identity))
        return
      if (change === 'refuse') this.checkMaker(identity)
      await this.drafting({}, async (draft) => {
        for (const entry of manifest!.vectors) draft.drop(entry)
        await this.publish(draft, { vectors: [], settings: { ...settings, embedder: identity } })
        this.state.vectors.sync([])
      })
    })
    this.onCommitted('vectors')
  }

  async rekey(to: Encryption): Promise<void> {
    await this.write('data', async () => {
      const encryption = await this.state.sealing.rewrapped(this.state.manifest ?? {}, to)
      await this.drafting({}, (draft) => this.publish(draft, { encryption }))
    })
  }

  /** Not written where documents were committed since: it may hold what was removed. */
  async writeDerived(name: string, bytes: Uint8Array, generation: number): Promise<void> {
    await this.write('derived', async () => {
      const { manifest } = this.state
      if (manifest!.generation !== generation) return
      await this.drafting({}, async (draft) => {
        const derived = await namedRecords(draft, 'x', manifest!.derived, [{ name, bytes }])
        await this.publish(draft, { derived })
      })
    })
  }

  /** Runs a write as the one writer; `more` and `kept`: the bytes it adds to segments and to a record. */
  private async write(kind: WriteKind, work: Attempt, more = 0, kept = 0): Promise<void> {
    await this.lead()
    await this.guarded(async () => {
      await this.room.attempt(kind, async (sparing) => {
        if (kind !== 'removal') await this.room.reserve(more, kept)
        await work(sparing)
      })
      // What is done is done: whether there is room for the next removal is the next call's matter.
      if (kind === 'removal') await this.room.reserve().catch(() => undefined)
    })
  }

  /** What is known is forgotten when it may no longer be true. */
  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (isHubmeshError(error) && FORGETTING.includes(error.code)) {
        this.begun = false
        await this.state.backend.unlock()
      }
      throw error
    }
  }

  /** Throws `model/incompatible` where the corpus has vectors of another by now. */
  private checkMaker(by: EmbedderIdentity | undefined): void {
    const { embedder } = this.state.settings
    if (by !== undefined && embedder !== null && identityKey(embedder) !== identityKey(by))
      throw modelChanged(this.state.backend.place, embedder, by)
  }

  /** True for a commit that leaves less than there was. */
  private takesAway({ put, keep }: SettledCommit): boolean {
    const kept = this.state.manifest?.kept ?? []
    return (
      put.length === 0 &&
      keep.every(({ name, bytes }) =>
        kept.some(({ as, entry }) => as === name && bytes.length <= entry.body),
      )
    )
  }

  /** Drops derived data; false where there are none. */
  private async shed(): Promise<boolean> {
    const derived = this.state.current?.manifest.derived ?? []
    if (!this.begun || derived.length === 0) return false
    await this.drafting({}, async (draft) => {
      for (const { entry } of derived) draft.drop(entry)
      await this.publish(draft, { derived: [] })
    })
    return true
  }

  private async begin(): Promise<void> {
    this.room.forget()
    await beginWriting(this.state)
    this.begun = true
  }

  private async writeCommit(
    { put, remove, keep }: SettledCommit,
    { rows = [], by, signal, merges = true }: CommitOptions,
  ): Promise<void> {
    const { state } = this,
      { manifest } = state.current!,
      { embedder } = manifest.settings
    let needed = documentsBytes(put) + rows.length * rowBytes(embedder?.dims ?? 0)
    for (const { bytes } of keep) needed += bytes.length
    if (rows.length > 0) this.checkMaker(by)
    await state.learnDocuments()
    await this.drafting({ signal, needed }, async (draft) => {
      const plan = await state.documents.plan(
        { put, remove, merges },
        manifest.segments,
        draft,
        (entry) => state.readDocuments(entry),
      )
      const append = rowsToKeep(rows, state.documents, { put, remove })
      const vectors =
        plan.losing.size + append.length === 0
          ? null
          : await this.planVectors({ drop: plan.losing, append, identity: embedder }, draft)
      for (const { entry } of manifest.derived) draft.drop(entry)
      await this.publish(draft, {
        generation: manifest.generation + 1,
        documents: manifest.documents + plan.growth,
        segments: plan.segments,
        ...(vectors === null ? {} : { vectors: vectors.vectors }),
        kept: await namedRecords(draft, 'k', manifest.kept, keep),
        derived: [],
      })
      plan.apply()
      vectors?.apply()
    })
    for (const id of [...idsOf(put), ...remove]) state.release(id)
    for (const { name } of keep) state.release(`kept ${name}`)
  }

  /** As many switches as segments are touched, each with the room of one: vectors go before texts. */
  private async removeSparingly({ remove, keep }: SettledCommit): Promise<void> {
    const { state } = this,
      alone = { put: [], remove: [], keep: [] }
    await state.learnDocuments()
    await state.learnVectors()
    for (const some of state.documents.groups(remove)) {
      const drop = new Set(some)
      for (const within of state.vectors.holding(some))
        await this.drafting({}, async (draft) => {
          const plan = await this.planVectors({ drop, within }, draft)
          await this.publish(draft, { vectors: plan.vectors })
          plan.apply()
        })
      await this.writeCommit({ ...alone, remove: some }, SPARING)
    }
    if (keep.length > 0) await this.writeCommit({ ...alone, keep }, SPARING)
  }

  private async planVectors(change: VectorChange, draft: Draft): Promise<VectorPlan> {
    await this.state.learnVectors()
    const { vectors } = this.state.current!.manifest
    return await this.state.vectors.plan(change, vectors, draft, (entry) =>
      this.state.readRows(entry),
    )
  }

  private async drafting(
    options: DraftOptions,
    work: (draft: Draft) => Promise<void>,
  ): Promise<void> {
    const draft = new Draft(
      this.state.backend,
      await this.state.sealer(),
      this.state.current!,
      options,
    )
    try {
      await work(draft)
    } catch (error) {
      // what could not be taken away is swept when the next write begins
      if (!(await draft.discard())) this.begun = false
      throw error
    }
  }

  private async publish(draft: Draft, change: Partial<Manifest>): Promise<void> {
    const next: Current = await draft.publish(change)
    this.state.current = next
  }
}

/** About how many bytes they take. */
function documentsBytes(documents: SettledCommit['put']): number {
  return documents.reduce((sum, document) => sum + documentBytes(document), 0)
}

const idsOf = (put: SettledCommit['put']): readonly string[] => put.map(({ id }) => id)
