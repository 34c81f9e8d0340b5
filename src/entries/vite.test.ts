import { describe, expect, it } from 'vitest'
import { MINILM_INT8, ONNX_RUNTIME } from '../embed/manifests.ts'
import { hubmesh } from './vite.ts'

const emitted = (plugin: ReturnType<typeof hubmesh>) => {
  const files = new Map<string, number>()
  plugin.generateBundle.call({
    emitFile: ({ fileName, source }) => files.set(fileName, source.length),
  })
  return files
}

describe('the plugin for Vite', () => {
  it('emits the model and the runtime at the addresses that a page asks for', () => {
    const files = emitted(hubmesh())
    for (const { path, bytes } of MINILM_INT8.files)
      expect(files.get(`models/all-MiniLM-L6-v2/${path}`)).toBe(bytes)
    for (const { path, bytes } of ONNX_RUNTIME.files) expect(files.get(`ort/${path}`)).toBe(bytes)
    expect(emitted(hubmesh({ model: null })).size).toBe(0)
  })

  it('emits nothing into a build for a server, and makes workers modules', () => {
    const plugin = hubmesh()
    plugin.configResolved({ base: '/', build: { ssr: 'server.js' } })
    expect(emitted(plugin).size).toBe(0)
    expect(plugin.config()).toEqual({ worker: { format: 'es' } })
  })

  it('serves them below the base, and leaves other addresses alone', () => {
    const plugin = hubmesh()
    plugin.configResolved({ base: '/app/', build: { ssr: false } })
    const answers: string[] = []
    plugin.configureServer({
      middlewares: {
        use(handler) {
          for (const url of ['/app/ort/ort-wasm-simd-threaded.wasm?v=1', '/ort/x', '/app/main.js'])
            handler(
              { url },
              {
                setHeader: (_name, value) => answers.push(value),
                end: (body) => answers.push(String(body.length)),
              },
              () => answers.push('next'),
            )
        },
      },
    })
    expect(answers).toEqual([
      'application/wasm',
      String(ONNX_RUNTIME.files[0]!.bytes),
      'next',
      'next',
    ])
  })

  it('refuses a model that is not there, by name', () => {
    expect(() => hubmesh({ model: 'nowhere' })).toThrow(/nowhere/)
    expect(() => hubmesh({ model: 3 as unknown as string })).toThrow(/hubmesh\/vite/)
  })
})
