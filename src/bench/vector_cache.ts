/**
 * Vectors kept between runs: one append-only file per embedder; each record is keyed by the SHA-256
 * of kind and text and ends with a checksum. A record that does not check is dropped with all
 * behind it.
 */
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { throwIfAborted } from '../base/errors.ts'
import type { Embedder, EmbedKind } from '../embed/embedder.ts'
import type { EmbedderIdentity } from '../types.ts'
import { identityKey } from '../store/records/settings_codec.ts'

/**
 * File: this line with the identity as JSON; records: key (32), vector (4 * dims), first 8 bytes of
 * the record's SHA-256.
 */
const MAGIC = 'hubmesh vectors 1 '
const KEY_BYTES = 32,
  CHECK_BYTES = 8
/** What an interruption costs at most. */
const WRITE_EVERY = 64

export interface CacheProgress {
  readonly done: number
  readonly total: number
}

export class VectorCache {
  private readonly known = new Map<string, Float32Array>()

  private constructor(
    private readonly file: string,
    readonly identity: EmbedderIdentity,
    readonly dropped: number,
  ) {}

  /** Opens or creates the file of this identity under `directory`. */
  static async open(directory: string, identity: EmbedderIdentity): Promise<VectorCache> {
    const head = Buffer.from(`${MAGIC}${identityKey(identity)}\n`)
    const digest = createHash('sha256').update(head).digest('hex').slice(0, 12),
      file = join(directory, `${identity.model.replace(/[^\w.-]/g, '_')}-${digest}.vectors`)
    await mkdir(directory, { recursive: true })
    const bytes = await readFile(file).catch((error: unknown) => {
      if ((error as { code?: unknown }).code === 'ENOENT') return null
      throw error
    })
    const size = KEY_BYTES + 4 * identity.dims + CHECK_BYTES
    if (bytes === null || !bytes.subarray(0, head.length).equals(head)) {
      await writeFile(file, head)
      return new VectorCache(file, identity, bytes?.length ?? 0)
    }
    let at = head.length
    const records: [string, Float32Array][] = []
    while (at + size <= bytes.length) {
      const record = bytes.subarray(at, at + size),
        body = record.subarray(0, size - CHECK_BYTES)
      if (!check(body).equals(record.subarray(size - CHECK_BYTES))) break
      const vector = new Float32Array(identity.dims)
      for (let i = 0; i < identity.dims; i++) vector[i] = body.readFloatLE(KEY_BYTES + 4 * i)
      records.push([body.toString('latin1', 0, KEY_BYTES), vector])
      at += size
    }
    if (at < bytes.length) await truncate(file, at)
    const cache = new VectorCache(file, identity, bytes.length - at)
    for (const [key, vector] of records) cache.known.set(key, vector)
    return cache
  }

  get size(): number {
    return this.known.size
  }

  /** A vector a text, in order; unknown ones are embedded one text a run and appended. */
  async vectors(
    texts: readonly string[],
    kind: EmbedKind,
    embedder: () => Promise<Embedder>,
    options: {
      readonly signal?: AbortSignal
      readonly onProgress?: (progress: CacheProgress) => void
    } = {},
  ): Promise<Float32Array[]> {
    const keys = texts.map((text) => keyOf(kind, text))
    const missing = [
      ...new Map(
        keys.flatMap((key, i) => (this.known.has(key) ? [] : [[key, texts[i]!] as const])),
      ).entries(),
    ]
    for (let at = 0; at < missing.length; at += WRITE_EVERY) {
      throwIfAborted(options.signal)
      const part = missing.slice(at, at + WRITE_EVERY)
      const made = await (
        await embedder()
      ).embed(
        part.map(([, text]) => text),
        { kind, ...(options.signal ? { signal: options.signal } : {}) },
      )
      await appendFile(this.file, Buffer.concat(part.map(([key], i) => encode(key, made[i]!))))
      for (const [i, [key]] of part.entries()) this.known.set(key, made[i]!)
      options.onProgress?.({
        done: Math.min(at + WRITE_EVERY, missing.length),
        total: missing.length,
      })
    }
    return keys.map((key) => this.known.get(key)!)
  }
}

function keyOf(kind: EmbedKind, text: string): string {
  return createHash('sha256')
    .update(`${kind}\0`)
    .update(Buffer.from(text, 'utf16le'))
    .digest()
    .toString('latin1')
}

function encode(key: string, vector: Float32Array): Buffer {
  const body = Buffer.alloc(KEY_BYTES + 4 * vector.length)
  body.write(key, 0, 'latin1')
  for (const [i, value] of vector.entries()) body.writeFloatLE(value, KEY_BYTES + 4 * i)
  return Buffer.concat([body, check(body)])
}

function check(body: Buffer): Buffer {
  return createHash('sha256').update(body).digest().subarray(0, CHECK_BYTES)
}
