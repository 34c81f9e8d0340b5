/**
 * What may differ from scripts/check/check_shape.mjs: rule, file, and why. An entry that nothing
 * needs any more is reported, to be removed.
 */
const SPLIT = 'to be split'
const SAMPLE = 'files of other formats, written as those write them'

export const EXCEPTIONS = [
  ['file', 'src/store/indexeddb/connection.ts', SPLIT],
  ['file', 'src/store/segments/writer.ts', SPLIT],
  ['function', 'src/store/indexeddb/commit.ts', SPLIT],
  ['function', 'src/store/indexeddb/connection.ts', SPLIT],
  ['function', 'src/store/tabs/writer_lock.ts', SPLIT],
  ['line', 'src/document/readers/read_files.test.ts', SAMPLE],
  ['line', 'src/document/readers/formats.test.ts', SAMPLE],
  ['line', 'src/document/readers/office_files.test.ts', SAMPLE],
]
