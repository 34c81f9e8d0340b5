/** Reads corpus settings and embedder identities from foreign or stored values. No defaults. */
import { LIMITS } from '../../base/limits.ts'
import { isNode } from '../../base/platform.ts'
import type { EmbedderIdentity } from '../../types.ts'
import type { CorpusSettings } from '../storage.ts'

/** Version of the stored format that this code writes and reads. */
export const FORMAT_VERSION = 2

const STRATEGIES: readonly unknown[] = [
  'sentences',
  'chars',
  'none',
] satisfies readonly CorpusSettings['chunk']['strategy'][]

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function whole(value: unknown, low: number, high: number): value is number {
  return Number.isInteger(value) && (value as number) >= low && (value as number) <= high
}

/** Known fields only; undefined where one is missing or out of range. */
export function decodeIdentity(value: unknown): EmbedderIdentity | undefined {
  const parts = ['model', 'revision', 'dtype', 'pooling'].map((name) => field(value, name))
  const dims = field(value, 'dims')
  if (!whole(dims, 1, LIMITS.vectorDims)) return undefined
  const [model, revision, dtype, pooling] = parts
  if (
    typeof model !== 'string' ||
    typeof revision !== 'string' ||
    typeof dtype !== 'string' ||
    typeof pooling !== 'string'
  )
    return undefined
  if (model.length + revision.length + dtype.length + pooling.length > LIMITS.titleChars)
    return undefined
  const runtime = field(value, 'runtime')
  if (runtime !== undefined && runtime !== 'wasm' && runtime !== 'native') return undefined
  return { model, revision, dtype, dims, pooling, ...(runtime === undefined ? {} : { runtime }) }
}

/** Known fields only; undefined where one is missing or out of range. */
export function decodeSettings(value: unknown): CorpusSettings | undefined {
  const formatVersion = field(value, 'formatVersion')
  const chunk = field(value, 'chunk')
  const strategy = field(chunk, 'strategy')
  const tokens = field(chunk, 'tokens')
  const overlap = field(chunk, 'overlap')
  const versions = decodeVersions(chunk)
  const embedder = field(value, 'embedder')
  if (!whole(formatVersion, 1, 1_000_000) || !STRATEGIES.includes(strategy)) return undefined
  if (!whole(tokens, 0, LIMITS.documentChars) || !whole(overlap, 0, LIMITS.documentChars))
    return undefined
  if (versions === undefined) return undefined
  const identity = embedder === null ? null : decodeIdentity(embedder)
  if (identity === undefined) return undefined
  return {
    formatVersion,
    chunk: {
      strategy: strategy as CorpusSettings['chunk']['strategy'],
      ...{ tokens, overlap, ...versions },
    },
    embedder: identity,
  }
}

/** Those that are there: others were not recorded then. Undefined where one is out of range. */
function decodeVersions(
  chunk: unknown,
): Pick<CorpusSettings['chunk'], 'cutting' | 'embeddedText'> | undefined {
  const out: { cutting?: number; embeddedText?: number } = {}
  for (const name of ['cutting', 'embeddedText'] as const) {
    const version = field(chunk, name)
    if (version === undefined) continue
    if (!whole(version, 1, 1_000_000)) return undefined
    out[name] = version
  }
  return out
}

/** One text an identity, equal for equal identities only; the same as before 0.2 for its vectors. */
export function identityKey(identity: EmbedderIdentity): string {
  const { model, revision, dtype, dims, pooling, runtime } = identity
  const before = isNode() ? 'native' : 'wasm'
  return JSON.stringify([
    model,
    revision,
    dtype,
    dims,
    pooling,
    ...(runtime === undefined || runtime === before ? [] : [runtime]),
  ])
}
