// @vitest-environment jsdom
import { createApp, defineComponent, h, reactive, ref } from 'vue'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Engine } from '../types.ts'
import { useHubmesh } from './vue.ts'

const desk = vi.hoisted(() => ({ log: [] as string[], fail: false }))

vi.mock('../rpc/create_engine.ts', async () => {
  const { loggedEngine } = await import('../testing/logged_engine.ts')
  return {
    createEngine: async (options: { corpus: string; signal?: AbortSignal }) => {
      if (desk.fail) throw Object.assign(new Error('no room'), { code: 'store/unavailable' })
      return loggedEngine(options, desk.log)
    },
  }
})

function mount(corpus: { value: string }) {
  let seen!: ReturnType<typeof useHubmesh>
  const app = createApp(
    defineComponent(() => {
      seen = useHubmesh(() => ({ corpus: corpus.value, storage: 'memory' }))
      return () => h('p', seen.value.error?.message ?? `${seen.value.status?.documents ?? 'no'}`)
    }),
  )
  app.mount(document.querySelector('main')!)
  return { app, hub: () => seen.value }
}

beforeEach(() => {
  Object.assign(desk, { log: [], fail: false })
  document.body.replaceChildren(document.createElement('main'))
})

describe('useHubmesh of hubmesh/vue', () => {
  it('opens a corpus that answers, follows another name, and closes with the component', async () => {
    const corpus = ref('one'),
      { app, hub } = mount(corpus)
    await vi.waitFor(() => {
      expect(document.body.textContent).toBe('0')
    })
    await hub().engine!.add(reactive([{ title: 'Tim Burton', text: 'He was born in Burbank.' }]))
    await vi.waitFor(() => {
      expect(document.body.textContent).toBe('1')
    })
    corpus.value = 'two'
    await vi.waitFor(() => {
      expect(hub().engine?.corpus).toBe('two')
    })
    app.unmount()
    await vi.waitFor(() => {
      expect(desk.log).toEqual(['open one', 'close one', 'open two', 'close two'])
    })
    expect(hub().engine).toBeNull()
  })

  it('tells why a corpus could not be opened', async () => {
    desk.fail = true
    mount(ref('films'))
    await vi.waitFor(() => {
      expect(document.body.textContent).toBe('no room')
    })
  })

  it('an engine in ref() and reactive() answers as one that is not', async () => {
    const { createEngine } = await import('../node.ts')
    const plain = await createEngine({ corpus: 'proxied' })
    await plain.add([{ title: 'Tim Burton', text: 'Tim Burton was born in Burbank.' }])
    const asked = 'Where was Tim Burton born?',
      expected = await plain.retrieve(asked)
    for (const engine of [ref(plain).value as Engine, reactive({ engine: plain }).engine as Engine])
      expect((await engine.retrieve(asked)).context).toBe(expected.context)
    await (ref(plain).value as Engine).close()
  })
})
