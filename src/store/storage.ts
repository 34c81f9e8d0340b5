/** The storage contract. Nothing derived is needed to answer. */
import type { EmbedderIdentity, Metadata, StorageKind } from '../types.ts'
import type { Encryption } from './encryption/encryption.ts'
import type { ModelChange } from './records/model_change.ts'

/** A document as stored; `passages` holds start, end pairs of offsets into `text`. */
export interface StoredDocument {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly metadata: Metadata
  readonly hash: string
  readonly passages: Int32Array
}

/**
 * One passage's vector; `hash` is the document's, so a vector can never be read for another text of
 * the same id.
 */
export interface VectorRow {
  readonly documentId: string
  readonly hash: string
  readonly passage: number
  readonly vector: Float32Array
}

/** What must not change under a corpus without a rebuild. */
export interface CorpusSettings {
  readonly formatVersion: number
  readonly chunk: {
    readonly strategy: 'sentences' | 'chars' | 'none'
    readonly tokens: number
    readonly overlap: number
    /** Versions of the rules of cutting, and of the text that words and vectors are of; default 1. */
    readonly cutting?: number
    readonly embeddedText?: number
  }
  readonly embedder: EmbedderIdentity | null
}

/**
 * Something small beside the documents that cannot be made again from them: what a user stated of
 * names. Replaced whole; without bytes it is taken out.
 */
export interface KeptRecord {
  /** 1 to 32 small letters. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** The names of kept records: merges of names, and relations that were given. */
export const KEPT_NAMES = ['names', 'relations'] as const

export interface Commit {
  readonly put: readonly StoredDocument[]
  /** Ids; their vectors go with them. A put document's older version is removed by the put. */
  readonly remove: readonly string[]
  readonly keep?: readonly KeptRecord[]
  /** Vectors of the documents put. */
  readonly rows?: readonly VectorRow[]
  /** What made `rows`, as in `putVectors`. */
  readonly by?: EmbedderIdentity | undefined
  /** Ends the commit while it is written; nothing of it is kept. */
  readonly signal?: AbortSignal | undefined
}

export interface StorageUsage {
  readonly persisted: boolean | null
  readonly usageBytes: number | null
  readonly quotaBytes: number | null
}

export interface QuarantinedRecord {
  readonly id: string
  readonly reason: string
}

export interface VectorsOptions {
  /**
   * Leave out what an earlier reading gave already, where the storage knows; a row may come again.
   */
  readonly unseen?: boolean
}

/**
 * A corpus at rest. A write is one switch however large it is: after a crash the state before or
 * after it is found, never a mix. The first write becomes the one writer and stays it until
 * `close`. Rejects with `store/*` or `writer/*`.
 */
export interface CorpusStorage {
  readonly kind: StorageKind
  /** Counts committed writes of documents and kept records; 0 for an empty corpus. */
  readonly generation: number
  readonly settings: CorpusSettings
  /**
   * Documents in order of id (UTF-16 code units), in batches of bounded bytes, but those for which
   * `skip` is true; `isNew`: it may have been written since they were last read. Records that do not
   * validate are left out and listed in `quarantined`.
   */
  documents(
    skip?: (id: string, hash: string, isNew: boolean) => boolean,
  ): AsyncIterable<readonly StoredDocument[]>
  /**
   * Every valid vector row of the present embedder identity, in batches and no particular order;
   * one that is moved meanwhile may come twice. The vectors are views: copy what is kept.
   */
  vectors(options?: VectorsOptions): AsyncIterable<readonly VectorRow[]>
  readonly quarantined: readonly QuarantinedRecord[]
  /** What the user of this storage should know about it: no locks, documents gone. */
  readonly warnings: readonly string[]
  /**
   * Durable when resolved, to the platform's strict durability; gives the new generation. Vectors
   * of a replaced document stay where text and passages are the same.
   */
  commit(commit: Commit): Promise<number>
  /**
   * Durable when resolved. Rows of documents that are gone or changed are dropped. Rejects with
   * `model/incompatible` where the corpus has vectors of another than `by`; left out, they are of
   * its own.
   */
  putVectors(rows: readonly VectorRow[], by?: EmbedderIdentity): Promise<void>
  /**
   * Says what vectors are made by. Those of another are dropped, or with `refuse` it rejects with
   * `model/incompatible`.
   */
  setEmbedder(identity: EmbedderIdentity, change?: ModelChange): Promise<void>
  /**
   * A kept record by name; null where there is none, and where it is damaged, which `quarantined`
   * then says.
   */
  kept(name: string): Promise<Uint8Array | null>
  /** A derived snapshot by name, or null when missing, damaged or of another generation. */
  readDerived(name: string): Promise<Uint8Array | null>
  writeDerived(name: string, bytes: Uint8Array): Promise<void>
  usage(): Promise<StorageUsage>
  /**
   * Called after another tab or process committed documents or vectors; `generation` is up to date
   * by then.
   */
  onForeignCommit(listener: (generation: number, what: 'documents' | 'vectors') => void): () => void
  /**
   * Becomes the writer and reads what is stored; gives the generation. What is done next must rest
   * on that generation. Rejects with `writer/not-leader`.
   */
  acquire(): Promise<number>
  /**
   * Resolves once this is the writer, however long another tab is; `onWait` is called when one is.
   * Rejects with `store/*`. Left out: a write alone tells.
   */
  lead?(onWait: () => void): Promise<void>
  /**
   * Another key opens the corpus from now on, and the present one does not; the records stay as
   * they are. Left out where nothing is stored.
   */
  rekey?(to: Encryption): Promise<void>
  /** Removes everything of the corpus and closes. */
  destroy(): Promise<void>
  close(): Promise<void>
}

export interface CorpusListing {
  readonly name: string
  /** Null where the record that says so is damaged or of a newer version. */
  readonly documents: number | null
  /**
   * In a folder those of its files; in a browser those of documents and vectors as their values
   * count, which its disk may hold in fewer. Null as above, or of an older version.
   */
  readonly bytes: number | null
}
