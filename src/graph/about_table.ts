/** What each passage is about, and how far the corpus is a set of articles about named things. */
import { grown } from '../base/grown.ts'
import { corrupt, type SectionReader, type SectionWriter } from '../base/sections.ts'

/** A share is counted in whole parts of a document, whose sum does not depend on the order. */
const UNIT = 2 ** 20

/** No opening passage; an opening passage; one that holds the name it is about near its start. */
export type Opening = 0 | 1 | 3

export class AboutTable {
  /** Name of a slot's title, or -1. */
  private titles = new Int32Array(1024).fill(-1)
  /** Name a slot is about, or -1. */
  private names = new Int32Array(1024).fill(-1)
  private openings = new Uint8Array(1024)
  private documents = 0
  private sum = 0
  private about = new Int32Array(256) // documents about each name
  private named = new Int32Array(256) // of them, those that name it in their opening

  titleOf(slot: number): number {
    return this.titles[slot]!
  }

  nameOf(slot: number): number {
    return this.names[slot] ?? -1
  }

  isOpening(slot: number): boolean {
    return this.openings[slot] !== 0
  }

  setTitle(slot: number, name: number): void {
    this.ensure(slot)
    this.titles[slot] = name
  }

  set(slot: number, opening: Opening, name: number): void {
    this.ensure(slot)
    this.count(slot, -1)
    this.openings[slot] = opening
    this.names[slot] = name
    this.count(slot, 1)
  }

  /**
   * Sum over names of the share of their documents that name them, over all documents; in [0, 1].
   */
  get articleShare(): number {
    return this.documents === 0 ? 0 : this.sum / UNIT / this.documents
  }

  dump(out: SectionWriter, slots: Int32Array): void {
    out.put(slots.map((slot) => this.titles[slot]!)).put(slots.map((slot) => this.names[slot]!))
    out.put(Uint8Array.from(slots, (slot) => this.openings[slot]!))
  }

  /** A table as `dump` wrote it. Throws `index/corrupt`. */
  restore(input: SectionReader, passages: number, names: number): void {
    this.titles = input.int32()
    this.names = input.int32()
    this.openings = input.uint8()
    for (const column of [this.titles, this.names, this.openings])
      if (
        column.length !== passages ||
        !column.every((value) => value >= -1 && value < Math.max(names, 4))
      )
        throw corrupt()
    for (let slot = 0; slot < passages; slot++) this.count(slot, 1)
  }

  get bytes(): number {
    return this.titles.byteLength * 2 + this.openings.byteLength
  }

  private ensure(slot: number): void {
    this.titles = grown(this.titles, slot + 1, -1)
    this.names = grown(this.names, slot + 1, -1)
    this.openings = grown(this.openings, slot + 1)
  }

  /** Counts an opening passage once more or less. */
  private count(slot: number, by: 1 | -1): void {
    const opening = this.openings[slot]!,
      name = this.names[slot]!
    if (opening === 0) return
    this.documents += by
    if (name < 0) return
    this.about = grown(this.about, name + 1)
    this.named = grown(this.named, name + 1)
    this.sum -= this.part(name)
    this.about[name]! += by
    if (opening === 3) this.named[name]! += by
    this.sum += this.part(name)
  }

  private part(name: number): number {
    const about = this.about[name]!
    return about === 0 ? 0 : Math.round((UNIT * this.named[name]!) / about)
  }
}
