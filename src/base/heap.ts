/** Binary heap: `before(a, b)` is true where `a` must come out first. */
export class BinaryHeap<T> {
  private readonly items: T[] = []

  constructor(private readonly before: (a: T, b: T) => boolean) {}

  get size(): number {
    return this.items.length
  }

  peek(): T | undefined {
    return this.items[0]
  }

  push(item: T): void {
    const { items, before } = this
    let at = items.length
    items.push(item)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!before(item, items[parent] as T)) break
      items[at] = items[parent] as T
      at = parent
    }
    items[at] = item
  }

  pop(): T | undefined {
    const top = this.items[0],
      last = this.items.pop()
    if (this.items.length > 0) this.replaceTop(last as T)
    return top
  }

  /** Puts an item in place of the top, cheaper than `pop` and `push`. */
  replaceTop(item: T): void {
    const { items, before } = this
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && before(items[child + 1] as T, items[child] as T)) child++
      if (!before(items[child] as T, item)) break
      items[at] = items[child] as T
      at = child
    }
    items[at] = item
  }

  /** The items in no particular order. */
  values(): readonly T[] {
    return this.items
  }
}
