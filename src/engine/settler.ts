/**
 * Re-reads passages whose names changed in the background, in slices that let questions through.
 */
import { yieldToEvents } from '../base/platform.ts'
import type { Corpus } from '../corpus/corpus.ts'

/** Passages read between two looks at the queue: some 8 ms of work. */
const SLICE = 128

export class Settler {
  private running: Promise<void> | null = null
  private closed = false

  constructor(
    private readonly corpus: Corpus,
    private readonly onChange: () => void,
  ) {}

  get settled(): boolean {
    return this.corpus.text.settled
  }

  /** Starts the background pass if there is anything to do; resolves when there is nothing left. */
  settle(): Promise<void> {
    this.running ??= this.run().finally(() => {
      this.running = null
      this.onChange()
    })
    return this.running
  }

  close(): void {
    this.closed = true
  }

  private async run(): Promise<void> {
    while (!this.closed && this.corpus.text.pending() > 0) {
      this.corpus.text.settle(SLICE)
      await yieldToEvents()
    }
  }
}
