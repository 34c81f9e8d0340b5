/** The database that 0.1.0 left in a browser, as text that a page can be given. */
import { readFileSync } from 'node:fs'
import { deserialize } from 'node:v8'
import { inflateRawSync } from 'node:zlib'

const FILE = new URL(
  '../../../src/store/testing/release_0_1_0/indexeddb_plain.v8.deflate',
  import.meta.url,
)

/** JSON of `[store, [key, value][]][]`; buffers as `{ buffer }` in base64, typed arrays by their kind. */
export function oldDatabase(): string {
  const { stores } = deserialize(inflateRawSync(readFileSync(FILE))) as {
    stores: Record<string, [unknown, unknown][]>
  }
  return JSON.stringify(Object.entries(stores), (_key, one: unknown) => {
    if (one instanceof ArrayBuffer) return { buffer: Buffer.from(one).toString('base64') }
    if (one instanceof Int32Array) return { int32: [...one] }
    if (one instanceof Uint8Array) return { uint8: [...one] }
    return one
  })
}
