import { readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fetchSample, orderQuestions, SAMPLE } from './sample.ts'

const file = (name: string): Promise<string> =>
  readFile(new URL(`../../public/samples/hotpotqa_train100/${name}`, import.meta.url), 'utf8')

describe('the sample corpus', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('says that the server is at fault when it cannot be fetched, and is silent about a cancellation', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 404 })))
    await expect(fetchSample(new AbortController().signal)).rejects.toMatchObject({
      code: 'remote/unavailable',
      message: 'The sample corpus could not be fetched: its server answered 404.',
    })
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(fetchSample(new AbortController().signal)).rejects.toMatchObject({
      code: 'remote/unavailable',
    })
    vi.stubGlobal('fetch', () => Promise.reject(new DOMException('x', 'AbortError')))
    await expect(fetchSample(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('has the passages it promises, each with id, title and text, and names its licence', async () => {
    const lines = (await file('corpus.jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toHaveLength(SAMPLE.passages)
    for (const line of lines)
      expect([typeof line['id'], typeof line['title'], typeof line['text']]).toEqual([
        'string',
        'string',
        'string',
      ])
    expect(await file('LICENSE.txt')).toContain('CC BY-SA 4.0')
  })

  it('offers its questions, the chosen ones first and none twice', async () => {
    const text = await file('queries.jsonl')
    const plain = orderQuestions(text, [])
    const chosen = plain[40]!
    const ordered = orderQuestions(text, [chosen, 'never asked'])
    expect(ordered[0]).toBe(chosen)
    expect([...ordered].sort()).toEqual([...plain].sort())
  })
})
