import { describeStorage } from './describe_storage.ts'
import { openMemoryStorage } from './memory_storage.ts'

describeStorage('memory', () => ({
  lasting: false,
  open: (settings) => Promise.resolve(openMemoryStorage(settings)),
}))
