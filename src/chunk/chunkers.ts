/** The chunkers of hubmesh for Python, by their names. */
import { HubmeshError } from '../base/errors.ts'
import type { Json, Metadata } from '../types.ts'
import { whole } from '../base/options.ts'
import { sentenceSpans } from './sentence_spans.ts'
import { charWindows } from './windows.ts'

/** A piece of a source: `text === source.slice(metadata.char_start, metadata.char_end)`. */
export interface Chunk {
  /** `{source}#chunk{i}`, i from 0. */
  readonly id: string
  readonly text: string
  readonly metadata: ChunkMetadata
}

/** Where a chunk comes from, in hubmesh's own field names; the source's metadata beside it. */
export type ChunkMetadata = Metadata & {
  readonly source_id: string
  readonly chunk_idx: number
  /** UTF-16 offsets into the source. */
  readonly char_start: number
  readonly char_end: number
  /** Sentences [sent_start, sent_end) of the source; only from `chunkBySentences`. */
  readonly sent_start?: number
  readonly sent_end?: number
}

export interface SourceOptions {
  /** Begins every chunk id; default `doc`. */
  readonly sourceId?: string
  /** Copied into every chunk; the chunker's own fields win. */
  readonly metadata?: Metadata
}

export interface SentenceChunkOptions extends SourceOptions {
  /**
   * Tokens (chars / 4) a chunk may hold, at least 1; default 200. A longer sentence is a chunk of
   * its own, never cut.
   */
  readonly targetTokens?: number
  /** Sentences repeated from the chunk before, at least 0; default 1. */
  readonly overlapSentences?: number
}

export interface CharChunkOptions extends SourceOptions {
  /** UTF-16 units of a window, at least 1; default 800. */
  readonly size?: number
  /**
   * UTF-16 units shared with the window before, at least 0 and less than `size`; default 100, or a
   * quarter of a window of at most 100.
   */
  readonly overlap?: number
}

/**
 * What `chunkDocuments` takes: `[id, text]`, or anything with `id`, `text` and perhaps `metadata`.
 */
export type ChunkSource =
  | readonly [id: string, text: string]
  | { readonly id: string; readonly text: string; readonly metadata?: Metadata }

export type ChunkDocumentsOptions =
  | ({ readonly strategy?: 'sentences' } & Omit<SentenceChunkOptions, keyof SourceOptions>)
  | ({ readonly strategy: 'chars' } & Omit<CharChunkOptions, keyof SourceOptions>)

const MOST = 1_000_000_000

/**
 * Packs whole sentences into chunks of about `targetTokens`, each but the first repeating
 * `overlapSentences` (hubmesh 0.4.2, chunking.py). Sentences are those of `sentenceSpans`. A chunk
 * that would lie wholly within the one before is left out; a blank text gives `[]`. Linear in text
 * and chunks. Throws `input/invalid` for options out of range.
 */
export function chunkBySentences(text: string, options: SentenceChunkOptions = {}): Chunk[] {
  const target = whole('targetTokens', options.targetTokens ?? 200, 1, MOST) * 4
  const overlap = whole('overlapSentences', options.overlapSentences ?? 1, 0, MOST)
  const spans = sentenceSpans(requireText(text))
  const out: Chunk[] = []
  let first = 0
  let end = 0
  let reached = 0
  while (reached < spans.length) {
    // The window only moves on: dropping sentences in front never makes it shorter at the back.
    end = Math.max(end, first + 1)
    while (end < spans.length && spans[end]!.end - spans[first]!.start + 1 <= target) end++
    if (end > reached) {
      out.push(
        chunk(text, options, out.length, spans[first]!.start, spans[end - 1]!.end, {
          sent_start: first,
          sent_end: end,
        }),
      )
      reached = end
      first = Math.max(end - overlap, first + 1)
    } else {
      first++
    }
  }
  return out
}

/**
 * Cuts windows of `size` UTF-16 units, each sharing `overlap` with the one before (hubmesh 0.4.2,
 * chunking.py), trimmed of white space with their offsets, never through a surrogate pair. Throws
 * `input/invalid` for options out of range.
 */
export function chunkByChars(text: string, options: CharChunkOptions = {}): Chunk[] {
  const size = whole('size', options.size ?? 800, 1, MOST)
  const overlap = whole('overlap', options.overlap ?? (size > 100 ? 100 : size >> 2), 0, size - 1)
  return charWindows(requireText(text), size, overlap).map((span, i) =>
    chunk(text, options, i, span.start, span.end, {}),
  )
}

/**
 * Chunks many sources, in order. Throws `input/invalid` naming the position of a source of another
 * shape, or an unknown strategy.
 */
export function chunkDocuments(
  documents: Iterable<ChunkSource>,
  options: ChunkDocumentsOptions = {},
): Chunk[] {
  const strategy: unknown = options.strategy ?? 'sentences'
  if (strategy !== 'sentences' && strategy !== 'chars') {
    throw new HubmeshError(
      'input/invalid',
      `chunking strategy ${JSON.stringify(String(strategy)).slice(0, 40)} is unknown; choose "sentences" or "chars".`,
    )
  }
  const out: Chunk[] = []
  let position = 0
  for (const source of documents) {
    const { id, text, metadata } = readSource(source, position++)
    const from: SourceOptions =
      metadata === undefined ? { sourceId: id } : { sourceId: id, metadata }
    const chunks =
      options.strategy === 'chars'
        ? chunkByChars(text, { ...options, ...from })
        : chunkBySentences(text, { ...options, ...from })
    for (const one of chunks) out.push(one)
  }
  return out
}

function readSource(
  source: unknown,
  position: number,
): { id: string; text: string; metadata?: Metadata } {
  if (
    Array.isArray(source) &&
    source.length === 2 &&
    typeof source[0] === 'string' &&
    typeof source[1] === 'string'
  )
    return { id: source[0], text: source[1] }
  if (typeof source === 'object' && source !== null && !Array.isArray(source)) {
    const { id, text, metadata } = source as { id?: unknown; text?: unknown; metadata?: unknown }
    if (typeof id === 'string' && typeof text === 'string') {
      if (metadata === undefined || metadata === null) return { id, text }
      if (typeof metadata === 'object' && !Array.isArray(metadata))
        return { id, text, metadata: metadata as Metadata }
    }
  }
  throw new HubmeshError(
    'input/invalid',
    `source ${position} is neither [id, text] nor an object with a string id and a string text; pass one of those.`,
    {
      details: { position },
    },
  )
}

function requireText(text: unknown): string {
  if (typeof text === 'string') return text
  throw new HubmeshError(
    'input/invalid',
    `text must be a string, not ${text === null ? 'null' : typeof text}.`,
    { details: { field: 'text' } },
  )
}

function chunk(
  text: string,
  options: SourceOptions,
  index: number,
  start: number,
  end: number,
  more: { readonly [key: string]: Json },
): Chunk {
  const source = options.sourceId ?? 'doc'
  return {
    id: `${source}#chunk${index}`,
    text: text.slice(start, end),
    metadata: {
      ...options.metadata,
      source_id: source,
      chunk_idx: index,
      char_start: start,
      char_end: end,
      ...more,
    },
  }
}
