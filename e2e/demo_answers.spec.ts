/**
 * Answers of a language model on the page: from a server that streams, from the browser's own
 * model, and never from where the page may not go.
 */
import type { Page } from '@playwright/test'
import { streamDouble } from '../src/chat/stream_double.ts'
import { addFilms, ask, expect, openPage, QUESTION, servePageWith } from './support/demo_page.ts'
import { test } from './support/test.ts'

async function chooseServer(page: Page, address: string): Promise<void> {
  await page.getByRole('button', { name: 'Language model' }).click()
  await page.getByRole('radio', { name: /^A server/ }).check()
  await page.getByLabel('Address').fill(address)
  await page.getByLabel('Model', { exact: true }).fill('double-1b')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
}

test('a server streams its answer, each number leads to its quote, and one that no quote has is told', async ({
  page,
  watch,
}) => {
  // The model sees the numbered quotes, so it can cite the one about Burton, wherever that stands.
  const double = await streamDouble((messages) => {
    const quotes = messages.at(-1)!.content,
      n = /\[(\d+)\] Tim Burton\n/.exec(quotes)?.[1] ?? '0'
    return {
      say: ['In **Burbank**, ', 'California [', n, ']. It is said to be <b>sunny</b> [9', '7].'],
    }
  })
  const server = await servePageWith({ origins: [double.origin] })
  watch.trust(server)
  watch.trust(double.origin)
  await openPage(page, server.origin)
  await addFilms(page)
  await ask(page, QUESTION)
  await expect(page.getByText('Answers are quotes from your documents.')).toBeVisible()
  expect(double.requests, 'nothing is sent before a person chose a model').toHaveLength(0)

  await chooseServer(page, `${double.origin}/v1`)
  const answer = page.locator('.turn.present .answer')
  await expect(answer.locator('.answer-text')).toContainText('In Burbank, California')
  await expect(answer.locator('.answer-text strong')).toHaveText('Burbank')
  await expect(answer.locator('.answer-text')).toContainText('<b>sunny</b>')
  await expect(answer.locator('.cite.unknown')).toHaveText('97?')
  await expect(answer.getByText('It cites [97], which no quote has')).toBeVisible()
  await expect(page.getByText('Answers come from a server you chose.')).toBeVisible()
  await expect(page.locator('.model-line')).toContainText('question and quotes are sent there')
  await answer.getByRole('button', { name: /^Quote \d+: Tim Burton$/ }).click()
  await expect(page.locator('.context-block:focus')).toContainText(
    'He was born in Burbank, California.',
  )

  const sent = double.requests[0]!
  expect(sent.origin).toBe(server.origin)
  expect(sent.body).toMatchObject({ model: 'double-1b', stream: true, max_tokens: 512 })
  expect(sent.body.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  const shown = await page.locator('.turn.present .context-block .passage').allTextContents()
  for (const text of shown)
    expect(sent.body.messages[1]!.content, 'what the page shows is what was sent').toContain(text)

  // Another question is answered by itself, and the choice is kept over a reload.
  await ask(page, 'Who directed 2001: A Space Odyssey?')
  await expect.poll(() => double.requests.length).toBe(2)
  await page.reload()
  await ask(page, QUESTION)
  await expect(answer.locator('.answer-text')).toContainText('In Burbank')
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('double-1b')
  await server.close()
  await double.close()
})

test('an answer that breaks off says so, one that hangs can be stopped, and the key is not kept', async ({
  page,
  watch,
}) => {
  let script: Parameters<typeof streamDouble>[0] = () => ({
    bytes: ['data: {"choices":[{"delta":{"content":"In Bur"}}]}\n\n'],
    then: 'drop',
  })
  const double = await streamDouble((messages) => script(messages))
  const server = await servePageWith({ origins: [double.origin] })
  watch.trust(server)
  watch.trust(double.origin)
  watch.expectError(/ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_ABORTED/)
  await openPage(page, server.origin)
  await addFilms(page)
  await ask(page, QUESTION)
  await page.getByRole('button', { name: 'Language model' }).click()
  await page.getByRole('radio', { name: /^A server/ }).check()
  await page.getByLabel('Address').fill(`${double.origin}/v1`)
  await page.getByLabel('Model', { exact: true }).fill('m')
  await page.getByRole('textbox', { name: /^Key/ }).fill('secret-key-1')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.locator('.answer').getByText('A server does not answer')).toBeVisible()
  script = () => ({
    bytes: ['data: {"choices":[{"delta":{"content":"Well, "}}]}\n\n'],
    then: 'hang',
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('.answer-text')).toContainText('Well,')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.locator('.answer').getByText('Stopped.')).toBeVisible()
  await expect.poll(() => double.abandoned()).toBeGreaterThan(0)
  expect(double.requests.map(({ authorization }) => authorization)).toEqual([
    'Bearer secret-key-1',
    'Bearer secret-key-1',
  ])
  expect(
    await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
  ).not.toContain('secret-key-1')
  await server.close()
  await double.close()
})

test('the default build sends nothing elsewhere: the choice is refused in words, and the policy would stop it', async ({
  page,
  demo,
  watch,
}) => {
  const double = await streamDouble(() => ({ say: ['no'] }))
  await openPage(page, demo.origin)
  await addFilms(page)
  await ask(page, QUESTION)
  await chooseServer(page, `${double.origin}/v1`)
  await expect(page.getByRole('alert')).toContainText(`This page may not talk to ${double.origin}`)
  await expect(page.getByRole('alert')).toContainText('--connect')
  await page.getByRole('button', { name: 'Close' }).click()
  expect(double.requests).toHaveLength(0)
  watch.expectError(/Content Security Policy|connect-src|127\.0\.0\.1/)
  expect(
    await page.evaluate(
      (url) =>
        fetch(url, { method: 'POST', body: '{}' }).then(
          () => 'sent',
          () => 'stopped',
        ),
      `${double.url}/chat/completions`,
    ),
  ).toBe('stopped')
  expect(double.requests).toHaveLength(0)
  await double.close()
})

test('the model that the browser brings answers on the device, within its own window', async ({
  page,
  demo,
}) => {
  await page.addInitScript(() => {
    const log: unknown[] = []
    const LanguageModel = {
      availability: () => Promise.resolve('available'),
      create: (options: { initialPrompts?: { role: string; content: string }[] }) => {
        log.push(['create', (options.initialPrompts ?? []).map(({ role }) => role)])
        return Promise.resolve({
          contextWindow: 1024,
          contextUsage: (options.initialPrompts ?? []).reduce(
            (sum, { content }) => sum + Math.ceil(content.length / 3),
            0,
          ),
          measureContextUsage: (text: string) => Promise.resolve(Math.ceil(text.length / 3)),
          promptStreaming: (text: string) => {
            const n = /\[(\d+)\] Tim Burton\n/.exec(text)?.[1]
            return new ReadableStream({
              start(stream) {
                for (const piece of ['Burbank ', `[${String(n)}`, ']']) stream.enqueue(piece)
                stream.close()
              },
            })
          },
          destroy: () => {
            log.push('destroy')
          },
        })
      },
    }
    Object.assign(globalThis, { LanguageModel, __log: log })
  })
  await openPage(page, demo.origin)
  await addFilms(page)
  await page.getByRole('button', { name: 'Language model' }).click()
  await page.getByRole('radio', { name: /^The one in this browser/ }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await ask(page, QUESTION)
  await expect(page.locator('.answer-text')).toHaveText(/^Burbank \d+$/)
  await expect(
    page.locator('.answer').getByText(/By the model in this browser, from \d+ of 1,024 tokens/),
  ).toBeVisible()
  await page.locator('.answer .cite').click()
  await expect(page.locator('.context-block:focus')).toContainText('born in Burbank')
  const log = await page.evaluate(() => (globalThis as unknown as { __log: unknown[] }).__log)
  expect(log.filter((entry) => entry === 'destroy').length, 'no session stays open').toBe(
    log.filter((entry) => entry !== 'destroy').length,
  )
})
