import 'fake-indexeddb/auto'
import { describeStorage } from './describe_storage.ts'
import { openIndexedDbStorage } from './indexeddb_storage.ts'

let places = 0

describeStorage('IndexedDB', () => {
  const corpus = `contract-${++places}`
  return { lasting: true, open: (settings) => openIndexedDbStorage({ corpus, settings }) }
})
