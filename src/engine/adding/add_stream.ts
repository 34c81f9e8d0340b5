/** Adding what comes one by one: in batches, the next pulled when the one before is kept. */
import { orAborted } from '../../base/signals.ts'
import { HubmeshError, isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { AddInput, AddItem, AddOptions, AddResult, AddStream } from '../../types.ts'

type AddBatch = (items: readonly AddItem[], options: AddOptions) => Promise<AddResult>

export function isStream(input: AddInput | AddStream): input is AddStream {
  return (
    typeof input === 'object' &&
    input !== null &&
    (Symbol.asyncIterator in input || 'getReader' in input)
  )
}

/**
 * Adds batches until the source ends. What was kept stays where the source fails or the call is
 * cancelled. Rejects as `add`, and with `input/invalid` where the source itself throws.
 */
export async function addStream(
  source: AddStream,
  options: AddOptions,
  addBatch: AddBatch,
): Promise<AddResult> {
  if (options.others === 'remove')
    throw new HubmeshError(
      'input/invalid',
      'others: "remove" is one switch, and a stream is kept batch by batch. Pass a list, or remove ' +
        'the others afterwards.',
      { details: { field: 'others' } },
    )
  const { signal, onProgress } = options,
    results: AddResult[] = [],
    pull = pullerOf(source)
  let taken = 0
  try {
    for (let more = true; more;) {
      throwIfAborted(signal)
      const batch = await nextBatch(pull.next, signal)
      more = batch.more
      if (batch.items.length === 0 && results.length > 0) break
      const before = taken
      taken += batch.items.length
      results.push(
        await addBatch(batch.items, {
          ...options,
          ...(onProgress
            ? {
                onProgress: (progress) => {
                  onProgress({
                    ...progress,
                    done: before + progress.done,
                    total: before + progress.total,
                    secondsLeft: null,
                  })
                },
              }
            : {}),
        }),
      )
      if (batch.failure !== null) throw sourceFailed(batch.failure, taken)
    }
  } finally {
    await pull.end().catch(() => undefined)
  }
  return joined(results)
}

interface Batch {
  readonly items: AddItem[]
  readonly more: boolean
  /** What the source threw behind the items; null for nothing. */
  readonly failure: { readonly cause: unknown } | null
}

async function nextBatch(
  next: () => Promise<IteratorResult<AddItem, unknown>>,
  signal: AbortSignal | undefined,
): Promise<Batch> {
  const items: AddItem[] = []
  for (let weight = 0; items.length < LIMITS.streamItems && weight < LIMITS.streamChars;) {
    let result: IteratorResult<AddItem, unknown>
    try {
      result = await orAborted(next(), signal)
    } catch (cause) {
      if (isHubmeshError(cause) && cause.code === 'aborted') throw cause
      return { items, more: false, failure: { cause } }
    }
    if (result.done === true) return { items, more: false, failure: null }
    items.push(result.value)
    weight += weightOf(result.value)
  }
  return { items, more: true, failure: null }
}

function weightOf(item: AddItem): number {
  if (typeof item === 'string') return item.length
  if (item instanceof Blob) return item.size
  const { text } = (item ?? {}) as { readonly text?: unknown }
  return typeof text === 'string' ? text.length : 0
}

interface Puller {
  next(): Promise<IteratorResult<AddItem, unknown>>
  /** Lets go of the source, whether it has ended or not. */
  end(): Promise<unknown>
}

/** Not every browser iterates over a ReadableStream. */
function pullerOf(source: AddStream): Puller {
  if ('getReader' in source) {
    const reader = source.getReader()
    return {
      next: async () => {
        const { done, value } = await reader.read()
        return done ? { done: true, value: undefined } : { done: false, value }
      },
      end: () => reader.cancel(),
    }
  }
  const iterator = source[Symbol.asyncIterator]()
  return {
    next: () => iterator.next(),
    // one that hangs in next() would hang here, too
    end: () => {
      iterator.return?.()?.catch(() => undefined)
      return Promise.resolve()
    },
  }
}

function joined(results: readonly AddResult[]): AddResult {
  const all = <K extends 'added' | 'unchanged' | 'replaced' | 'rejected'>(key: K): AddResult[K] =>
    results.flatMap((result) => result[key] as readonly unknown[]) as unknown as AddResult[K]
  const warnings = results.flatMap((result) => result.warnings ?? [])
  return {
    added: all('added'),
    unchanged: all('unchanged'),
    replaced: all('replaced'),
    rejected: all('rejected'),
    ...(warnings.length === 0 ? {} : { warnings }),
    generation: results.at(-1)!.generation,
  }
}

function sourceFailed({ cause }: { readonly cause: unknown }, taken: number): HubmeshError {
  return new HubmeshError(
    'input/invalid',
    `The source of documents failed behind ${taken} entries, which are kept. Mend it and add again: ` +
      'what is there already stays as it is.',
    { cause, details: { taken } },
  )
}
