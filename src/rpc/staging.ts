/**
 * Sends an `add`'s input to the worker in slices, so that no message stalls the page. Entries are
 * checked by the worker.
 */
import { HubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { AddInput } from '../types.ts'
import type { Connection } from '../port/connection.ts'
import type { EngineService } from './protocol.ts'

/** What an entry weighs on its way, UTF-16 units; a file travels as a handle. */
function weight(item: unknown): number {
  if (typeof item === 'string') return item.length
  const text =
    typeof item === 'object' && item !== null && !(item instanceof Blob)
      ? (item as { readonly text?: unknown }).text
      : undefined
  return 64 + (typeof text === 'string' ? text.length : 0)
}

/** The entries in order, cut into slices of bounded length. A single entry is never cut. */
export function* slices(items: readonly unknown[]): Generator<readonly unknown[]> {
  let start = 0
  let chars = 0
  for (let i = 0; i < items.length; i++) {
    const more = weight(items[i])
    if (i > start && (chars + more > LIMITS.stageChars || i - start >= LIMITS.stageItems)) {
      yield items.slice(start, i)
      start = i
      chars = 0
    }
    chars += more
  }
  if (start < items.length) yield items.slice(start)
}

/**
 * Sends the input ahead under `key`; each slice waits for the one before, which is when the page
 * breathes. On failure nothing stays behind.
 */
export async function stageInput(
  connection: Connection<EngineService>,
  key: number,
  input: AddInput,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    for (const slice of slices(Array.isArray(input) ? (input as readonly unknown[]) : [input])) {
      await connection.call('stage', [key, slice], { signal })
    }
  } catch (thrown) {
    connection.call('unstage', [key]).catch(() => undefined)
    throw thrown
  }
}

/** The worker's half: what was staged, until its `add` takes it. */
export class Stage {
  private readonly held = new Map<number, unknown[]>()

  push(key: number, items: readonly unknown[]): void {
    const held = this.held.get(key) ?? []
    for (const item of items) held.push(item)
    this.held.set(key, held)
    if (held.length > LIMITS.documentsPerAdd) {
      this.held.delete(key)
      throw new HubmeshError(
        'input/too-large',
        `More than ${String(LIMITS.documentsPerAdd)} entries in one add(). Add them in several calls.`,
        {
          details: { limit: LIMITS.documentsPerAdd },
        },
      )
    }
  }

  take(key: number): readonly unknown[] {
    const held = this.held.get(key) ?? []
    this.held.delete(key)
    return held
  }

  drop(key: number): void {
    this.held.delete(key)
  }
}
