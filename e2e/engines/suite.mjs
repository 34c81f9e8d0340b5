/**
 * What every engine must do, step by step: index, ask, reload, two tabs, offline, hostile text, the
 * same answers as Node.
 */
import assert from 'node:assert/strict'
import { DOCUMENTS, QUESTION } from './fixtures/shared.js'

/**
 * The checks of one engine, in order, as `[name, run]`. `site` serves the fixture, `reserve` makes
 * another server that can go away; `node` holds Node's own answers.
 */
export function checksOf(engine, given) {
  const run = { engine, ...given, first: null }
  return CHECKS.map(([name, check]) => [
    typeof name === 'string' ? name : name(run),
    () => check(run),
  ])
}

function ask(tab, options) {
  return tab.call('ask', QUESTION, { budgetTokens: 1000, ...options })
}

async function clean(tab) {
  assert.deepEqual(await tab.call('problems'), [], 'what no page may do')
}

const CHECKS = [
  [
    'indexes three documents and answers over two of them, as Node does',
    async (run) => {
      const { engine, site, node } = run
      const tab = await engine.open(site.origin)
      await tab.call('open', {})
      const added = await tab.call('add')
      assert.deepEqual([...added.added].sort(), DOCUMENTS.map(({ id }) => id).sort())
      run.first = await ask(tab)
      assert.match(run.first.context, /Burbank/)
      for (const { documentId, start, end, text } of run.first.sources)
        assert.equal(DOCUMENTS.find(({ id }) => id === documentId).text.slice(start, end), text)
      assert.equal(JSON.stringify(run.first), node.text)
      await clean(tab)
      await tab.close()
    },
  ],
  [
    'finds them again after a reload, with the same answer',
    async (run) => {
      const { engine, site } = run
      const tab = await engine.open(site.origin)
      await tab.call('open', {})
      assert.equal(JSON.stringify(await ask(tab)), JSON.stringify(run.first))
      await tab.reload()
      assert.equal((await tab.call('open', {})).documents, DOCUMENTS.length)
      assert.equal(JSON.stringify(await ask(tab)), JSON.stringify(run.first))
      await clean(tab)
      await tab.close()
    },
  ],
  [
    'gives two tabs one writer, and the other leads when it closes',
    async ({ engine, site }) => {
      const [writer, other] = [await engine.open(site.origin), await engine.open(site.origin)]
      await writer.call('open', { corpus: 'tabs' })
      await writer.call('add')
      await other.call('open', { corpus: 'tabs' })
      assert.equal(JSON.stringify(await ask(other)), JSON.stringify(await ask(writer)))
      assert.equal(
        await other.call('addCode', [
          { id: 'late', text: 'Mina Harker kept a journal in Whitby.' },
        ]),
        'writer/not-leader',
      )
      await writer.call('add', [
        { id: 'new', text: 'Jonathan Harker wrote letters from Bistritz.' },
      ])
      await other.call('having', DOCUMENTS.length + 1)
      await writer.call('close')
      await writer.close()
      await other.call('add', [{ id: 'late', text: 'Mina Harker kept a journal in Whitby.' }])
      assert.deepEqual(
        await other.call('documents'),
        [...DOCUMENTS.map(({ id }) => id), 'late', 'new'].sort(),
      )
      await clean(other)
      await other.call('destroy')
      await other.close()
    },
  ],
  [
    'keeps hostile text, titles and ids text',
    async ({ engine, site }) => {
      const tab = await engine.open(site.origin)
      await tab.call('open', { corpus: 'hostile', storage: 'memory' })
      const found = await tab.call('hostile')
      assert.deepEqual(
        {
          added: found.added,
          wrong: found.wrong,
          elements: found.elements,
          hacked: found.hacked,
        },
        { added: 5, wrong: 0, elements: 0, hacked: null },
      )
      assert.ok(found.sources > 0)
      assert.ok(found.ids.includes('__proto__') && found.ids.includes('constructor'))
      await clean(tab)
      await tab.close()
    },
  ],
  [
    "embeds in the page and answers with Node's bytes",
    async ({ engine, site, node }) => {
      const tab = await engine.open(site.origin)
      await tab.call('open', { corpus: 'vectors', model: true })
      await tab.call('add')
      const { passages, passagesWithVectors } = await tab.call('ready', 'vectors')
      assert.equal(passagesWithVectors, passages)
      assert.equal(JSON.stringify(await ask(tab, { tier: 'full' })), node.full)
      await clean(tab)
      await tab.call('destroy')
      await tab.close()
    },
  ],
  [
    ({ questions }) =>
      `answers ${String(questions.length)} questions over 994 passages with Node's bytes, with ` +
      'vectors, without, and in lower case',
    async ({ engine, site, node, archive }) => {
      const tab = await engine.open(site.origin)
      await tab.call('open', { corpus: 'sample', model: true })
      await tab.call('import', archive)
      for (const [kind, { asked, options }] of Object.entries(node.kinds)) {
        const answers = await tab.call('askAll', asked, options)
        const other = answers.findIndex((answer, i) => answer !== node.answers[kind][i])
        assert.equal(
          other,
          -1,
          `${kind}: question ${String(other)} is answered otherwise than in Node`,
        )
      }
      await clean(tab)
      await tab.call('destroy')
      await tab.close()
    },
  ],
  [
    'goes on when the server is gone: reload, ask, embed, add',
    async ({ engine, reserve }) => {
      const server = await reserve(),
        tab = await engine.open(server.origin)
      try {
        await tab.call('offlineReady')
        await tab.reload()
        await tab.call('open', { model: true })
        await tab.call('add')
        await tab.call('ready', 'vectors')
        const before = await ask(tab, { tier: 'full' })
        await server.close()
        assert.equal(await tab.call('reached'), false)
        await tab.reload()
        assert.equal((await tab.call('open', { model: true })).documents, DOCUMENTS.length)
        assert.equal(JSON.stringify(await ask(tab, { tier: 'full' })), JSON.stringify(before))
        await tab.call('add', [
          { id: 'offline', title: 'Mina Harker', text: 'Mina Harker kept a journal in Whitby.' },
        ])
        const { passages, passagesWithVectors } = await tab.call('ready', 'vectors')
        assert.equal(passagesWithVectors, passages)
        assert.match(
          (await tab.call('ask', 'Who kept a journal?', { tier: 'full' })).context,
          /Whitby/,
        )
        await tab.call('destroy')
        await tab.close()
      } finally {
        await server.close()
      }
    },
  ],
]
