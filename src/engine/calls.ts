/**
 * The engine's calls, once: whether repeating one is harmless, how many arguments stand before its
 * options, and which options it has. Client, worker, wire types, allow-list, option checks and the
 * test double follow from this table.
 */
import {
  among,
  checkOptions,
  functionOption,
  signalOption,
  type KnownOptions,
} from '../base/options.ts'
import type { CallKind } from '../port/protocol.ts'
import type { Engine } from '../types.ts'

export type EngineCall = Exclude<keyof Engine, 'corpus' | 'retrieveStream' | 'onStatus' | 'close'>

type Last<A extends readonly unknown[]> = A extends readonly [...unknown[], infer L] ? L : never
/** The options of a call, its last parameter; null where that is a value or a list. */
type OptionsOf<C extends EngineCall> =
  Last<Required<Parameters<Engine[C]>>> extends infer L
    ? [L] extends [never]
      ? null
      : L extends string | readonly unknown[]
        ? null
        : KnownOptions<L>
    : never

interface CallSpec<C extends EngineCall = EngineCall> {
  readonly kind: CallKind
  readonly args: 0 | 1 | 2
  readonly options: OptionsOf<C>
  /** Foreground call: embedding yields one core while it runs. */
  readonly foreground?: true
}

const SIGNAL = { signal: signalOption } as const
const PAGE = { offset: true, limit: true } as const
const ADD = {
  onConflict: among('error', 'replace'),
  onInvalid: among('error', 'skip'),
  others: among('keep', 'remove'),
  onProgress: functionOption,
  ...SIGNAL,
} as const
const ASK = {
  topK: true,
  perDocument: true,
  queryVector: true,
  excludeDocs: true,
  filter: true,
  ...SIGNAL,
} as const

export const ENGINE_CALLS: { readonly [C in EngineCall]: CallSpec<C> } = {
  add: { kind: 'write', args: 1, options: ADD, foreground: true },
  update: { kind: 'write', args: 1, options: ADD, foreground: true },
  sync: {
    kind: 'write',
    args: 1,
    options: { onProgress: functionOption, ...SIGNAL },
    foreground: true,
  },
  updateMetadata: { kind: 'write', args: 2, options: SIGNAL },
  remove: { kind: 'write', args: 1, options: SIGNAL },
  retrieve: {
    kind: 'read',
    args: 1,
    options: {
      ...{ ...ASK, budgetTokens: true, fill: true, tier: true, settleMs: true },
      ...{ seedEntities: true, questionSeeds: true, history: true },
    },
    foreground: true,
  },
  search: {
    kind: 'read',
    args: 1,
    options: { ...ASK, mode: true, offset: true, sort: true },
    foreground: true,
  },
  facets: {
    kind: 'read',
    args: 1,
    options: { query: true, filter: true, excludeDocs: true, limit: true },
  },
  suggest: { kind: 'read', args: 1, options: { limit: true }, foreground: true },
  resolveEntities: { kind: 'read', args: 1, options: null },
  entityNeighbors: { kind: 'read', args: 1, options: { limit: true, kind: true } },
  passagesOf: { kind: 'read', args: 1, options: { limit: true } },
  subgraph: {
    kind: 'read',
    args: 0,
    options: { around: true, depth: true, limit: true, ...SIGNAL },
  },
  communities: { kind: 'read', args: 0, options: { limit: true, ...SIGNAL } },
  pathBetween: { kind: 'read', args: 2, options: { k: true } },
  getDocument: { kind: 'read', args: 1, options: null },
  listDocuments: { kind: 'read', args: 0, options: PAGE },
  graphStats: { kind: 'read', args: 0, options: null },
  mergeNames: { kind: 'write', args: 1, options: { into: true, ...SIGNAL } },
  splitName: { kind: 'write', args: 1, options: null },
  undoMerge: { kind: 'write', args: 1, options: null },
  mergedNames: { kind: 'read', args: 0, options: null },
  suggestMerges: { kind: 'read', args: 0, options: { limit: true, ...SIGNAL } },
  addRelations: { kind: 'write', args: 1, options: SIGNAL },
  removeRelations: { kind: 'write', args: 1, options: null },
  relations: { kind: 'read', args: 0, options: { name: true, documentId: true, ...PAGE } },
  export: { kind: 'read', args: 0, options: { vectors: true, index: true, ...SIGNAL } },
  import: { kind: 'write', args: 1, options: { ...ADD, crossOrigin: true }, foreground: true },
  status: { kind: 'read', args: 0, options: null },
  ready: { kind: 'read', args: 1, options: SIGNAL },
  pauseEmbedding: { kind: 'read', args: 0, options: null },
  resumeEmbedding: { kind: 'read', args: 0, options: null },
  destroy: { kind: 'write', args: 0, options: null },
}

export const CALL_NAMES = Object.keys(ENGINE_CALLS) as readonly EngineCall[]

/** What every call has in common, whichever it is. */
export function specOf(call: EngineCall): CallSpec {
  return ENGINE_CALLS[call] as CallSpec
}

/** Throws `input/invalid` where a call was given an option that it does not have. */
export function checkCall(call: EngineCall, options: unknown): void {
  const known = specOf(call).options
  if (known !== null)
    checkOptions(`${call}()`, options, known as KnownOptions<Record<string, unknown>>)
}
