/**
 * What the page itself must do in every engine, served below a path of a host that sets no headers:
 * a first visit, drop, ask, follow up, reload, no network, delete everything.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, serveFolders } from '../support/server.ts'

const PATH = '/people/ada/ask/'
const STEPS = readFileSync(join(ROOT, 'e2e/engines/fixtures/page_steps.js'), 'utf8')

const FILES = [
  ['ada.md', '# Ada Quill\n\nAda Quill was born in **Porto**. Ada Quill wrote three books.'],
  ['ben.txt', 'Ben Marsh is a painter. Ben Marsh was born in Lisbon and lives in Oslo.'],
  ['old.doc', 'x'],
]

export const serveBare = () =>
  serveFolders([{ prefix: PATH, folder: join(ROOT, 'dist-demo') }], 0, undefined, null)

/** A tab at the page, with the steps in it. */
class Visit {
  constructor(engine, server) {
    this.engine = engine
    this.server = server
    this.tab = null
  }

  async begin() {
    this.tab = await this.engine.open(`${this.server.origin}${PATH}`)
    await this.enter()
  }

  async enter() {
    await this.tab.put(STEPS)
  }

  async again() {
    await this.tab.reload()
    await this.enter()
  }
}

/** The checks in order, as `[name, run]`; each goes on where the one before ended. */
export function pageChecksOf(engine, server) {
  const visit = new Visit(engine, server)
  return [...arriving(visit), ...asking(visit), ...leaving(visit)]
}

/** A first visit, and a first drop. */
function arriving(visit) {
  return [
    [
      'the page, below a path of a host without headers, shows a finished example under its policy',
      async () => {
        await visit.begin()
        const { state, marks } = await visit.tab.call('shown')
        assert.equal(state, 'card found')
        assert.equal(marks[0], 'September 23, 1962')
        assert.match(await visit.tab.call('policy'), /require-trusted-types-for 'script'/)
        assert.equal(await visit.tab.call('elsewhere', 'http://127.0.0.1:9/'), 'kept')
        assert.ok(
          visit.server.asked.every((path) => path.startsWith(PATH) || path === '/favicon.ico'),
          `asked beside its folder: ${visit.server.asked.filter((path) => !path.startsWith(PATH))}`,
        )
      },
    ],
    [
      'the page takes a drop, answers from it in its place, and says which file it refused and why',
      async () => {
        const report = (await visit.tab.call('drop', FILES)).join(' ')
        assert.match(report, /2 documents added/)
        assert.match(report, /old\.doc.*docx or pdf/)
        const { state, marks, quotes } = await visit.tab.call('ask', 'Where was Ada Quill born?')
        assert.equal(state, 'card found')
        assert.match(quotes[0], /Ada Quill was born in Porto/)
        assert.equal(marks[0], 'Porto')
        assert.ok((await visit.tab.call('open')).includes('Porto'))
      },
    ],
  ]
}

/** A conversation, and its documents on the next visit. */
function asking(visit) {
  return [
    [
      'the page answers a follow-up by what was said before',
      async () => {
        await visit.tab.call('ask', 'Who wrote three books?')
        const { read, quotes, turns } = await visit.tab.call('ask', 'And where was she born?')
        assert.match(read.join(), /Ada Quill/)
        assert.match(quotes.join(' '), /born in Porto/)
        assert.equal(turns, 3)
      },
    ],
    [
      'the page finds its documents again after a reload',
      async () => {
        await visit.tab.call('offlineReady')
        await visit.again()
        const { documents } = await visit.tab.call('shelf')
        assert.deepEqual([...documents].sort(), ['Ada Quill', 'ben'])
        assert.equal((await visit.tab.call('ask', 'Where was Ada Quill born?')).marks[0], 'Porto')
      },
    ],
  ]
}

/** Everything deleted; then the server gone. */
function leaving(visit) {
  return [
    [
      'the page deletes everything on the device, offers a file before, and begins anew',
      async () => {
        assert.match(await visit.tab.call('deleteEverything'), /Save “My documents” as a file/)
        await loadedAnew(visit.tab)
        await visit.enter()
        assert.equal((await visit.tab.call('shown')).marks[0], 'September 23, 1962')
        assert.deepEqual(await visit.tab.call('corpora'), [])
      },
    ],
    [
      'the page goes on when its server is gone: reload, ask, add',
      async () => {
        await visit.tab.call('drop', FILES)
        await visit.tab.call('offlineReady')
        await visit.server.close()
        await visit.again()
        assert.equal((await visit.tab.call('ask', 'Where was Ada Quill born?')).marks[0], 'Porto')
        await visit.tab.call('drop', [['eve.txt', 'Eve Stone was born in Turin.']])
        const { quotes } = await visit.tab.call('ask', 'Where was Eve Stone born?')
        assert.match(quotes[0], /Turin/)
        await visit.tab.close()
      },
    ],
  ]
}

/** Until the document is another than the one that was marked. */
async function loadedAnew(tab) {
  for (let i = 0; i < 600; i++) {
    const old = await tab.value('globalThis.old === true').catch(() => true)
    if (old === false) return
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
  throw new Error('the page did not load itself anew')
}
