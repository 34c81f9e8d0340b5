/**
 * The stored form of an HNSW index and its validation.
 *
 * Little-endian: magic, version, dims, m, labels, live rows, file bytes, CRC-32 (of the seven
 * before it and all after it), then the row of each label, then the index file as hnswlib wrote it.
 * hnswlib trusts its files (it follows whatever neighbour number it finds), so every number is
 * checked here; what fails is `index/corrupt`, and the remedy is to rebuild the index from the
 * vectors.
 */
import { HubmeshError } from '../base/errors.ts'
import { crc32 } from '../base/checksum.ts'

const MAGIC = 0x4e484d48 // 'HMHN'
const VERSION = 1
const HEADER_BYTES = 32
const CRC_AT = 28
/** In the row table: the label's row was removed. */
export const DEAD = 0xffffffff

export interface HnswSnapshot {
  /** Row of each label, DEAD where removed. */
  readonly rowOf: Uint32Array
  /** As hnswlib reads and writes it; empty when there is no label. */
  readonly file: Uint8Array
}

export interface HnswShape {
  readonly dims: number
  readonly m: number
}

export function encodeHnswSnapshot(snapshot: HnswSnapshot, shape: HnswShape): Uint8Array {
  const { rowOf, file } = snapshot
  const bytes = new Uint8Array(HEADER_BYTES + rowOf.length * 4 + file.length)
  const view = new DataView(bytes.buffer)
  let live = 0
  rowOf.forEach((row, label) => {
    if (row !== DEAD) live++
    view.setUint32(HEADER_BYTES + label * 4, row, true)
  })
  ;[MAGIC, VERSION, shape.dims, shape.m, rowOf.length, live, file.length].forEach((value, i) => {
    view.setUint32(i * 4, value, true)
  })
  bytes.set(file, HEADER_BYTES + rowOf.length * 4)
  view.setUint32(CRC_AT, checksum(bytes), true)
  return bytes
}

/** Throws `index/corrupt` unless it is an undamaged snapshot of this shape. */
export function decodeHnswSnapshot(
  bytes: Uint8Array,
  shape: HnswShape,
  maxRows: number,
): HnswSnapshot {
  if (bytes.length < HEADER_BYTES) corrupt(`it has ${bytes.length} bytes, fewer than its header`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = (i: number): number => view.getUint32(i * 4, true)
  if (header(0) !== MAGIC) corrupt('it does not begin as one')
  if (header(1) !== VERSION) corrupt(`its version is ${header(1)}, this hubmesh reads ${VERSION}`)
  if (header(2) !== shape.dims || header(3) !== shape.m)
    corrupt(`it is of ${header(2)} dims and m ${header(3)}, not ${shape.dims} and ${shape.m}`)
  const labels = header(4)
  // As doubles, before anything is allocated.
  if (HEADER_BYTES + labels * 4 + header(6) !== bytes.length)
    corrupt(`its header speaks of ${labels} labels and ${header(6)} bytes, which is not its length`)
  if (checksum(bytes) !== view.getUint32(CRC_AT, true)) corrupt('its checksum does not fit')
  const rowOf = new Uint32Array(labels)
  const seen = new Set<number>()
  for (let label = 0; label < labels; label++) {
    const row = view.getUint32(HEADER_BYTES + label * 4, true)
    if (row !== DEAD) {
      if (row >= maxRows || seen.has(row))
        corrupt(`label ${label} names row ${row}, which is past the limit or taken`)
      seen.add(row)
    }
    rowOf[label] = row
  }
  if (seen.size !== header(5)) corrupt(`it holds ${seen.size} rows and claims ${header(5)}`)
  const file = bytes.subarray(HEADER_BYTES + labels * 4)
  checkHnswFile(file, rowOf, shape)
  return { rowOf, file }
}

/**
 * Offsets in one element of hnswlib 0.7's file (hnswalg.h, saveIndex), with the 4-byte size_t of
 * wasm32.
 */
export function hnswFileLayout({ dims, m }: HnswShape): {
  header: number
  linksAbove: number
  data: number
  label: number
  element: number
} {
  const data = 2 * m * 4 + 4
  return {
    header: 56,
    linksAbove: m * 4 + 4,
    data,
    label: data + dims * 4,
    element: data + dims * 4 + 4,
  }
}

/**
 * Throws `index/corrupt` unless every size, level, neighbour, label, deletion mark and vector of
 * the file is what hnswlib could have written.
 */
export function checkHnswFile(file: Uint8Array, rowOf: Uint32Array, shape: HnswShape): void {
  if (rowOf.length > 0) new HnswFileCheck(file, rowOf, shape).run()
  else if (file.length > 0) corrupt('it has a graph but no labels')
}

class HnswFileCheck {
  private readonly at: ReturnType<typeof hnswFileLayout>
  private readonly view: DataView
  private readonly count: number
  /** Of each element: its level, and where its links above level 0 begin. */
  private readonly levels: Uint8Array
  private readonly linksAt: Float64Array

  constructor(
    private readonly file: Uint8Array,
    private readonly rowOf: Uint32Array,
    private readonly shape: HnswShape,
  ) {
    this.at = hnswFileLayout(shape)
    this.view = new DataView(file.buffer, file.byteOffset, file.byteLength)
    this.count = rowOf.length
    this.levels = new Uint8Array(this.count)
    this.linksAt = new Float64Array(this.count)
  }

  run(): void {
    this.checkHeader()
    this.readLevels()
    const labels = new Uint8Array(this.count)
    for (let id = 0; id < this.count; id++) this.checkElement(id, labels)
  }

  private word(offset: number): number {
    return this.view.getUint32(offset, true)
  }

  private checkHeader(): void {
    const { at, count, shape } = this
    if (this.file.length < at.header + count * (at.element + 4)) corrupt('its graph is cut off')
    const expected = [
      [0, 0],
      [8, count],
      [12, at.element],
      [16, at.label],
      [20, at.data],
      [32, shape.m],
      [36, 2 * shape.m],
      [40, shape.m],
    ] as const
    for (const [offset, value] of expected)
      if (this.word(offset) !== value)
        corrupt(`its graph has ${this.word(offset)} at byte ${offset}, not ${value}`)
    const scale = this.view.getFloat64(44, true)
    if (!(this.word(4) >= count) || Math.abs(scale - 1 / Math.log(shape.m)) > 1e-9)
      corrupt('its graph has impossible parameters')
  }

  private readLevels(): void {
    const { at, count, file, levels } = this
    let offset = at.header + count * at.element
    for (let id = 0; id < count; id++) {
      if (offset + 4 > file.length) corrupt('its upper levels are cut off')
      const size = this.word(offset),
        level = size / at.linksAbove
      // Levels are drawn from an exponential distribution: past 64 the file is damaged.
      if (!Number.isInteger(level) || level > 64 || offset + 4 + size > file.length)
        corrupt(`element ${id} has ${size} bytes of links`)
      levels[id] = level
      this.linksAt[id] = offset + 4
      offset += 4 + size
    }
    if (offset !== file.length) corrupt('bytes are left over behind its graph')
    const top = this.word(24),
      entry = this.word(28)
    if (entry >= count || levels[entry] !== top || levels.some((level) => level > top))
      corrupt('its entry point is not on its top level')
  }

  private checkElement(id: number, labels: Uint8Array): void {
    const { at, view, shape } = this,
      element = at.header + id * at.element,
      label = this.word(element + at.label)
    if (label >= this.count || labels[label] === 1) corrupt(`element ${id} has label ${label}`)
    labels[label] = 1
    if ((view.getUint8(element + 2) & 1) !== (this.rowOf[label] === DEAD ? 1 : 0))
      corrupt(`label ${label} is deleted in one place only`)
    this.checkLinks(element, id, 0, 2 * shape.m)
    for (let level = 1; level <= this.levels[id]!; level++)
      this.checkLinks(this.linksAt[id]! + (level - 1) * at.linksAbove, id, level, shape.m)
    let squared = 0
    for (let i = 0; i < shape.dims; i++)
      squared += view.getFloat32(element + at.data + i * 4, true) ** 2
    if (!(Math.abs(squared - 1) < 1e-4))
      corrupt(`the vector of label ${label} is not of unit length`)
  }

  private checkLinks(links: number, id: number, level: number, most: number): void {
    const many = this.view.getUint16(links, true)
    if (many > most) corrupt(`element ${id} has ${many} neighbours on level ${level}`)
    for (let i = 1; i <= many; i++) {
      const neighbour = this.word(links + i * 4)
      if (neighbour >= this.count || neighbour === id || this.levels[neighbour]! < level)
        corrupt(`element ${id} has neighbour ${neighbour} on level ${level}`)
    }
  }
}

export function readHnswElement(
  file: Uint8Array,
  id: number,
  shape: HnswShape,
): { label: number; vector: Float32Array } {
  const at = hnswFileLayout(shape)
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const element = at.header + id * at.element
  const vector = Float32Array.from({ length: shape.dims }, (_, i) =>
    view.getFloat32(element + at.data + i * 4, true),
  )
  return { label: view.getUint32(element + at.label, true), vector }
}

function checksum(bytes: Uint8Array): number {
  return crc32(bytes.subarray(HEADER_BYTES), crc32(bytes.subarray(0, CRC_AT)))
}

function corrupt(what: string): never {
  throw new HubmeshError(
    'index/corrupt',
    `The stored HNSW index cannot be used: ${what}; build it again from the vectors.`,
  )
}
