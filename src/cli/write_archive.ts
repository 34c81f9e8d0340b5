/** Writes an archive to disk: whole or not at all. */
import { createHash } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { HubmeshError } from '../base/errors.ts'
import { dirname, syncDirectory } from '../store/folder/files.ts'
import type { Engine, ExportOptions } from '../types.ts'
import type { Terminal } from './terminal.ts'

/** Bytes written at a time. */
const PIECE = 1024 * 1024

export async function writeArchive(
  engine: Engine,
  file: string,
  form: Omit<ExportOptions, 'signal'>,
  terminal: Terminal,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  terminal.progress(`writing ${file}`)
  const blob = await engine.export({ ...form, signal: terminal.signal }),
    next = `${file}.next`,
    hash = createHash('sha256')
  try {
    const out = await open(next, 'w')
    try {
      for (let at = 0; at < blob.size; at += PIECE) {
        const chunk = new Uint8Array(await blob.slice(at, at + PIECE).arrayBuffer())
        if (terminal.signal.aborted)
          throw new HubmeshError(
            'aborted',
            `Stopped before ${file} was written whole; what it was before is untouched.`,
          )
        hash.update(chunk)
        await out.writeFile(chunk)
      }
      await out.sync()
    } finally {
      await out.close()
    }
    await rename(next, file)
    await syncDirectory(dirname(file))
  } catch (error) {
    await rm(next, { force: true })
    if (error instanceof HubmeshError) throw error
    throw new HubmeshError(
      'store/unavailable',
      `${file} cannot be written (${(error as { readonly code?: string }).code ?? 'unknown'}). ` +
        'Check the folder and the room on the disk.',
      { cause: error },
    )
  }
  return { bytes: blob.size, sha256: hash.digest('hex') }
}
