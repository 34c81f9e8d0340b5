/**
 * The corpus folder of hubmesh for Python 0.4: meta.json, docs.jsonl, vectors.npz, kg.json, flat
 * (format 1) or in a generation folder that CURRENT names (format 2). A folder is a function from
 * a path to bytes, so that a page reads dropped ones too.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { admit } from '../document/admit.ts'
import { HubmeshError, isHubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { Metadata, Rejection } from '../types.ts'
import { toUnitVector } from '../vector/unit_vector.ts'
import { numberWarnings, readPythonNumbers } from './python_json.ts'
import { checkedJson, textOf } from './checked_json.ts'
import { decodeRows, decodeStrings, encodeRows, encodeStrings } from './numpy.ts'
import { readZip, writeZip } from '../document/zip.ts'

/**
 * A file of the folder by its relative path, null where there is none; never more than `mostBytes`.
 */
export type FolderReader = (path: string, mostBytes: number) => Promise<Uint8Array | null>

export interface PythonDocument {
  readonly id: string
  /** `metadata.title` where that is a string; the Python package has no titles of its own. */
  readonly title: string
  readonly text: string
  readonly metadata: Metadata
  readonly vector: Float32Array
}

export interface PythonCorpus {
  /** 1 or 2. */
  readonly formatVersion: number
  /** The folder of the generation that was read; null in a flat one. */
  readonly generation: string | null
  /** Name of the model that made the vectors; null where the corpus does not say. */
  readonly embedding: string | null
  readonly dims: number
  /** In the order of the file. */
  readonly documents: readonly PythonDocument[]
  /** Documents that cannot be taken, and why: those without text. */
  readonly rejected: readonly Rejection[]
  /** What was read as something else, in numbers. */
  readonly warnings: readonly string[]
  /** kg.json as parsed, all of it. */
  readonly graph: unknown
}

export const PYTHON_FORMAT = 2
const GENERATION = /^gen-[0-9a-f]{8}$/

/**
 * Where the live files lie: `gen-…/`, `` for a flat folder, null where there is no corpus. Throws
 * `archive/invalid`.
 */
export async function pythonGeneration(read: FolderReader): Promise<string | null> {
  const pointer = await read('CURRENT', 4096)
  if (pointer !== null) {
    const name = new TextDecoder().decode(pointer).trim()
    return GENERATION.test(name) ? `${name}/` : null
  }
  return (await read('meta.json', LIMITS.importMetaBytes)) === null ? null : ''
}

/**
 * Reads and checks all of it. Rejects with `corpus/not-found`, `archive/version|invalid|too-large`,
 * `aborted`.
 */
export async function readPythonCorpus(
  read: FolderReader,
  options: { readonly signal?: AbortSignal } = {},
): Promise<PythonCorpus> {
  const { signal } = options,
    folder = await pythonGeneration(read)
  if (folder === null)
    throw new HubmeshError(
      'corpus/not-found',
      'There is no corpus of hubmesh for Python here: neither a CURRENT that names a ' +
        'generation nor a meta.json. Choose the folder of one corpus.',
    )
  const file = async (name: string, mostBytes: number): Promise<Uint8Array> => {
    throwIfAborted(signal)
    const bytes = await read(folder + name, mostBytes)
    if (bytes === null)
      throw invalid(`${name} is missing from the corpus folder. Copy the folder again, whole.`)
    return bytes
  }
  const meta = metaOf(await file('meta.json', LIMITS.importMetaBytes))
  const table = await readVectorFile(await file('vectors.npz', LIMITS.importFileBytes), signal)
  if (meta.dims !== null && table.dims !== 0 && meta.dims !== table.dims)
    throw invalid(
      `meta.json says vectors of ${meta.dims}, vectors.npz has ${table.dims}. The files are of ` +
        'different corpora.',
    )
  const lines = await file('docs.jsonl', LIMITS.importFileBytes)
  return {
    formatVersion: meta.formatVersion,
    generation: folder === '' ? null : folder.slice(0, -1),
    embedding: meta.embedding,
    dims: table.dims,
    ...takeDocuments(lines, table.vectorOf, signal),
    graph: checkedJson(await file('kg.json', LIMITS.importFileBytes), 'kg.json'),
  }
}

function metaOf(bytes: Uint8Array): {
  readonly formatVersion: number
  readonly embedding: string | null
  readonly dims: number | null
} {
  const meta = fieldsOf(checkedJson(bytes, 'meta.json'), 'meta.json')
  const version = meta['format_version'] ?? 1
  const { identity, dim } = fieldsOf(meta['embedding'] ?? {}, 'embedding of meta.json')
  if (typeof version !== 'number' || !Number.isInteger(version))
    throw invalid('The format_version of meta.json is no whole number.')
  if (version > PYTHON_FORMAT)
    throw new HubmeshError(
      'archive/version',
      `The corpus has format ${version}; formats up to ${PYTHON_FORMAT} are read. Update hubmesh.`,
      { details: { version } },
    )
  return {
    formatVersion: Math.max(1, version),
    embedding: typeof identity === 'string' ? identity : null,
    dims: typeof dim === 'number' ? dim : null,
  }
}

function takeDocuments(
  lines: Uint8Array,
  vectorOf: ReadonlyMap<string, Float32Array>,
  signal: AbortSignal | undefined,
): Pick<PythonCorpus, 'documents' | 'rejected' | 'warnings'> {
  const documents: PythonDocument[] = [],
    rejected: Rejection[] = []
  let notFinite = 0,
    tooLong = 0
  let line = 0
  for (const bytes of linesOf(lines)) {
    line++
    if (line % 256 === 0) throwIfAborted(signal)
    if (line > LIMITS.documentsPerAdd)
      throw new HubmeshError(
        'archive/too-large',
        `docs.jsonl has more than ${LIMITS.documentsPerAdd} documents.`,
      )
    const what = `Line ${line} of docs.jsonl`
    const numbers = readPythonNumbers(textOf(bytes, what))
    notFinite += numbers.notFinite
    tooLong += numbers.tooLong
    const record = checkedJson(new TextEncoder().encode(numbers.json), what)
    const document = takeDocument(fieldsOf(record, what), line, rejected)
    if (document === null) continue
    const vector = vectorOf.get(document.id)
    if (vector === undefined)
      throw invalid(`${what} has no vector in vectors.npz. The files are of different corpora.`)
    documents.push({ ...document, vector })
  }
  return { documents, rejected, warnings: numberWarnings(notFinite, tooLong) }
}

function takeDocument(
  record: Readonly<Record<string, unknown>>,
  line: number,
  rejected: Rejection[],
): Omit<PythonDocument, 'vector'> | null {
  const { id, text, metadata } = record,
    label =
      typeof metadata === 'object' && metadata !== null && Object.hasOwn(metadata, 'title')
        ? (metadata as Record<string, unknown>)['title']
        : ''
  const title = typeof label === 'string' && label.length <= LIMITS.titleChars ? label : ''
  try {
    const admitted = admit({ id, title, text, metadata }, line - 1)
    return { id: admitted.id, title, text: admitted.text, metadata: admitted.metadata }
  } catch (error) {
    if (!isHubmeshError(error)) throw error
    rejected.push({
      name: typeof id === 'string' ? id.slice(0, 80) : `line ${line}`,
      code: error.code,
      reason: error.message,
    })
    return null
  }
}

async function readVectorFile(
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<{ readonly vectorOf: ReadonlyMap<string, Float32Array>; readonly dims: number }> {
  const members = await readZip(bytes, ['doc_ids.npy', 'vectors.npy'], {
    mostBytes: LIMITS.importFileBytes,
    ...(signal ? { signal } : {}),
  })
  const ids = members.get('doc_ids.npy'),
    table = members.get('vectors.npy')
  if (ids === undefined || table === undefined)
    throw invalid('vectors.npz has no doc_ids or no vectors.')
  const names = decodeStrings(ids),
    { rows, dims } = decodeRows(table)
  if (names.length !== rows.length)
    throw invalid(`vectors.npz has ${names.length} ids and ${rows.length} vectors.`)
  const vectorOf = new Map<string, Float32Array>()
  rows.forEach((row, i) => {
    try {
      toUnitVector(row, dims)
    } catch (cause) {
      throw invalid(
        `Row ${i} of vectors.npz is no vector: it has no direction or a component that is not ` +
          'finite.',
        cause,
      )
    }
    vectorOf.set(names[i]!, row)
  })
  return { vectorOf, dims }
}

export interface PythonCorpusParts {
  readonly documents: readonly Pick<PythonDocument, 'id' | 'text' | 'metadata' | 'vector'>[]
  readonly dims: number
  /** Name of the model; hubmesh for Python compares it with its own. */
  readonly embedding: string | null
  /** kg.json, see EntityKG.toJSON. */
  readonly graph: { readonly nodes: readonly unknown[]; readonly edges: readonly unknown[] }
}

/** The files of a folder of format 2 by path, CURRENT last; the same parts give the same bytes. */
export function pythonCorpusFiles({
  documents,
  dims,
  embedding,
  graph,
}: PythonCorpusParts): Map<string, Uint8Array> {
  const encoder = new TextEncoder()
  const meta = {
    format_version: PYTHON_FORMAT,
    n_docs: documents.length,
    kg_nodes: graph.nodes.length,
    kg_edges: graph.edges.length,
    embedding: { identity: embedding, dim: dims },
  }
  const files = new Map<string, Uint8Array>([
    ['meta.json', encoder.encode(JSON.stringify(meta, null, 2))],
    [
      'docs.jsonl',
      encoder.encode(
        documents
          .map(({ id, text, metadata }) => `${JSON.stringify({ id, text, metadata })}\n`)
          .join(''),
      ),
    ],
    [
      'vectors.npz',
      writeZip(
        new Map([
          ['doc_ids.npy', encodeStrings(documents.map(({ id }) => id))],
          [
            'vectors.npy',
            encodeRows(
              documents.map(({ vector }) => vector),
              dims,
            ),
          ],
        ]),
      ),
    ],
    ['kg.json', encoder.encode(JSON.stringify(graph))],
  ])
  const digest = sha256.create()
  for (const bytes of files.values()) digest.update(bytes)
  const generation = `gen-${bytesToHex(digest.digest()).slice(0, 8)}`
  return new Map([
    ...[...files].map(([name, bytes]) => [`${generation}/${name}`, bytes] as const),
    ['CURRENT', encoder.encode(generation)],
  ])
}

function fieldsOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`${what} is no JSON object.`)
  return value as Readonly<Record<string, unknown>>
}

function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length;) {
    const newline = bytes.indexOf(10, from),
      to = newline < 0 ? bytes.length : newline
    if (bytes.subarray(from, to).some((byte) => byte > 32)) yield bytes.subarray(from, to)
    from = to + 1
  }
}

function invalid(message: string, cause?: unknown): HubmeshError {
  return new HubmeshError('archive/invalid', message, { cause })
}
