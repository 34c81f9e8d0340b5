/** A set of listeners to one kind of event. */
export class Subscribable<Event extends readonly unknown[]> {
  private readonly listeners = new Set<(...event: Event) => void>()

  get size(): number {
    return this.listeners.size
  }

  /** Adds a listener; gives the function that removes it. */
  subscribe(listener: (...event: Event) => void): () => void {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** Calls every listener that is there now, also those removed by one before them. */
  emit(...event: Event): void {
    for (const listener of [...this.listeners]) listener(...event)
  }

  clear(): void {
    this.listeners.clear()
  }
}
