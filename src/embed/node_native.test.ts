import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openMemoryStorage } from '../store/memory_storage.ts'
import { identityKey } from '../store/records/settings_codec.ts'
import { sameIdentity, takesVectors } from './embedder.ts'
import { MINILM_INT8 } from './manifests.ts'
import { NodeEmbedder } from './node_embedder.ts'

const MODEL = fileURLToPath(new URL('../../public/models/all-MiniLM-L6-v2', import.meta.url))
const REFERENCE = fileURLToPath(
  new URL('../../../shared/fixtures/embedding/minilm-int8.json', import.meta.url),
)
if (!existsSync(REFERENCE))
  console.info('skipped: ../shared/fixtures/embedding/minilm-int8.json is not here')
const before = MINILM_INT8.identity,
  wasm = { ...before, runtime: 'wasm' } as const,
  native = { ...before, runtime: 'native' } as const

describe('the runtime in the identity of vectors', () => {
  it('tells wasm from native', () => {
    expect(sameIdentity(wasm, native)).toBe(false)
    expect(identityKey(wasm)).not.toBe(identityKey(native))
  })

  it('what was stored in Node without it counts as native, under its old key', () => {
    expect(sameIdentity(before, native)).toBe(true)
    expect(sameIdentity(before, wasm)).toBe(false)
    expect(identityKey(native)).toBe('["all-MiniLM-L6-v2","afdb6f1a0e45","int8",384,"mean"]')
  })

  it('an archive without it is taken by either, one with it by its own alone', () => {
    expect(takesVectors(wasm, before)).toBe(true)
    expect(takesVectors(native, before)).toBe(true)
    expect(takesVectors(wasm, native)).toBe(false)
    expect(takesVectors(wasm, { ...before, revision: 'other' })).toBe(false)
  })

  it('stays with the settings of a store', async () => {
    const storage = openMemoryStorage({
      formatVersion: 1,
      chunk: { strategy: 'none', tokens: 0, overlap: 0 },
      embedder: wasm,
    })
    await storage.setEmbedder(native)
    expect(storage.settings.embedder).toEqual(native)
    await storage.close()
  })

  it.skipIf(!existsSync(REFERENCE))(
    'native is a choice, of the optional peer, and gives the reference vectors',
    async () => {
      const embedder = await NodeEmbedder.open({ model: MODEL, runtime: 'native' })
      expect(embedder.identity).toEqual(native)
      const { cases } = JSON.parse(readFileSync(REFERENCE, 'utf8')) as {
        cases: readonly { text: string; vector: readonly number[] }[]
      }
      for (const { text, vector } of cases) {
        const [ours] = await embedder.embed([text], { kind: 'passage' })
        let dot = 0,
          square = 0
        vector.forEach((x, d) => {
          dot += x * ours![d]!
          square += x * x
          expect(Math.abs(x - ours![d]!)).toBeLessThanOrEqual(0.002)
        })
        expect(dot / Math.sqrt(square)).toBeGreaterThanOrEqual(0.9999)
      }
      await expect(NodeEmbedder.open({ model: MODEL })).rejects.toEqual(
        expect.objectContaining({ code: 'input/invalid' }),
      )
      await embedder.close()
    },
  )

  it('a runtime of another name is refused', async () => {
    await expect(
      NodeEmbedder.open({ model: MODEL, runtime: 'gpu' as 'wasm' }),
    ).rejects.toMatchObject({ code: 'input/invalid', details: { option: 'runtime' } })
  })
})
