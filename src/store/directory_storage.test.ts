import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { describeStorage } from './describe_storage.ts'
import { openDirectoryStorage } from './directory_storage.ts'

let root = ''
let places = 0
beforeAll(async () => { root = await mkdtemp(join(tmpdir(), 'hubmesh-')) })
afterAll(async () => { await rm(root, { recursive: true, force: true }) })

describeStorage('a directory', () => {
  const corpus = `contract-${++places}`
  return { lasting: true, open: (settings) => openDirectoryStorage({ directory: root, corpus, settings }) }
})
