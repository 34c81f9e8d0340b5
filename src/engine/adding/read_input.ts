/** The documents of an addition; files among them are read. */
import { append } from '../../base/grown.ts'
import { throwIfAborted } from '../../base/errors.ts'
import { readFiles } from '../../document/readers/read_files.ts'
import type { AddInput, AddOptions, DocumentInput, ReadWarning, Rejection } from '../../types.ts'
import { refused } from './ingest_errors.ts'
import { Meter } from './meter.ts'

/** Rejects with `input/invalid` for a file that cannot be read, unless `onInvalid` is `skip`. */
export async function readInput(
  input: AddInput,
  options: AddOptions,
): Promise<{ inputs: readonly unknown[]; rejected: Rejection[]; warnings: ReadWarning[] }> {
  throwIfAborted(options.signal)
  const items: readonly unknown[] = Array.isArray(input) ? input : [input]
  const files = items.filter(
    (item): item is File => typeof File !== 'undefined' && item instanceof File,
  )
  const others = items.filter((item) => !(typeof File !== 'undefined' && item instanceof File))
  const progress = new Meter(options),
    rejected: Rejection[] = [],
    warnings: ReadWarning[] = [],
    inputs: unknown[] = [...others]
  if (files.length > 0) {
    const read = await readFiles(files, {
      ...(options.signal ? { signal: options.signal } : {}),
      onProgress: ({ done, total, ...bytes }) => {
        progress.report('reading', done, total, done === total, bytes)
      },
    })
    if (read.rejected.length > 0 && options.onInvalid !== 'skip')
      throw refused(read.rejected[0] as Rejection, read.rejected.length)
    append(rejected, read.rejected)
    append(warnings, read.warnings)
    append(inputs, read.documents as readonly DocumentInput[])
  }
  return { inputs, rejected, warnings }
}
