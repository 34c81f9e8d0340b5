import { expect, test } from 'vitest'
import { isHubmeshError } from '../errors.ts'
import { TextIndex, type PassageText } from '../graph/text_index.ts'
import { archiveBlob } from './archive/write_archive.ts'
import { readArchive } from './archive/read_archive.ts'
import { openMemoryStorage } from './memory_storage.ts'
import { SETTINGS, sampleDocument, sampleRow } from './storage_contract.ts'

const CASES = 10_000
/** One damaged input may take this long, ms; the median is far below one. */
const MOST_MS = 1000

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
      case 0: out[at] = out[at]! ^ (1 + next(255)); break
      case 1: new DataView(out.buffer).setUint32(at, [0xffffffff, 0x7fffffff, 0x80000000, 0, 1][next(5)]!, true); break
      case 2: out = out.slice(0, at); break
      case 3: out = Uint8Array.of(...out.subarray(0, at), ...out.subarray(at + 1 + next(16))); break
      default: out = Uint8Array.of(...out.subarray(0, at), ...out.subarray(Math.max(0, at - 1 - next(16)), at), ...out.subarray(at))
    }
    if (out.length < 5) break
  }
  return out
}

test(`of ${String(CASES)} damaged snapshots none crashes, reads out of range or hangs`, () => {
  const passages: PassageText[] = Array.from({ length: 12 }, (_, i) => ({ title: i % 3 === 0 ? `Ada Lovelace ${String(i)}` : '', text: `Charles Babbage wrote to Ada Lovelace in London about engine ${String(i)}, and John Herschel of Slough read it.`, opening: true }))
  const index = new TextIndex((slot) => passages[slot]!)
  passages.forEach((passage, slot) => { index.add(slot, passage) })
  index.settle()
  const whole = index.snapshot(Int32Array.from(passages, (_, i) => i)), next = numbers(11)
  let refused = 0, slowest = 0
  for (let i = 0; i < CASES; i++) {
    const damaged = damage(new Uint8Array(whole), next), started = performance.now()
    const back = new TextIndex((slot) => passages[slot]!)
    try {
      back.restore(damaged, passages.length)
      // What a checksum would have caught and its structure does not give away must still be safe to use.
      for (let name = 0; name < back.gazetteer.trie.size; name++) back.nameText(name)
      for (let word = 0; word < back.vocabulary.size; word++) back.lexical.visit(back.vocabulary.termOf(word), (slot) => { expect(slot < passages.length).toBe(true) })
    } catch (error) {
      if (!isHubmeshError(error) || error.code !== 'index/corrupt') throw new Error(`case ${String(i)}`, { cause: error })
      refused++
    }
    slowest = Math.max(slowest, performance.now() - started)
  }
  expect(refused).toBeGreaterThan(CASES / 2)
  expect(slowest).toBeLessThan(MOST_MS)
}, 300_000)

test(`of ${String(CASES)} damaged archives none comes through, crashes or hangs`, async () => {
  const storage = openMemoryStorage(SETTINGS), documents = ['a', 'b', '__proto__'].map((id) => sampleDocument(id, `The text of ${id}, long enough.`))
  await storage.commit({ put: documents, remove: [] })
  await storage.putVectors(documents.map((document) => sampleRow(document, 0)))
  const whole = new Uint8Array(await (await archiveBlob(storage)).arrayBuffer()), next = numbers(12)
  let slowest = 0
  for (let i = 0; i < CASES; i++) {
    const damaged = damage(whole, next), started = performance.now()
    if (Buffer.compare(damaged, whole) === 0) continue
    let code = 'none'
    try {
      for await (const part of readArchive(damaged)) void part
    } catch (error) {
      code = isHubmeshError(error) ? error.code : `case ${String(i)}: ${String(error)}`
    }
    expect(code).toMatch(/^archive\//)
    slowest = Math.max(slowest, performance.now() - started)
  }
  expect(slowest).toBeLessThan(MOST_MS)
}, 300_000)
