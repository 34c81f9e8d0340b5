// @vitest-environment jsdom
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Hubmesh } from './react.ts'
import { useHubmesh } from './react.ts'

const desk = vi.hoisted(() => ({ log: [] as string[], fail: false }))

// A page starts workers; here the same engine runs beside React, and notes when it comes and goes.
vi.mock('../rpc/create_engine.ts', async () => {
  const { loggedEngine } = await import('../testing/logged_engine.ts')
  return {
    createEngine: async (options: { corpus: string; signal?: AbortSignal }) => {
      if (desk.fail) throw Object.assign(new Error('no room'), { code: 'store/unavailable' })
      return loggedEngine(options, desk.log)
    },
  }
})

let root: Root, seen: Hubmesh
const mixed: string[] = []
function Films({ corpus }: { readonly corpus: string }) {
  seen = useHubmesh({ corpus, storage: 'memory' })
  if (seen.engine && seen.engine.corpus !== corpus) mixed.push(`${seen.engine.corpus} as ${corpus}`)
  return createElement(
    'p',
    null,
    seen.error ? seen.error.message : `${seen.status?.documents ?? 'no'} documents`,
  )
}
const show = (corpus: string): void => {
  root.render(createElement(StrictMode, null, createElement(Films, { corpus })))
}

beforeEach(() => {
  Object.assign(desk, { log: [], fail: false })
  document.body.replaceChildren(document.createElement('main'))
  root = createRoot(document.querySelector('main')!)
})
afterEach(() => {
  root.unmount()
})

describe('useHubmesh', () => {
  it('opens a corpus that answers, and shows its status as it changes', async () => {
    show('films')
    await vi.waitFor(() => {
      expect(document.body.textContent).toBe('0 documents')
    })
    await seen.engine!.add([{ title: 'Tim Burton', text: 'Tim Burton was born in Burbank.' }])
    await vi.waitFor(() => {
      expect(document.body.textContent).toBe('1 documents')
    })
    expect((await seen.engine!.retrieve('Where was Tim Burton born?')).sources[0]!.title).toBe(
      'Tim Burton',
    )
  })

  it('leaves one engine open under StrictMode, another for another name, and none at the end', async () => {
    show('one')
    await vi.waitFor(() => {
      expect(seen.engine?.corpus).toBe('one')
    })
    show('two')
    await vi.waitFor(() => {
      expect(seen.engine?.corpus).toBe('two')
    })
    expect(mixed, 'the old corpus is not shown as the new one').toEqual([])
    root.unmount()
    await vi.waitFor(() => {
      expect(desk.log.filter((line) => line.startsWith('close'))).toHaveLength(desk.log.length / 2)
    })
    root = createRoot(document.querySelector('main')!)
    for (const [i, line] of desk.log.entries())
      expect(line.startsWith(i % 2 === 0 ? 'open' : 'close'), desk.log.join()).toBe(true)
  })

  it('tells why a corpus could not be opened', async () => {
    desk.fail = true
    show('films')
    await vi.waitFor(() => {
      expect(document.body.textContent).toBe('no room')
    })
    expect(seen.error).toMatchObject({ code: 'store/unavailable' })
    expect(seen.engine).toBeNull()
  })
})
