import 'fake-indexeddb/auto'
import { describeStorage } from '../describe_storage.ts'
import { newKey } from '../testing/seal_harness.ts'
import { openIndexedDbStorage } from './indexeddb_storage.ts'

let places = 0

describeStorage('an encrypted IndexedDB', () => {
  const corpus = `sealed-${++places}`,
    key = newKey()
  return {
    lasting: true,
    open: async (settings) =>
      openIndexedDbStorage({ corpus, settings, encryption: { key: await key } }),
  }
})

describeStorage('IndexedDB', () => {
  const corpus = `contract-${++places}`
  return { lasting: true, open: (settings) => openIndexedDbStorage({ corpus, settings }) }
})
