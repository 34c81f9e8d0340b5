/**
 * Owns the sealing of whole files of a corpus folder, each bound to its name. Refuses: CURRENT,
 * which says by what key the others open.
 */
import { join, readBytes } from './files.ts'
import type { Sealer } from '../encryption/sealer.ts'

/**
 * The bytes of a file as they were given to `sealFile`, or null where there is none. Rejects with
 * `store/corrupt` where it does not open.
 */
export async function openFile(
  directory: string,
  name: string,
  sealer: Sealer | null,
): Promise<Uint8Array | null> {
  const bytes = await readBytes(join(directory, name))
  return bytes === null || sealer === null ? bytes : await sealer.open(name, bytes)
}

export async function sealFile(
  name: string,
  bytes: Uint8Array,
  sealer: Sealer | null,
): Promise<Uint8Array> {
  return sealer === null ? bytes : await sealer.seal(name, bytes)
}
