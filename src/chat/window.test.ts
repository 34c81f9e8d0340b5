import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LocalEngine } from '../engine/engine.ts'
import { isHubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { createTokenCounter } from '../pack/token_counter.ts'
import { openTestEngine } from '../testing/open_test_engine.ts'
import type { TokenCounter } from '../types.ts'
import { prepareChat } from './prepare_chat.ts'

/** A seeded draw: the same texts and windows in every run. */
let state = 8
const next = (most: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * most)
}
const pick = <T>(from: readonly T[]): T => from[next(from.length)]!
const many = (count: number, make: () => string): string =>
  Array.from({ length: count }, make).join('')

/**
 * Sentences of a kind: of a language, or of letters drawn at random. Random Cyrillic, Devanagari,
 * Thai, kana and Hangul are not among them: the estimate is of language there, and can be too low.
 */
const drawn = (from: number, size: number, gap: string) => (): string =>
  many(8 + next(20), () => many(1 + next(9), () => String.fromCodePoint(from + next(size))) + gap) +
  '. '
const KINDS: Readonly<Record<string, () => string>> = {
  english: () =>
    `The harbour of ${pick(['Bergen', 'Oslo', 'Lyon'])} was built by workers in ${1800 + next(200)}. `,
  german: () => 'Die Datenschutzgrundverordnung gilt für Straßenbahnen nicht. ',
  latin: drawn(97, 26, ' '),
  russian: () => `Лодочная пристань номер ${next(99)} открыта утром, и билеты продают на берегу. `,
  greek: drawn(0x3b1, 24, ' '),
  arabic: drawn(0x627, 36, ' '),
  hindi: () => `बंदरगाह संख्या ${next(99)} सुबह खुलता है और टिकट किनारे पर मिलते हैं। `,
  thai: () => `ท่าเรือหมายเลข ${next(99)} เปิดในตอนเช้าและขายตั๋วที่ชายฝั่ง `,
  chinese: drawn(0x4e00, 8000, ''),
  japanese: () => `第${next(99)}港は朝に開き、切符は岸辺で売られています。`,
  korean: () => `${next(99)}번 항구는 아침에 열리고 표는 물가에서 팝니다. `,
  emoji: drawn(0x1f300, 700, ''),
  rare: drawn(0x10330, 27, ' '),
  digits: () => many(12, () => `${next(1e9)}.${next(1e5)} `),
  code: () =>
    `  if (a[${next(99)}]?.b !== null && !!x_${next(99)}) { return {...c, d: /\\s+/g} }\n`,
  controls: () => many(20, () => pick(['\u0301', '\u200b', '\t\t', '﷽', '\u{e0041}'])) + 'a. ',
}
const NAMES = Object.keys(KINDS)

let engine: LocalEngine
let counters: readonly (readonly [string, TokenCounter])[] = []
beforeAll(async () => {
  engine = await openTestEngine(
    NAMES.flatMap((kind) =>
      Array.from({ length: 4 }, (_, i) => ({
        id: `${kind}-${i}`,
        title: KINDS[kind]!().slice(0, 40),
        text: many(20, KINDS[kind]!),
      })),
    ),
  )
  counters = [
    ['o200k', await createTokenCounter('o200k')],
    ['cl100k', await createTokenCounter('cl100k')],
  ]
})
afterAll(() => engine.close())

describe('a window, counted by real tokenizers', () => {
  it.each(NAMES)('is never overrun: %s', async (kind) => {
    let fitted = 0
    for (let run = 0; run < 12; run++) {
      const windowTokens = 600 + next(6000),
        answerTokens = 50 + next(300),
        question = KINDS[kind]!().slice(0, 20 + next(200)),
        history = Array.from({ length: next(3) }, () => ({
          role: 'user' as const,
          content: KINDS[pick(NAMES)]!().slice(0, 200),
        }))
      const chat = await prepareChat(engine, question, {
        ...{ windowTokens, answerTokens, history },
        retrieve: { fill: run % 2 === 0 },
      }).catch((error: unknown) => {
        // too small for its question and history, and told so
        if (isHubmeshError(error) && error.code === 'input/too-large') return null
        throw error
      })
      if (chat === null) continue
      fitted++
      for (const [name, count] of counters) {
        const real = chat.messages.reduce(
          (sum, { content }) => sum + count(content) + LIMITS.chatMessageTokens,
          0,
        )
        expect(real + answerTokens, `${name}, a window of ${windowTokens}`).toBeLessThanOrEqual(
          windowTokens,
        )
      }
    }
    expect(fitted).toBeGreaterThan(5)
  })
})
