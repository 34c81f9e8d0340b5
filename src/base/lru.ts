/** LRU cache: at most `capacity` entries, the least recently used one leaves first. */
export class Lru<K, V> {
  private readonly entries = new Map<K, V>() // most recently used last

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.entries.size
  }

  /** The value, now the most recently used. */
  get(key: K): V | undefined {
    const value = this.entries.get(key)
    if (value === undefined) return undefined
    this.entries.delete(key)
    this.entries.set(key, value)
    return value
  }

  set(key: K, value: V): void {
    this.entries.delete(key)
    this.entries.set(key, value)
    if (this.entries.size > this.capacity)
      this.entries.delete(this.entries.keys().next().value as K)
  }

  clear(): void {
    this.entries.clear()
  }
}
