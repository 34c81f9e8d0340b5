/**
 * Documents, names, metadata and files that try to be markup, code, addresses or keys
 * (fixtures/hostile.txt, one a line): everywhere on the page they are text.
 */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { closeSheet, shelf, side } from '../support/demo_page.ts'
import { openApp } from '../support/test.ts'
import { expect as strict, test } from './support/test.ts'

/** This machine may be busy with anything; nothing here is about time. */
const expect = strict.configure({ timeout: 60_000 })
test.setTimeout(600_000)

const LINES = readFileSync(new URL('fixtures/hostile.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
const documents = LINES.map((line, i) => ({
  id: `${line} ${String(i)}`,
  title: i % 4 === 3 ? line : `Zora Bell ${line}`,
  metadata: { [line]: line },
  text:
    `Zora Bell wrote ${line} to Quentin Marsh in Oslo. ${line} was the answer of Quentin ` +
    `Marsh. Quentin Marsh met Hostile Vector ${String(i)} there.`,
}))

/** What must not be on the page, and what it may never have done. */
async function innocent(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(() => ({
    hacked: (globalThis as { hacked?: unknown }).hacked ?? null,
    polluted: ({} as { polluted?: unknown }).polluted ?? null,
    elements: [
      ...document.querySelectorAll(
        'img[src="x"], iframe, object, embed, base, form[action], math, template, video, ' +
          'audio, link[rel=stylesheet][href*=evil], body meta, body script:not([src]), ' +
          'body style, details[ontoggle]',
      ),
    ].map((element) => element.tagName),
    handlers: [...document.querySelectorAll('*')]
      .filter((element) => element.getAttributeNames().some((name) => name.startsWith('on')))
      .map((element) => element.tagName),
    addresses: [...document.querySelectorAll('[href], [src], [srcset], [action], [style]')]
      .flatMap((element) =>
        ['href', 'src', 'srcset', 'action', 'style'].map(
          (name) => element.getAttribute(name) ?? '',
        ),
      )
      .filter((value) => /^\s*(javascript|data:text|file):|evil\.example/i.test(value)),
    title: document.title.includes('<'),
  }))
  expect(found, where).toEqual({
    hacked: null,
    polluted: null,
    elements: [],
    handlers: [],
    addresses: [],
    title: false,
  })
}

test(
  'every line of the hostile corpus is text in sources, context, picture, paths, lists, the ' +
    'document view and file names',
  async ({ page, demo }) => {
    let dialogs = 0
    page.on('dialog', (dialog) => {
      dialogs++
      void dialog.dismiss()
    })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${demo.origin}/`)
    await expect(page.locator('.card')).toBeVisible()
    const names = LINES.filter((line) => !/[\\/\0]/.test(line) && line.length < 80)
    await page.getByLabel('Files to add').setInputFiles([
      {
        name: '<img src=x onerror=window.hacked=1>.jsonl',
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from(documents.map((document) => JSON.stringify(document)).join('\n')),
      },
      ...names.map((line, i) => ({
        name: `${line}.txt`,
        mimeType: 'text/plain',
        buffer: Buffer.from(`Zora Bell and Quentin Marsh met ${String(i)} times. ${line}`),
      })),
      {
        name: '__proto__.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from(
          `# Zora Bell ${LINES[1]!}\n\n[Quentin Marsh](javascript:window.hacked=1) knew Zora Bell.`,
        ),
      },
      {
        name: '<b>refused</b>.exe',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from([0, 1, 2]),
      },
    ])
    await expect(page.getByRole('progressbar', { name: 'Searchable' })).toHaveAttribute(
      'aria-valuenow',
      '100',
    )
    await expect(page.locator('body')).toContainText('<b>refused</b>.exe')
    await innocent(page, 'after adding')

    const shown = new Set<string>()
    // Titles in the pictures of all answers: which documents a path passes is the ranking's affair.
    let pictured = ''
    const look = async (): Promise<void> => {
      const [text, titles] = await page.evaluate(() => [
        document.body.textContent,
        [...document.querySelectorAll('.picture svg title')]
          .map((node) => node.textContent)
          .join('\n'),
      ])
      pictured += `${titles}\n`
      for (const line of LINES) if (text.includes(line)) shown.add(line)
    }
    for (const [i, line] of LINES.entries()) {
      if (i % 6 !== 0) continue
      await page
        .getByLabel('Your question')
        .fill(`What did Zora Bell write to Quentin Marsh? ${line}`)
      await page.getByRole('button', { name: 'Ask', exact: true }).click()
      await expect(page.locator('.turn.present .turn-question')).toHaveText(
        `What did Zora Bell write to Quentin Marsh? ${line}`.trim(),
      )
      await expect(page.locator('.turn.present .card')).toBeVisible()
      await expect(page.locator('main')).toHaveAttribute('data-asking', 'false')
      await expect(page.locator('.source').first()).toContainText(/Zora Bell|Quentin Marsh/)
      await look()
      await innocent(page, `asked with ${line}`)
    }
    // The picture holds names and titles as text, and nothing else than its own shapes.
    const picture = await page.evaluate(() => ({
      words: [...document.querySelectorAll('.picture svg title')]
        .map((node) => node.textContent)
        .join('\n'),
      tags: [
        ...new Set([...document.querySelectorAll('.picture svg *')].map((node) => node.tagName)),
      ].filter(
        (tag) =>
          ![
            'g',
            'path',
            'rect',
            'text',
            'title',
            'tspan',
            'circle',
            'line',
            'defs',
            'marker',
          ].includes(tag),
      ),
    }))
    expect(picture.tags).toEqual([])
    expect(picture.words).toContain('Zora Bell')
    expect(pictured, 'a title that is markup stands in the picture as it is').toMatch(/[<{"'=]/)
    expect(shown.size, 'lines seen as they are').toBeGreaterThan(LINES.length / 3)

    // A document opened from the picture.
    await page.locator('.picture svg .node.document').first().dispatchEvent('click')
    await innocent(page, 'after a click into the picture')
    // A narrow page shows its parts one at a time.
    await page.setViewportSize({ width: 800, height: 900 })
    for (const part of ['Why', 'Document', 'Developer'] as const) {
      await side(page, part)
      await look()
      await innocent(page, part)
    }
    await closeSheet(page)
    await shelf(page)
    await look()
    await innocent(page, 'shelf')
    expect(dialogs).toBe(0)
  },
)

test('the same corpus comes out of the engine unit by unit, and its context is fenced text', async ({
  page,
  site,
  watch,
}) => {
  watch.trust(site)
  await openApp(page, site.origin)
  const outcome = await page.evaluate(async (documents) => {
    const engine = await openEngine({ storage: 'memory' })
    await engine.add(documents)
    await engine.ready('settled')
    const views = await Promise.all(documents.map(({ id }) => engine.getDocument(id)))
    const { context, sources } = await engine.retrieve(
      'What did Zora Bell write to Quentin Marsh in Oslo?',
      { topK: 40, budgetTokens: 4000 },
    )
    await engine.close()
    return {
      exact: views.every(
        (view, i) => view?.text === documents[i]!.text && view.title === documents[i]!.title,
      ),
      context,
      sources: sources.length,
      polluted: ({} as { polluted?: unknown }).polluted ?? null,
    }
  }, documents)
  expect(outcome).toMatchObject({ exact: true, polluted: null })
  expect(outcome.sources).toBeGreaterThan(20)
  const lines = outcome.context.split('\n'),
    boundary = /^<<<([0-9a-f]{32}) /.exec(lines[0]!)?.[1]
  expect(boundary).toBeDefined()
  expect(lines.at(-1)).toBe(`${boundary!}>>>`)
  expect(lines.slice(1, -1).join('\n')).not.toContain(boundary!)
  expect(
    lines.slice(1, -1).filter((line) => line.startsWith('<<<') || /^[0-9a-f]{32}>>>/.test(line)),
  ).toEqual([])
  expect(
    /[\u202a-\u202e\u2066-\u2069\u200b\ufeff]|[\u{e0000}-\u{e007f}]/u.test(outcome.context),
    'nothing that cannot be seen',
  ).toBe(false)
})
