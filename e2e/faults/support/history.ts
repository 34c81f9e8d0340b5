/**
 * What a corpus may hold after a crash: what was acknowledged, and of the one write under way
 * either all or nothing.
 */
import type { Operation } from '../fixtures/documents.ts'
import { idOf } from '../fixtures/documents.ts'

export class History {
  /** Version of each document by its number. */
  private readonly versions = new Map<number, number>()
  private underWay: Operation | null = null
  private writes = 0
  private readonly underWayAtCrash = { kept: 0, gone: 0 }

  begin(operation: Operation): void {
    this.underWay = operation
  }

  acknowledge(): void {
    if (this.underWay === null) return
    apply(this.versions, this.underWay)
    this.underWay = null
    this.writes++
  }

  get acknowledged(): number {
    return this.writes
  }
  /** What became of writes that were under way at a crash. */
  get uncertain(): { readonly kept: number; readonly gone: number } {
    return this.underWayAtCrash
  }

  /** What is wrong with a stored state, in words; the history goes on from there. */
  settle(stored: readonly (readonly [n: number, version: number])[]): string[] {
    const found = new Map(stored),
      operation = this.underWay
    this.underWay = null
    if (operation !== null) {
      const after = new Map(this.versions)
      apply(after, operation)
      const wasNoChange = same(after, this.versions)
      if (same(found, after) && !wasNoChange) {
        this.underWayAtCrash.kept++
        this.versions.clear()
        for (const [n, version] of found) this.versions.set(n, version)
        return []
      }
      if (same(found, this.versions)) {
        this.underWayAtCrash.gone++
        return []
      }
    }
    const faults: string[] = []
    for (const n of new Set([...found.keys(), ...this.versions.keys()])) {
      const [is, was] = [found.get(n), this.versions.get(n)]
      if (is !== was)
        faults.push(
          `I1/I2: ${idOf(n)} is ${shown(is)}, acknowledged was ${shown(was)}` +
            (operation?.numbers.includes(n) === true
              ? `, a ${operation.kind} to ${shown(operation.version)} was under way`
              : ''),
        )
    }
    return faults
  }
}

function apply(versions: Map<number, number>, { kind, numbers, version }: Operation): void {
  for (const n of numbers) {
    if (kind === 'remove') versions.delete(n)
    else versions.set(n, version)
  }
}

function same(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): boolean {
  return a.size === b.size && [...a].every(([n, version]) => b.get(n) === version)
}

function shown(version: number | undefined): string {
  return version === undefined ? 'absent' : `at version ${String(version)}`
}
