/**
 * Many growing lists of int32 in one buffer: postings, mentions, holders. Unordered: a removed
 * value's place is taken by the list's last one, so whoever reads a list must not depend on its
 * order.
 *
 * Every list lies contiguous, as a row of a CSR matrix does, with a power of two of room; a list
 * that outgrows its room moves to a new place and leaves the old one for lists of that size. At
 * most half of the buffer is room.
 */
import { corrupt, type SectionReader, type SectionWriter } from './sections.ts'

/** Room of a list that came from a snapshot: just its length, whatever that is. */
const PACKED = 31

/** Bits of the room beside the length. */
const ROOM_BITS = 5,
  ROOM = 31,
  ONE = 32

export class ListArena {
  /**
   * Read `data[i]` for i in [`offset(list)`, `offset(list) + length(list)`); take it anew after
   * every `push`.
   */
  data: Int32Array
  /**
   * Pairs, so that a list is found by one look: its offset; its length and, in the lowest five
   * bits, log2 of its room + 1 (0: none yet).
   */
  private heads: Int32Array
  private used = 0
  /** Values looked at by removals so far: what they cost. */
  looked = 0
  private readonly free: number[][] = []

  constructor(lists = 64, values = 256) {
    this.data = new Int32Array(values)
    this.heads = new Int32Array(lists * 2)
  }

  /** Lists that have a place in the tables; more come into being by pushing to them. */
  get lists(): number {
    return this.heads.length >>> 1
  }

  length(list: number): number {
    return list * 2 < this.heads.length ? (this.heads[list * 2 + 1] as number) >>> ROOM_BITS : 0
  }

  offset(list: number): number {
    return list * 2 < this.heads.length ? (this.heads[list * 2] as number) : 0
  }

  /** The values of a list; a view that is valid until the next change. */
  values(list: number): Int32Array {
    const from = this.offset(list)
    return this.data.subarray(from, from + this.length(list))
  }

  push(list: number, value: number): void {
    const head = list * 2
    if (head >= this.heads.length) this.growHeads(list + 1)
    const state = this.heads[head + 1] as number,
      length = state >>> ROOM_BITS,
      room = state & ROOM
    if (room === 0 || room === PACKED || length === 1 << (room - 1)) this.move(head, length, room)
    this.data[(this.heads[head] as number) + length] = value
    this.heads[head + 1] = (this.heads[head + 1] as number) + ONE
  }

  /** Makes a list these values and no others. */
  set(list: number, values: readonly number[]): void {
    this.clear(list)
    if (values.length === 0) return
    const head = list * 2
    if (head >= this.heads.length) this.growHeads(list + 1)
    const room = values.length === 1 ? 1 : 33 - Math.clz32(values.length - 1)
    this.heads[head] = this.take(room)
    this.heads[head + 1] = values.length * ONE + room
    for (let i = 0, at = this.heads[head]; i < values.length; i++)
      this.data[at + i] = values[i] as number
  }

  /** Takes out the first value for which `is` holds; false when there is none. */
  removeWhere(list: number, is: (value: number) => boolean): boolean {
    const from = this.offset(list),
      length = this.length(list)
    for (let i = from; i < from + length; i++) {
      this.looked++
      if (!is(this.data[i] as number)) continue
      this.data[i] = this.data[from + length - 1] as number
      this.heads[list * 2 + 1] = (this.heads[list * 2 + 1] as number) - ONE
      return true
    }
    return false
  }

  /** Takes out every value for which `is` holds, in one pass. */
  removeAll(list: number, is: (value: number) => boolean): void {
    const from = this.offset(list),
      length = this.length(list)
    let left = from
    for (let i = from; i < from + length; i++)
      if (!is(this.data[i] as number)) this.data[left++] = this.data[i] as number
    this.looked += length
    if (left < from + length)
      this.heads[list * 2 + 1] = (this.heads[list * 2 + 1] as number) - (from + length - left) * ONE
  }

  clear(list: number): void {
    const head = list * 2
    if (head >= this.heads.length) return
    const room = (this.heads[head + 1] as number) & ROOM
    if (room > 0 && room !== PACKED) this.release(room, this.heads[head] as number)
    this.heads[head + 1] = 0
  }

  /**
   * Writes the first `lists` lists, list `i` being `order[i]` where an order is given, with every
   * value through `map`, sorted.
   */
  dump(
    out: SectionWriter,
    lists: number,
    map: (value: number) => number,
    order?: Int32Array,
  ): void {
    const lengths = new Int32Array(lists)
    let total = 0
    for (let i = 0; i < lists; i++) {
      lengths[i] = this.length(order ? (order[i] as number) : i)
      total += lengths[i] as number
    }
    const data = new Int32Array(total)
    let at = 0
    for (let i = 0; i < lists; i++) {
      const list = order ? (order[i] as number) : i,
        from = this.offset(list),
        length = lengths[i] as number
      for (let j = 0; j < length; j++) data[at + j] = map(this.data[from + j] as number)
      data.subarray(at, at + length).sort() // the same bytes whatever the history of the list
      at += length
    }
    out.put(lengths).put(data)
  }

  /**
   * An arena as `dump` wrote it; `check` tells whether its values are ones that can be. Throws
   * `index/corrupt`.
   */
  static restore(input: SectionReader): ListArena {
    const lengths = input.int32(),
      data = input.int32(),
      arena = new ListArena(lengths.length, 0)
    let at = 0
    for (let list = 0; list < lengths.length; list++) {
      const length = lengths[list] as number
      if (length < 0 || at + length > data.length) throw corrupt()
      arena.heads[list * 2] = at
      arena.heads[list * 2 + 1] = length === 0 ? 0 : length * ONE + PACKED
      at += length
    }
    if (at !== data.length) throw corrupt()
    arena.data = data
    arena.used = at
    return arena
  }

  /** Throws `index/corrupt` where a value of a restored arena lies outside [0, limit). */
  check(limit: number): void {
    const { data } = this
    for (let i = 0; i < this.used; i++)
      if ((data[i] as number) < 0 || (data[i] as number) >= limit) throw corrupt()
  }

  /** Bytes of the buffer and the tables. */
  get bytes(): number {
    return this.data.byteLength + this.heads.byteLength
  }

  private move(head: number, length: number, room: number): void {
    const old = this.heads[head] as number
    const nextRoom = room === 0 ? 1 : room === PACKED ? 33 - Math.clz32(length) : room + 1,
      to = this.take(nextRoom)
    if (length < 16)
      // a call costs more
      for (let i = 0; i < length; i++) this.data[to + i] = this.data[old + i] as number
    else this.data.copyWithin(to, old, old + length)
    if (room > 0 && room !== PACKED) this.release(room, old)
    this.heads[head] = to
    this.heads[head + 1] = length * ONE + nextRoom
  }

  /** A place of so much room. */
  private take(room: number): number {
    const spare = this.free[room]?.pop()
    if (spare !== undefined) return spare
    const to = this.used,
      size = 1 << (room - 1)
    if (to + size > this.data.length) this.growData(to + size)
    this.used += size
    return to
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

  private growHeads(needed: number): void {
    const heads = new Int32Array(Math.max(needed, Math.ceil(this.lists * 1.5)) * 2)
    heads.set(this.heads)
    this.heads = heads
  }
}
