/** The storage of an engine's corpus, and the model that its vectors are by. */
import { isHubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { CUTTING_VERSION, EMBEDDED_TEXT_VERSION } from '../chunk/versions.ts'
import { sameIdentity } from '../embed/embedder.ts'
import { createStorage } from '../store/create_storage.ts'
import { modelChanged } from '../store/records/model_change.ts'
import { FORMAT_VERSION } from '../store/records/settings_codec.ts'
import type { CorpusSettings, CorpusStorage } from '../store/storage.ts'
import type { EmbedderIdentity } from '../types/embedder_identity.ts'
import type { EngineOptions } from './engine_options.ts'

const DEFAULT_CHUNK: CorpusSettings['chunk'] = {
  strategy: 'sentences',
  tokens: LIMITS.passageTokens,
  overlap: 0,
  cutting: CUTTING_VERSION,
  embeddedText: EMBEDDED_TEXT_VERSION,
}

/** Opens the corpus's storage, or begins it with these settings. Rejects with `store/*`. */
export function openStorage(options: EngineOptions): Promise<CorpusStorage> {
  return createStorage({
    corpus: options.corpus,
    storage: options.storage,
    settings: {
      formatVersion: FORMAT_VERSION,
      chunk: { ...DEFAULT_CHUNK, ...options.chunk },
      embedder: options.embedder?.identity ?? null,
    },
    ...(options.encryption === undefined ? {} : { encryption: options.encryption }),
    ...(options.signal ? { signal: options.signal } : {}),
  })
}

/**
 * Vectors of two embedders must not be compared: keeps the engine's as the corpus's, or rejects
 * with `model/incompatible`. Resolves to a warning where vectors of another model were dropped.
 */
export async function adoptModel(
  { corpus, embedder, onModelChange = 'refuse' }: EngineOptions,
  storage: CorpusStorage,
): Promise<string | null> {
  const identity = embedder?.identity,
    stored = storage.settings.embedder
  if (!identity || (stored && sameIdentity(identity, stored))) return null
  if (stored && onModelChange === 'refuse')
    throw modelChanged(`corpus "${corpus}"`, stored, identity)
  await storage.setEmbedder(identity, onModelChange).catch((error: unknown) => {
    // another tab is writing: it says which embedder the corpus has, and this one only follows
    if (stored || !isHubmeshError(error) || error.code !== 'writer/not-leader') throw error
  })
  return stored
    ? `The corpus had vectors by ${nameOf(stored)}; they were dropped, and its passages are ` +
        `embedded again by ${nameOf(identity)}.`
    : null
}

function nameOf({ model, dtype, runtime }: EmbedderIdentity): string {
  return `${model} (${dtype}${runtime === undefined ? '' : `, ${runtime}`})`
}
