import { drain } from '../../base/slices.ts'
import { describe, expect, it } from 'vitest'
import { LocalEngine } from '../../engine/engine.ts'
import { isHubmeshError } from '../../base/errors.ts'
import type { Corpus } from '../../corpus/corpus.ts'
import { SectionReader, SectionWriter } from '../../base/sections.ts'
import { FrameWriter, readFrames, type Frame } from '../../archive/frame.ts'
import { byteSource } from '../../archive/byte_source.ts'
import { readArchive } from '../../archive/read_archive.ts'
import { archiveBlob } from '../../archive/write_archive.ts'
import { crc32, crc32Text } from '../../base/checksum.ts'
import {
  decodeDocumentHead,
  decodeItem,
  encodeItem,
  itemAt,
  packDocuments,
} from '../segments/document_segment.ts'
import {
  decodeManifest,
  encodeManifest,
  entriesOf,
  newManifest,
  type Manifest,
} from '../segments/manifest.ts'
import { decodeVectorHead, packVectors, rowsOf } from '../segments/vector_segment.ts'
import { documentFault } from '../records/document_codec.ts'
import { openMemoryStorage } from '../memory_storage.ts'
import { SETTINGS, sampleDocument, sampleRow } from './storage_samples.ts'
import type { StoredDocument } from '../storage.ts'

/**
 * Damage, and forgery: a forged input has its checksums worked out again after it was spoilt, as
 * only an attacker who knows the format can do, so that what is behind the checksum has to hold by
 * itself. A hang ends a test by its time limit.
 */
const CASES = process.env['HUBMESH_NIGHTLY'] === '1' ? 10_000 : 1_000
const LIMIT_MS = 600_000

/** Whole numbers below a bound, from a seed (xorshift). */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** Bytes flipped, words set to extremes, runs cut out or repeated. */
function damage(bytes: Uint8Array, next: (below: number) => number): Uint8Array<ArrayBuffer> {
  let out = new Uint8Array(bytes)
  for (let times = 1 + next(3); times > 0; times--) {
    const at = next(Math.max(1, out.length - 4))
    switch (next(5)) {
      case 0:
        if (out.length > 0) out[at] = out[at]! ^ (1 + next(255))
        break
      case 1:
        if (out.length >= at + 4)
          new DataView(out.buffer).setUint32(
            at,
            [0xffffffff, 0x7fffffff, 0x80000000, 0, 1][next(5)]!,
            true,
          )
        break
      case 2:
        out = out.slice(0, at)
        break
      case 3:
        out = Uint8Array.of(...out.subarray(0, at), ...out.subarray(at + 1 + next(16)))
        break
      default:
        out = Uint8Array.of(
          ...out.subarray(0, at),
          ...out.subarray(Math.max(0, at - 1 - next(16)), at),
          ...out.subarray(at),
        )
    }
    if (out.length < 5) break
  }
  return out
}

const codeOf = (error: unknown, where: string): string => {
  if (isHubmeshError(error)) return error.code
  throw new Error(where, { cause: error })
}

describe('snapshots of the index', () => {
  const open = async (): Promise<{ engine: LocalEngine; corpus: Corpus }> => {
    const engine = await LocalEngine.open({ corpus: 'fuzz', storage: 'memory', embedder: null })
    await engine.add(
      Array.from({ length: 12 }, (_, i) => ({
        id: `d${String(i).padStart(2, '0')}`,
        title: i % 3 === 0 ? `Ada Lovelace ${String(i)}` : '',
        text:
          `Charles Babbage wrote to Ada Lovelace in London about engine ${String(i)}, and ` +
          'John Herschel of Slough read it.',
      })),
    )
    await engine.ready('settled')
    const { parts } = engine as unknown as { readonly parts: { readonly corpus: Corpus } }
    return { engine, corpus: parts.corpus }
  }

  /** Columns as they lie, of bytes. */
  const columnsOf = (bytes: Uint8Array): Uint8Array[] => {
    const view = new DataView(bytes.buffer, bytes.byteOffset),
      count = view.getUint32(4, true),
      reader = new SectionReader(bytes)
    return Array.from({ length: count }, () => reader.uint8())
  }
  const forge = (
    columns: readonly Uint8Array[],
    next: (below: number) => number,
  ): Uint8Array<ArrayBuffer> => {
    const out = new SectionWriter(),
      target = next(columns.length)
    columns.forEach((column, i) => {
      if (i !== target) {
        out.put(column)
        return
      }
      if (next(4) === 0 && column.length > 0) {
        const bits = column.slice()
        bits[next(bits.length)]! ^= 1 << next(8)
        out.put(bits)
        return
      }
      const words = new Int32Array(column.length >> 2),
        copy = new Uint8Array(words.buffer)
      if (next(3) > 0 && column.length % 4 === 0 && column.length > 0) {
        copy.set(column)
        for (let times = 1 + next(3); times > 0; times--) {
          const at = next(words.length)
          words[at] = [
            words[at]! + 1,
            words[at]! - 1,
            -1,
            0,
            1,
            words[next(words.length)]!,
            words.length,
            2 ** 31 - 1,
            -(2 ** 31),
            next(64),
          ][next(10)]!
        }
        out.put(words)
      } else out.put(damage(column, next))
    })
    return out.finish()
  }

  it(
    `of ${String(CASES)} damaged and ${String(CASES)} forged ones none crashes, reads out of ` +
      'range or hangs; what comes through can be asked and changed',
    async () => {
      const { engine, corpus } = await open(),
        whole = corpus.text.snapshot(corpus.table.order()),
        columns = columnsOf(whole),
        next = numbers(11)
      let refused = 0,
        asked = 0
      for (let i = 0; i < 2 * CASES; i++) {
        const forged = i % 2 === 1,
          bytes = forged ? forge(columns, next) : damage(whole, next)
        try {
          corpus.takeText(corpus.readText(bytes))
        } catch (error) {
          expect(codeOf(error, `case ${String(i)}`)).toBe('index/corrupt')
          refused++
          continue
        }
        const { text } = corpus
        for (let name = 0; name < text.gazetteer.trie.size; name++) text.nameText(name)
        for (let word = 0; word < text.vocabulary.size; word++)
          text.lexical.visit(text.vocabulary.termOf(word), (slot) => {
            if (slot >= 12) throw new Error(`case ${String(i)}: slot ${String(slot)}`)
          })
        if (asked++ % 16 > 0) continue
        try {
          await engine.retrieve('To whom did Charles Babbage of Slough write about Ada Lovelace?', {
            topK: 3,
            budgetTokens: 300,
          })
          const [entry] = drain(corpus.remove(['d03']))
          drain(
            corpus.put(
              {
                id: 'd03',
                title: entry!.title,
                text: entry!.text,
                metadata: {},
                hash: 'h',
                passages: Int32Array.of(0, entry!.text.length),
              },
              true,
            ),
          )
          corpus.text.settle()
        } catch (error) {
          // An index that lies may contradict itself when it is used; it says so as an index.
          expect(codeOf(error, `case ${String(i)}`)).toMatch(/^index\//)
        }
      }
      expect(refused).toBeGreaterThan(CASES / 2)
      expect(asked).toBeGreaterThan(CASES / 10)
      corpus.rebuildText()
      await engine.close()
    },
    LIMIT_MS,
  )
})

describe('archives', () => {
  const wholeArchive = async (): Promise<Uint8Array<ArrayBuffer>> => {
    const storage = openMemoryStorage(SETTINGS),
      documents = ['a', 'b', '__proto__', 'é'].map((id) =>
        sampleDocument(id, `The text of ${id}, long enough to be cut in two.`, { n: 1 }),
      )
    await storage.commit({ put: documents, remove: [] })
    await storage.putVectors(
      documents.flatMap((document) => [sampleRow(document, 0), sampleRow(document, 1)]),
    )
    return new Uint8Array(await (await archiveBlob(storage)).arrayBuffer())
  }
  const framesOf = async (bytes: Uint8Array): Promise<Frame[]> => {
    const frames: Frame[] = []
    for await (const frame of readFrames(byteSource(bytes))) frames.push(frame)
    return frames
  }

  /** Spoils what lies in a frame, or the order of frames; then every checksum is right again. */
  function forge(
    frames: readonly Frame[],
    next: (below: number) => number,
  ): Uint8Array<ArrayBuffer> {
    const out = new FrameWriter(),
      list = [...frames],
      at = next(list.length),
      frame = list[at]!
    switch (next(8)) {
      case 0:
        list.splice(at, 1)
        break
      case 1:
        list.splice(at, 0, frame)
        break
      case 2:
        list.push(list.splice(at, 1)[0]!)
        break
      default:
        list[at] = {
          tag: frame.tag,
          payload:
            frame.tag === 'DOCS' && next(4) > 0
              ? forgeDocuments(frame.payload, next)
              : damage(frame.payload, next),
        }
    }
    const pieces = [out.header(), ...list.map(({ tag, payload }) => out.frame(tag, payload))]
    return Uint8Array.from(pieces.flatMap((piece) => [...piece]))
  }

  /** One document of a batch spoilt, its length and both checksums of the batch made right. */
  function forgeDocuments(payload: Uint8Array, next: (below: number) => number): Uint8Array {
    const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength),
      count = view.getUint32(0, true)
    let from = 4 + count * 8 + 4
    const bodies = Array.from({ length: count }, (_, i) => {
      const length = view.getUint32(4 + i * 8, true)
      from += length
      return payload.subarray(from - length, from) as Uint8Array
    })
    const target = next(count)
    bodies[target] = damage(bodies[target]!, next)
    const out = new Uint8Array(8 + count * 8 + bodies.reduce((sum, body) => sum + body.length, 0)),
      head = new DataView(out.buffer)
    head.setUint32(0, count, true)
    bodies.forEach((body, i) => {
      head.setUint32(4 + i * 8, body.length, true)
      head.setUint32(8 + i * 8, crc32(body), true)
    })
    head.setUint32(4 + count * 8, crc32(out.subarray(0, 4 + count * 8)), true)
    let at = 8 + count * 8
    for (const body of bodies) {
      out.set(body, at)
      at += body.length
    }
    return out
  }

  it(
    `of ${String(CASES)} damaged ones none comes through, crashes or hangs`,
    async () => {
      const whole = await wholeArchive(),
        next = numbers(12)
      for (let i = 0; i < CASES; i++) {
        const damaged = damage(whole, next)
        if (Buffer.compare(damaged, whole) === 0) continue
        let code = 'none'
        try {
          for await (const part of readArchive(damaged)) void part
        } catch (error) {
          code = codeOf(error, `case ${String(i)}`)
        }
        expect(code, `case ${String(i)}`).toMatch(/^archive\//)
      }
    },
    LIMIT_MS,
  )

  it(
    `of ${String(CASES)} forged ones none crashes or hangs, what is given is sound, and an ` +
      'engine imports it or says why not',
    async () => {
      const frames = await framesOf(await wholeArchive()),
        next = numbers(13)
      let through = 0,
        imported = 0
      for (let i = 0; i < CASES; i++) {
        const forged = forge(frames, next),
          documents: StoredDocument[] = []
        try {
          for await (const part of readArchive(forged)) {
            if (part.kind === 'documents') documents.push(...part.documents)
            if (part.kind !== 'vectors') continue
            for (const { documentId, passage, vector } of part.rows) {
              const owner = documents.find(({ id }) => id === documentId)
              if (
                owner === undefined ||
                passage * 2 >= owner.passages.length ||
                !vector.every(Number.isFinite)
              )
                throw new Error(`case ${String(i)}: a vector of nothing`)
            }
          }
        } catch (error) {
          expect(codeOf(error, `case ${String(i)}`)).toMatch(/^archive\//)
          continue
        }
        expect(
          documents.map(documentFault).filter((fault) => fault !== null),
          `case ${String(i)}`,
        ).toEqual([])
        if (through++ % 16 > 0) continue
        const engine = await LocalEngine.open({ corpus: 'fuzz', storage: 'memory', embedder: null })
        try {
          const { added } = await engine.import(forged)
          imported += added.length
          await engine.retrieve('What is the text of a?', { budgetTokens: 200 })
          for (const id of added)
            expect(
              (await engine.getDocument(id))?.passages.every(({ start, end }) => start < end),
            ).toBe(true)
        } catch (error) {
          expect(codeOf(error, `case ${String(i)}`)).toMatch(/^(archive|input)\//)
        } finally {
          await engine.close()
        }
      }
      expect(through).toBeGreaterThan(CASES / 50)
      expect(imported).toBeGreaterThan(0)
    },
    LIMIT_MS,
  )
})

describe('segments', () => {
  const documents = ['a', 'b', '__proto__', 'é'].map((id) => sampleDocument(id)),
    rows = documents.flatMap((document) => [sampleRow(document, 0), sampleRow(document, 1)])

  it(`of ${String(CASES)} damaged and forged heads of documents, none crashes or hangs`, () => {
    const whole = packDocuments(documents.map(encodeItem)),
      next = numbers(14)
    let through = 0
    for (let i = 0; i < CASES; i++) {
      const forgesHead = i % 2 === 0,
        head = forgesHead ? damage(whole.head, next) : whole.head,
        body = forgesHead ? whole.body : damage(whole.body, next)
      try {
        const read = decodeDocumentHead(head)
        for (let at = 0; at < read.ids.length; at++) {
          const item = itemAt(read, body, at)
          // a forger makes the checksum of what he changed right again
          const document = decodeItem({ ...item, check: crc32(item.bytes) })
          expect(documentFault(document)).toBeNull()
        }
        through++
      } catch (error) {
        expect(codeOf(error, `case ${String(i)}`)).toBe('store/corrupt')
      }
    }
    expect(through).toBeGreaterThan(CASES / 20)
  })

  it(`of ${String(CASES)} damaged and forged segments of vectors, none gives rows of other lengths`, () => {
    const whole = packVectors('an embedder', 4, rows),
      next = numbers(15)
    let through = 0
    for (let i = 0; i < CASES; i++) {
      const forgesHead = i % 2 === 0,
        head = forgesHead ? damage(whole.head, next) : whole.head,
        body = forgesHead ? whole.body : damage(whole.body, next)
      try {
        const read = decodeVectorHead(head)
        for (const { documentId, vector } of rowsOf({ ...read, check: crc32(body) }, body))
          expect([typeof documentId, vector.length]).toEqual(['string', read.dims])
        through++
      } catch (error) {
        expect(codeOf(error, `case ${String(i)}`)).toBe('store/corrupt')
      }
    }
    expect(through).toBeGreaterThan(CASES / 20)
  })

  it(`of ${String(CASES)} forged manifests none is taken for another thing than one`, () => {
    const segment = (kind: string, i: number) => ({
      name: `${kind}-${String(i).padStart(24, '0')}`,
      ...{ head: 10, body: 100 },
      check: '0'.repeat(8),
    })
    const manifest: Manifest = {
      ...newManifest('i', SETTINGS, undefined),
      segments: [segment('d', 1), segment('d', 2)],
      vectors: [segment('v', 3)],
      kept: [{ as: 'names', entry: segment('k', 4) }],
    }
    const json = (JSON.parse(encodeManifest(manifest, null)) as { json: string }).json,
      next = numbers(16)
    let through = 0
    for (let i = 0; i < CASES; i++) {
      const forged = new TextDecoder().decode(damage(new TextEncoder().encode(json), next))
      const read = decodeManifest(JSON.stringify({ check: crc32Text(forged), json: forged }))
      if (read === undefined) continue
      through++
      const names = entriesOf(read.manifest).map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      for (const name of names) expect(name).toMatch(/^[dvkx]-[0-9a-f]{24}$/)
    }
    expect(through).toBeGreaterThan(0)
    for (const segments of [[1, 1], [['d-1', 1, 1, '']], {}, null, [[...Array(4).keys()]]]) {
      const text = JSON.stringify({ ...(JSON.parse(json) as object), segments })
      expect(decodeManifest(JSON.stringify({ check: crc32Text(text), json: text }))).toBeUndefined()
    }
  })
})
