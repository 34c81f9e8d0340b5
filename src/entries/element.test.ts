// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RetrieveResult } from '../types.ts'
import { createTestEngine } from './testing.ts'
import './element.ts'
import type { HubmeshSearch } from './element.ts'

const desk = vi.hoisted(() => ({ log: [] as string[], archive: new Blob() }))

// A page starts workers and fetches; here the engine runs in the test and reads a blob.
vi.mock('../rpc/create_engine.ts', async () => {
  const { loggedEngine } = await import('../testing/logged_engine.ts')
  return {
    createEngine: async (options: { corpus: string }) => {
      const engine = await loggedEngine(options, desk.log)
      return {
        ...engine,
        import: async (from: string, how: object) => {
          desk.log.push(`import ${from}`)
          if (from === '/missing') throw new Error('The archive is not there.')
          return engine.import(desk.archive, how)
        },
      }
    },
  }
})

beforeEach(async () => {
  desk.log = []
  const site = await createTestEngine([
    { title: 'Tim <b>Burton</b>', text: 'Tim Burton was born in Burbank. He draws.' },
  ])
  desk.archive = await site.export()
  await site.close()
})
afterEach(() => {
  document.body.replaceChildren()
})

function placed(attributes: Readonly<Record<string, string>>): HubmeshSearch {
  const element = document.createElement('hubmesh-search') as HubmeshSearch
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  document.body.append(element)
  return element
}
const shown = (element: HubmeshSearch): string => element.shadowRoot!.textContent ?? ''

describe('<hubmesh-search>', () => {
  it('opens its archive, answers with the part marked, and closes with the page', async () => {
    const element = placed({ src: '/docs.hubmesh', corpus: 'docs' })
    let told: RetrieveResult | null = null
    document.body.addEventListener('hubmesh-answer', (event) => {
      told = (event as CustomEvent<RetrieveResult>).detail
    })
    await element.ask('Where was Tim Burton born?')
    expect(told!.answer.state).toBe('found')
    expect(element.shadowRoot!.querySelector('mark')!.textContent).toContain('Burbank')
    expect(shown(element), 'text of documents is data').toContain('Tim <b>Burton</b>')
    element.remove()
    await vi.waitFor(() => {
      expect(desk.log).toEqual(['open docs', 'import /docs.hubmesh', 'close docs'])
    })
  })

  it('says what is not in the documents, in words of the page', async () => {
    const element = placed({ src: '/docs.hubmesh', 'none-text': 'Nichts gefunden.' })
    await element.ask('Which quasar emits xenon lasers?')
    expect(shown(element)).toContain('Nichts gefunden.')
    expect(element.shadowRoot!.querySelector('blockquote')).toBeNull()
  })

  it('tells why it could not open, and opens when the address changes', async () => {
    const element = placed({ src: '/missing' })
    await vi.waitFor(() => {
      expect(element.shadowRoot!.querySelector('[role=alert]')?.textContent).toBe(
        'The archive is not there.',
      )
    })
    element.setAttribute('src', '/docs.hubmesh')
    expect((await element.ask('Where was Tim Burton born?'))?.sources).toHaveLength(1)
  })
})
