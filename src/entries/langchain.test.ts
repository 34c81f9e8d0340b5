import { StringOutputParser } from '@langchain/core/output_parsers'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { RunnableLambda, RunnablePassthrough, RunnableSequence } from '@langchain/core/runnables'
import type { Document } from '@langchain/core/documents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HubmeshRetriever } from './langchain.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { LocalEngine } from '../engine/engine.ts'

const documents = [
  {
    id: 'ed-wood',
    title: 'Ed Wood',
    text: 'Ed Wood is a 1994 film directed by Tim Burton about the maker of cheap films.',
    metadata: { year: 1994 },
  },
  {
    id: 'burton',
    title: 'Tim Burton',
    text: 'Tim Burton is an American director. He was born in Burbank, California.',
  },
]
const QUESTION = 'Where was the director of Ed Wood born?'
let engine: LocalEngine
beforeAll(async () => {
  engine = await openTestEngine(documents)
})
afterAll(() => engine.close())

describe('a corpus as a retriever of LangChain', () => {
  it('gives ranked passages with the spans they came from', async () => {
    const found = await new HubmeshRetriever({ engine }).invoke(QUESTION)
    expect(found.map(({ metadata }) => metadata.documentId).sort()).toEqual(['burton', 'ed-wood'])
    for (const [i, { id, pageContent, metadata }] of found.entries()) {
      const stored = documents.find((document) => document.id === metadata.documentId)!
      expect(id).toBe(`${stored.id}#0`)
      expect(metadata).toMatchObject({ title: stored.title, rank: i + 1 })
      expect(metadata.spans.map(({ start, end }) => stored.text.slice(start, end))).toEqual([
        pageContent,
      ])
    }
    expect(
      found.find(({ metadata }) => metadata.documentId === 'ed-wood')!.metadata.metadata,
    ).toEqual({ year: 1994 })
    expect(found[0]!.metadata.score).toBeGreaterThan(found[1]!.metadata.score!)
  })

  it('gives the blocks of a context within the budget instead', async () => {
    const found = await new HubmeshRetriever({
      engine,
      documents: 'context',
      retrieve: { budgetTokens: 60, excludeDocs: ['ed-wood'] },
    }).invoke(QUESTION)
    expect(found).toHaveLength(1)
    expect(documents[1]!.text.startsWith(found[0]!.pageContent.slice(0, 20))).toBe(true)
  })

  it('stands in a chain like any other', async () => {
    const stuff = RunnableLambda.from((found: Document[]) =>
      found.map(({ pageContent }) => pageContent).join('\n'),
    )
    const seen: string[] = []
    const chain = RunnableSequence.from([
      {
        context: new HubmeshRetriever({ engine }).pipe(stuff),
        question: new RunnablePassthrough<string>(),
      },
      ChatPromptTemplate.fromTemplate('{context}\n\n{question}'),
      new RunnableLambda({
        func: (value: { toString(): string }) => {
          seen.push(value.toString())
          return value
        },
      }) as never,
      new FakeListChatModel({ responses: ['In Burbank.'] }),
      new StringOutputParser(),
    ])
    expect(await chain.invoke(QUESTION)).toBe('In Burbank.')
    expect(seen[0]).toContain('He was born in Burbank')
    expect(seen[0]).toContain(QUESTION)
  })

  it("is told to callbacks, runs in batches, and is cancelled by a config's signal", async () => {
    const heard: string[] = [],
      retriever = new HubmeshRetriever({ engine })
    await retriever.invoke(QUESTION, {
      callbacks: [
        {
          handleRetrieverStart: () => {
            heard.push('start')
          },
          handleRetrieverEnd: (found) => {
            heard.push(`end ${found.length}`)
          },
        },
      ],
    })
    expect(heard).toEqual(['start', 'end 2'])
    expect((await retriever.batch([QUESTION, 'Tim Burton'])).map((found) => found.length)).toEqual([
      2, 2,
    ])
    const signals: (AbortSignal | undefined)[] = [],
      controller = new AbortController()
    const spied = new HubmeshRetriever({
      engine: {
        retrieve: (query, options) => {
          signals.push(options?.signal)
          return engine.retrieve(query, options)
        },
      },
    })
    controller.abort()
    await expect(spied.invoke(QUESTION, { signal: controller.signal })).rejects.toThrow()
    await spied.invoke(QUESTION)
    expect(signals.at(-1), "one call's signal is not the next one's").toBeUndefined()
  })

  it('hands on what goes wrong under its code', async () => {
    await expect(
      new HubmeshRetriever({ engine, retrieve: { topK: 0 } }).invoke(QUESTION),
    ).rejects.toMatchObject({ code: 'input/invalid' })
  })
})
