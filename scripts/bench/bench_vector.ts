/**
 * The figures of the vector stage: scan time, exactness of the scan, build and recall of HNSW. Run:
 * npx tsx scripts/bench/bench_vector.ts [--vectors DIR] [--hnsw] — DIR holds float32 .npy files
 * NAME.corpus.npy and NAME.queries.npy; seeded vectors without it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createExactIndex } from '../../src/vector/exact_index.ts'
import type { VectorIndex } from '../../src/vector/vector_index.ts'
import { createVectorIndex } from '../../src/vector/create_vector_index.ts'
import { clusteredVectors } from '../../src/vector/seeded_vectors.ts'

const DIMS = 384
const SIZES = [7_580, 10_000, 36_000, 72_000]

/** Reads a two-dimensional little-endian float32 .npy file of format 1 or 2. */
function readNpy(path: string): Float32Array[] {
  const bytes = readFileSync(path)
  const long = bytes[6]! >= 2
  const start = (long ? 12 : 10) + (long ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8))
  const header = bytes.toString('latin1', 10, start)
  const shape = /'shape': \((\d+), (\d+)\)/.exec(header)
  if (!header.includes("'<f4'") || !shape)
    throw new Error(`${path} is not a two-dimensional float32 array`)
  const [rows, dims] = [Number(shape[1]), Number(shape[2])]
  const all = new Float32Array(new Uint8Array(bytes.subarray(start)).buffer)
  return Array.from({ length: rows }, (_, i) => all.subarray(i * dims, (i + 1) * dims))
}

function load(directory: string | null): {
  rows: Float32Array[]
  queries: Float32Array[]
  of: string
} {
  const largest = SIZES[SIZES.length - 1]!
  if (directory === null || !existsSync(directory))
    return {
      rows: clusteredVectors(largest, DIMS, 1),
      queries: clusteredVectors(200, DIMS, 2),
      of: 'seeded vectors',
    }
  const names = readdirSync(directory)
    .filter((name) => name.endsWith('.corpus.npy'))
    .sort(
      (a, b) =>
        Number(b.startsWith('hotpotqa.')) - Number(a.startsWith('hotpotqa.')) || (a < b ? -1 : 1),
    )
  const real = names.flatMap((name) => readNpy(join(directory, name)))
  const rows = Array.from({ length: largest }, (_, i) => {
    const row = real[i % real.length]!
    // Past the real rows: two neighbours of the list mixed, which stays among the real ones.
    return i < real.length ? row : row.map((x, j) => x + 0.3 * real[(i * 7 + 1) % real.length]![j]!)
  })
  return {
    rows,
    queries: readNpy(join(directory, 'hotpotqa.queries.npy')).slice(0, 200),
    of: `${real.length} real vectors, the rest mixtures`,
  }
}

/**
 * Mean processor time, least, median and 95th percentile of the milliseconds of one call, over all
 * queries; the least is what an idle machine would show.
 */
function time(queries: readonly Float32Array[], call: (query: Float32Array) => unknown): string {
  for (const query of queries) call(query)
  const cpu = process.cpuUsage()
  const taken = queries
    .map((query) => {
      const from = performance.now()
      call(query)
      return performance.now() - from
    })
    .sort((a, b) => a - b)
  const { user, system } = process.cpuUsage(cpu)
  return (
    `cpu ${((user + system) / 1000 / queries.length).toFixed(2)}, least ` +
    `${taken[0]!.toFixed(2)}, p50 ${taken[taken.length >> 1]!.toFixed(2)} ms, p95 ` +
    `${taken[Math.floor(taken.length * 0.95)]!.toFixed(2)} ms`
  )
}

function recall(index: VectorIndex, oracle: VectorIndex, queries: readonly Float32Array[]): string {
  let found = 0
  let all = 0
  for (const query of queries) {
    const right = new Set(oracle.search(query, 10).map((hit) => hit.row))
    for (const hit of index.search(query, 10)) if (right.has(hit.row)) found++
    all += right.size
  }
  return (found / all).toFixed(4)
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const at = process.argv.indexOf('--vectors')
const { rows, queries, of } = load(at < 0 ? null : (process.argv[at + 1] ?? null))
print(`${DIMS} dims, ${queries.length} queries, ${of}`)
for (const size of SIZES) {
  const from = performance.now()
  const exact = await createExactIndex({ dims: DIMS })
  for (let row = 0; row < size; row++) exact.set(row, rows[row]!)
  const built = performance.now() - from
  print(
    `exact ${size} (${exact.kernelReason}): built ${built.toFixed(0)} ms, ${(exact.bytes / 2 ** 20).toFixed(0)} MiB`,
  )
  print(
    `  search(10) ${time(queries, (query) => exact.search(query, 10))}; search(100) ` +
      `${time(queries, (query) => exact.search(query, 100))}; scores ` +
      `${time(queries, (query) => exact.scores(query, size))}`,
  )
  let worst = 0
  for (const query of queries.slice(0, 20)) {
    const scores = exact.scores(query, size)
    const right = new Map(exact.search(query, size).map((hit) => [hit.row, hit.score]))
    for (let row = 0; row < size; row++)
      worst = Math.max(worst, Math.abs(scores[row]! - right.get(row)!))
  }
  print(`  largest error of scores(): ${worst.toFixed(5)}`)
  if (size === SIZES[0]) {
    const plain = await createExactIndex({ dims: DIMS, simd: 'off' })
    for (let row = 0; row < size; row++) plain.set(row, rows[row]!)
    print(`  without SIMD: scores ${time(queries, (query) => plain.scores(query, size))}`)
  }
  if (process.argv.includes('--hnsw') && size <= 10_000) {
    const begin = performance.now()
    const hnsw = await createVectorIndex({ dims: DIMS, index: 'hnsw', expectedRows: size })
    for (let row = 0; row < size; row++) hnsw.set(row, rows[row]!)
    hnsw.search(queries[0]!, 1)
    print(
      `hnsw ${size}: built ${(performance.now() - begin).toFixed(0)} ms; search(10) ` +
        `${time(queries, (query) => hnsw.search(query, 10))}; recall@10 ` +
        `${recall(hnsw, exact, queries)}`,
    )
    hnsw.close()
  }
  exact.close()
}
