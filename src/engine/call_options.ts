/**
 * Owns which options each call of an engine takes, those of questions aside, which are the asker's.
 * Refuses: values, which whoever uses them checks.
 */
import { checkOptions, type KnownOptions } from '../base/options.ts'
import type {
  AddOptions,
  ExportOptions,
  ImportOptions,
  MergeNamesOptions,
  RelationsOptions,
  SuggestMergesOptions,
} from '../types.ts'

const SIGNAL: KnownOptions<{ readonly signal?: AbortSignal }> = { signal: true }
const ADD: KnownOptions<AddOptions> = {
  onConflict: true,
  onInvalid: true,
  others: true,
  onProgress: true,
  signal: true,
}
const IMPORT: KnownOptions<ImportOptions> = { ...ADD, crossOrigin: true }
const EXPORT: KnownOptions<ExportOptions> = { vectors: true, index: true, signal: true }
const MERGE: KnownOptions<MergeNamesOptions> = { into: true, signal: true }
const SUGGEST: KnownOptions<SuggestMergesOptions> = { limit: true, signal: true }
const RELATIONS: KnownOptions<RelationsOptions> = {
  name: true,
  documentId: true,
  offset: true,
  limit: true,
}
const PAGE: KnownOptions<{ readonly offset?: number; readonly limit?: number }> = {
  offset: true,
  limit: true,
}
const LIMIT: KnownOptions<{ readonly limit?: number }> = { limit: true }
const ROUTES: KnownOptions<{ readonly k?: number }> = { k: true }

const TABLES = {
  add: ADD,
  update: ADD,
  remove: SIGNAL,
  import: IMPORT,
  export: EXPORT,
  mergeNames: MERGE,
  suggestMerges: SUGGEST,
  addRelations: SIGNAL,
  relations: RELATIONS,
  listDocuments: PAGE,
  entityNeighbors: LIMIT,
  pathBetween: ROUTES,
  ready: SIGNAL,
} as const

export type OptionedCall = keyof typeof TABLES

/** Throws `input/invalid` where a call was given an option that it does not have. */
export function checkCall(call: OptionedCall, options: unknown): void {
  checkOptions(`${call}()`, options, TABLES[call] as KnownOptions<Record<string, unknown>>)
}
