import { expect, it } from 'vitest'
import { CALL_NAMES, specOf } from '../engine/calls.ts'
import { createEngine as createInNode } from '../node.ts'
import { checkOptions, nearest, type KnownOptions } from './options.ts'
import { createEngine as createInPage } from '../rpc/create_engine.ts'

const KNOWN: KnownOptions<{ topK?: number; budgetTokens?: number; seedEntities?: string[] }> = {
  topK: true,
  budgetTokens: true,
  seedEntities: true,
}

it('names the option nobody knows, and the nearest one that is', () => {
  const said = (given: unknown): { readonly message: string; readonly details: unknown } | null => {
    try {
      checkOptions('retrieve()', given, KNOWN)
    } catch (error) {
      return error as { message: string; details: unknown }
    }
    return null
  }
  expect(said({ topK: 3, budgetTokens: undefined })).toBeNull()
  expect(said({ top_k: 3 })).toMatchObject({
    message:
      'retrieve() has no option "top_k"; did you mean "topK"? It has topK, budgetTokens, seedEntities.',
    details: { option: 'top_k', nearest: 'topK' },
  })
  expect(said({ seed_entities: [] })).toMatchObject({ details: { nearest: 'seedEntities' } })
  expect(said({ budget: 3 })).toMatchObject({ details: { nearest: 'budgetTokens' } })
  expect(said({ quite_another_thing: 1 })).toMatchObject({
    message:
      'retrieve() has no option "quite_another_thing"; it has topK, budgetTokens, seedEntities.',
    details: { option: 'quite_another_thing' },
  })
  expect(said({ ['x'.repeat(500)]: 1 })?.message.length).toBeLessThan(150)
  expect(said(JSON.parse('{ "__proto__": 1 }'))).toMatchObject({ details: { option: '__proto__' } })
  for (const wrong of [null, 3, 'topK', []])
    expect(said(wrong)).toMatchObject({ message: 'retrieve() takes an object of options.' })
})

it('prefers fewer slips, and the first of equals', () => {
  expect(nearest('rankng', ['corpus', 'ranking', 'rank'])).toBe('ranking')
  expect(nearest('ab', ['ax', 'ay'])).toBe('ax')
  expect(nearest('zzz', ['corpus'])).toBeNull()
})

it('is asked by createEngine in a page and in Node before anything is opened', async () => {
  for (const create of [createInPage, createInNode]) {
    await expect(create({ corpus: 'x', modle: null } as never)).rejects.toMatchObject({
      code: 'input/invalid',
      details: { option: 'modle', nearest: 'model' },
    })
    await expect(create(undefined as never)).rejects.toMatchObject({ code: 'input/invalid' })
  }
  await expect(
    createInPage({ corpus: 'x', planner: { detectCommunities: () => new Map() } }),
  ).rejects.toMatchObject({ details: { option: 'planner.detectCommunities' } })
})

it('is asked by every call of an engine that takes options', async () => {
  const engine = await createInNode({ corpus: 'options', model: null }),
    wrong = { limitt: 1 } as never
  const given: Partial<Record<string, readonly unknown[]>> = {
    add: [{ id: 'a', text: 'A text.' }],
    update: [{ id: 'a', text: 'A text.' }],
    import: [new Uint8Array()],
    mergeNames: [['a', 'b']],
    addRelations: [[]],
    ready: ['text'],
  }
  for (const call of CALL_NAMES) {
    const { args, options } = specOf(call)
    if (options === null) continue
    const before = given[call] ?? Array.from({ length: args }, () => 'a'),
      run = engine[call] as (...all: unknown[]) => Promise<unknown>
    await expect(run(...before, wrong), call).rejects.toMatchObject({
      code: 'input/invalid',
      details: { option: 'limitt' },
    })
  }
  expect((await engine.status()).documents).toBe(0)
  await engine.close()
})
