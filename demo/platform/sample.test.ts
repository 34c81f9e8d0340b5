import { readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openTestEngine } from '../../src/testing/open_test_engine.ts'
import type { DocumentInput } from '../../src/types.ts'
import { fetchSample, fetchSampleQuestions, orderQuestions, SAMPLE } from './sample.ts'

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

  it('begins with a question whose answer names and words alone mark in the first quote', async () => {
    const questions = await file('queries.jsonl')
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(questions)))
    const [first] = await fetchSampleQuestions()
    const { answer: gold } = questions
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly question: string; readonly answer: string })
      .find(({ question }) => question === first)!
    const engine = await openTestEngine(
      (await file('corpus.jsonl'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as DocumentInput),
    )
    const { answer, reasoning } = await engine.retrieve(first!, { tier: 'text' })
    const { text, start, highlight } = answer.quotes[0]!
    expect(answer.state).toBe('found')
    expect(text.slice(highlight.start - start, highlight.end - start)).toBe(gold)
    expect(reasoning[0]!.nodes.at(-1)!.id).toBe(answer.quotes[0]!.documentId)
    await engine.close()
  })
})
