/**
 * Owns many growing lists of int32 in one buffer: postings, mentions, holders. Refuses: order; a removed value's place is
 * taken by the list's last one, so whoever reads a list must not depend on its order.
 *
 * Every list lies contiguous, as a row of a CSR matrix does, with a power of two of room; a list that outgrows its room
 * moves to a new place and leaves the old one for lists of that size. At most half of the buffer is room.
 */
import { corrupt, type SectionReader, type SectionWriter } from './sections.ts'

/** Room of a list that came from a snapshot: just its length, whatever that is. */
const PACKED = 255

export class ListArena {
  /** Read `data[i]` for i in [`offset(list)`, `offset(list) + length(list)`); take it anew after every `push`. */
  data: Int32Array
  private offsets: Int32Array
  private lengths: Int32Array
  private rooms: Uint8Array                                   // log2 of the room + 1; 0: none yet
  private used = 0
  private readonly free: number[][] = []

  constructor(lists = 64, values = 256) {
    this.data = new Int32Array(values)
    this.offsets = new Int32Array(lists)
    this.lengths = new Int32Array(lists)
    this.rooms = new Uint8Array(lists)
  }

  /** Lists that have a place in the tables; more come into being by pushing to them. */
  get lists(): number { return this.offsets.length }

  length(list: number): number { return list < this.lengths.length ? (this.lengths[list] as number) : 0 }

  offset(list: number): number { return list < this.offsets.length ? (this.offsets[list] as number) : 0 }

  push(list: number, value: number): void {
    if (list >= this.offsets.length) this.growTables(list + 1)
    const length = this.lengths[list] as number, room = this.rooms[list] as number
    if (room === 0 || room === PACKED || length === 1 << (room - 1)) this.move(list, room)
    this.data[(this.offsets[list] as number) + length] = value
    this.lengths[list] = length + 1
  }

  /** Takes out the first value for which `is` holds; false when there is none. */
  removeWhere(list: number, is: (value: number) => boolean): boolean {
    const from = this.offset(list), length = this.length(list)
    for (let i = from; i < from + length; i++) {
      if (!is(this.data[i] as number)) continue
      this.data[i] = this.data[from + length - 1] as number
      this.lengths[list] = length - 1
      return true
    }
    return false
  }

  clear(list: number): void {
    if (list >= this.offsets.length) return
    const room = this.rooms[list] as number
    if (room > 0 && room !== PACKED) this.release(room, this.offsets[list] as number)
    this.rooms[list] = 0
    this.lengths[list] = 0
  }

  /** Writes the first `lists` lists, list `i` being `order[i]` where an order is given, with every value through `map`, sorted. */
  dump(out: SectionWriter, lists: number, map: (value: number) => number, order?: Int32Array): void {
    const lengths = new Int32Array(lists)
    let total = 0
    for (let i = 0; i < lists; i++) { lengths[i] = this.length(order ? (order[i] as number) : i); total += lengths[i] as number }
    const data = new Int32Array(total)
    let at = 0
    for (let i = 0; i < lists; i++) {
      const list = order ? (order[i] as number) : i, from = this.offset(list), length = lengths[i] as number
      for (let j = 0; j < length; j++) data[at + j] = map(this.data[from + j] as number)
      data.subarray(at, at + length).sort()                   // the same bytes whatever the history of the list
      at += length
    }
    out.put(lengths).put(data)
  }

  /** An arena as `dump` wrote it, whose values lie in [0, limit). Throws `index/corrupt`. */
  static restore(input: SectionReader, limit: number): ListArena {
    const lengths = input.int32(), data = input.int32(), arena = new ListArena(lengths.length, 0)
    let at = 0
    for (let list = 0; list < lengths.length; list++) {
      const length = lengths[list] as number
      if (length < 0 || at + length > data.length) throw corrupt()
      arena.offsets[list] = at
      arena.lengths[list] = length
      arena.rooms[list] = length === 0 ? 0 : PACKED
      at += length
    }
    if (at !== data.length) throw corrupt()
    for (let i = 0; i < data.length; i++) if ((data[i] as number) < 0 || (data[i] as number) >= limit) throw corrupt()
    arena.data = data
    arena.used = at
    return arena
  }

  /** Bytes of the buffer and the tables. */
  get bytes(): number { return this.data.byteLength + this.offsets.byteLength + this.lengths.byteLength + this.rooms.byteLength }

  private move(list: number, room: number): void {
    const length = this.lengths[list] as number, old = this.offsets[list] as number
    const nextRoom = room === 0 ? 1 : room === PACKED ? 33 - Math.clz32(length) : room + 1, size = 1 << (nextRoom - 1)
    const spare = this.free[nextRoom]
    let to = spare?.pop()
    if (to === undefined) {
      if (this.used + size > this.data.length) this.growData(this.used + size)
      to = this.used
      this.used += size
    }
    this.data.copyWithin(to, old, old + length)
    if (room > 0 && room !== PACKED) this.release(room, old)
    this.offsets[list] = to
    this.rooms[list] = nextRoom
  }

  private release(room: number, at: number): void {
    const spare = this.free[room]
    if (spare) spare.push(at)
    else this.free[room] = [at]
  }

  private growData(needed: number): void {
    const data = new Int32Array(Math.max(needed, Math.ceil(this.data.length * 1.5)))
    data.set(this.data)
    this.data = data
  }

  private growTables(needed: number): void {
    const size = Math.max(needed, Math.ceil(this.offsets.length * 1.5))
    const offsets = new Int32Array(size), lengths = new Int32Array(size), rooms = new Uint8Array(size)
    offsets.set(this.offsets); lengths.set(this.lengths); rooms.set(this.rooms)
    this.offsets = offsets; this.lengths = lengths; this.rooms = rooms
  }
}
