import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { orderQuestions, SAMPLE } from './sample.ts'

const file = (name: string): Promise<string> => readFile(new URL(`../../public/samples/hotpotqa_train100/${name}`, import.meta.url), 'utf8')

describe('the sample corpus', () => {
  it('has the passages it promises, each with id, title and text, and names its licence', async () => {
    const lines = (await file('corpus.jsonl')).trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toHaveLength(SAMPLE.passages)
    for (const line of lines) expect([typeof line['id'], typeof line['title'], typeof line['text']]).toEqual(['string', 'string', 'string'])
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
