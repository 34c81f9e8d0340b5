import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { crc32 } from '../../base/checksum.ts'
import { zipOf } from '../testing/make_files.ts'
import { writeZip } from '../zip.ts'
import { readFiles, type ReadFilesResult } from './read_files.ts'

const read = (bytes: Uint8Array, mostUnpackedBytes = 1_000_000): Promise<ReadFilesResult> =>
  readFiles([{ name: 'z.zip', size: bytes.length, bytes: () => Promise.resolve(bytes) }], {
    limits: { mostUnpackedBytes },
  })

/** Where the list of members begins: behind all members that are stored as they are. */
function directoryAt(zip: Uint8Array): number {
  return new DataView(zip.buffer).getUint32(zip.length - 6, true)
}

/** A zip of one member that unpacks to so many zero bytes. */
function bombOf(name: string, unpacked: number): Uint8Array {
  const zip = writeZip(new Map([[name, new Uint8Array(deflateRawSync(new Uint8Array(unpacked)))]])),
    view = new DataView(zip.buffer),
    at = directoryAt(zip)
  view.setUint16(at + 10, 8, true)
  view.setUint32(at + 16, crc32(new Uint8Array(unpacked)), true)
  return zip
}

describe('a zip', () => {
  it('is a folder of what can be read in it; the rest is named', async () => {
    const { documents, rejected } = await read(
      zipOf({
        'notes/one.md': '# One\n\nThe keel.',
        '../../etc/two.txt': 'Two.',
        '__proto__.txt': 'Three.',
        'in.zip': 'PK',
        'picture.png': 'x',
        '__MACOSX/._one.md': 'x',
        '.hidden': 'x',
      }),
    )
    expect(documents.map(({ id }) => id).sort()).toEqual([
      'z.zip/__proto__.txt',
      'z.zip/etc/two.txt',
      'z.zip/notes/one.md',
    ])
    expect(rejected.map(({ name }) => name)).toEqual(['z.zip/in.zip', 'z.zip/picture.png'])
    expect(rejected[0]!.reason).toContain('a zip inside a zip is not opened')
  })

  it('is bounded by what comes out of it, whatever it says of its sizes', async () => {
    const { documents, rejected } = await read(bombOf('a.txt', 5_000_000))
    expect(documents).toEqual([])
    expect(rejected[0]).toMatchObject({ name: 'z.zip' })
    // the sum counts, not each member
    const many = zipOf(
      Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${i}.txt`, 'x'.repeat(100_000)])),
    )
    expect((await read(many)).rejected).toHaveLength(1)
    expect((await read(many, 2_000_000)).documents).toHaveLength(12)
  })

  it('is refused by name where it is damaged, encrypted or ambiguous', async () => {
    const whole = (): Uint8Array => zipOf({ 'a.txt': 'The keel.', 'b.txt': 'The mast.' })
    const spoilt = (
      change: (view: DataView, at: number, bytes: Uint8Array) => void,
    ): Uint8Array => {
      const zip = whole()
      change(new DataView(zip.buffer), directoryAt(zip), zip)
      return zip
    }
    const cases: Record<string, Uint8Array> = {
      encrypted: spoilt((view, at) => view.setUint16(at + 8, 1, true)),
      'two members have one name': spoilt((_, at, bytes) => bytes.set([0x61], at + 46 + 5 + 46)),
      'not as it was written': spoilt((_, __, bytes) => bytes.set([0x21], 30 + 5)),
      'not where the list says': spoilt((view, at) => view.setUint32(at + 42, 7, true)),
      'ends behind the file': spoilt((view, at) => view.setUint32(at + 20, 1 << 30, true)),
      'packed in another way': spoilt((view, at) => view.setUint16(at + 10, 12, true)),
      'does not end as a zip': whole().subarray(0, 60),
      members: spoilt((view, _, { length }) => view.setUint16(length - 12, 65_000, true)),
    }
    for (const [reason, bytes] of Object.entries(cases)) {
      const { documents, rejected } = await read(bytes)
      expect([documents.length, rejected.length], reason).toEqual([0, 1])
      expect(rejected[0]!.reason).toContain(reason)
      expect(rejected[0]!.reason).not.toContain('keel')
    }
  })
})
