/** Calls of an embedding worker and their allow-list. */
import type { MethodTable } from '../port/protocol.ts'
import type { EmbedKind } from './embedder.ts'
import type { FileNotice } from './file_cache.ts'
import type { ModelManifest } from './manifests.ts'

export interface EmbedWorkerOptions {
  readonly manifest: ModelManifest
  /** Absolute address of the folder with the manifest's files. */
  readonly modelUrl: string
  /** Absolute address of the folder with ONNX Runtime's wasm and glue. */
  readonly runtimeUrl: string
  /** More than one only where the page is cross-origin isolated. */
  readonly threads: number
  /** False keeps nothing in Cache Storage. */
  readonly cache: boolean
}

export interface EmbedWorkerReport {
  /** Threads really used. */
  readonly threads: number
  readonly notices: readonly FileNotice[]
}

export interface EmbedService {
  /** Once per worker. */
  load(options: EmbedWorkerOptions): EmbedWorkerReport
  embed(text: string, kind: EmbedKind): Float32Array
}

export const EMBED_METHODS: MethodTable<EmbedService> = Object.freeze({
  load: 'read',
  embed: 'read',
})
