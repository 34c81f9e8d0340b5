import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { approximateTokens } from './approximate_tokens.ts'
import { createTokenCounter } from './token_counter.ts'

const require = createRequire(import.meta.url)
const [o200k, cl100k] = await Promise.all([
  createTokenCounter('o200k'),
  createTokenCounter('cl100k'),
])
const counted = (text: string): number => Math.max(o200k(text), cl100k(text))

/** Texts of some 1,100 units, which are 200 tokens or more. */
function cuts(text: string): string[] {
  const out: string[] = []
  for (let at = 0; at + 1100 <= text.length && out.length < 60; at += 1100)
    out.push(text.slice(at, at + 1100))
  return out.filter((cut) => counted(cut) >= 200)
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('${') ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}

/** The compiler's messages and those of axe, in the language of the folder or file. */
function messages(language: string): string {
  const compiler = require.resolve('typescript').replace(/typescript\.js$/, ''),
    file = language.includes('/')
      ? require.resolve(`axe-core/locales/${language.slice(4)}.json`)
      : `${compiler}${language}/diagnosticMessages.generated.json`
  return strings(JSON.parse(readFileSync(file, 'utf8')))
    .filter((message) => message.length > 40)
    .map((message) => message.replace(/['"{}\d]/g, ''))
    .join('\n')
}

describe('the approximate count', () => {
  it.each([
    'de',
    'fr',
    'es',
    'it',
    'ja',
    'ko',
    'pl',
    'pt-br',
    'ru',
    'tr',
    'zh-cn',
    'zh-tw',
    'axe/el',
    'axe/he',
    'axe/da',
    'axe/sv',
  ])('is never under o200k and cl100k in %s', (language) => {
    const texts = cuts(messages(language))
    expect(texts.length).toBeGreaterThan(3)
    const under = texts.filter((text) => approximateTokens(text) < counted(text))
    expect(under).toEqual([])
  })

  it('is never under them on code and JSON', () => {
    const code = readFileSync(require.resolve('typescript'), 'utf8').slice(200_000, 300_000),
      json = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')
    for (const text of [...cuts(code), ...cuts(json)])
      expect(approximateTokens(text)).toBeGreaterThanOrEqual(counted(text))
  })

  it.each([
    ['small letters', 'abcdefghijklmnopqrstuvwxyz'],
    ['capitals', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
    ['base64', 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/'],
    ['hex', '0123456789abcdef'],
    ['digits', '0123456789'],
    ['signs', '!@#$%^&*()-_=+[]{};:,.<>/?'],
    ['emoji', '😀🎉👩🚀❤️🔥🇩🇪✨👍🏽'],
    ['phonetic letters', 'ɐɑɒɓʔʕʘǁǂ'],
    ['mathematics', '∀∂∃∅∈∑√∞≈≠𝒜𝔅'],
    ['runes', 'ᚠᚢᚦᚨᚱᚲ'],
  ])('is never under them on random %s', (_kind, alphabet) => {
    const letters = [...alphabet]
    let state = 7
    const next = (): number => (state = (state * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff
    for (let round = 0; round < 20; round++) {
      const text = Array.from({ length: 500 }, () => letters[Math.floor(next() * letters.length)])
      expect(approximateTokens(text.join(''))).toBeGreaterThanOrEqual(counted(text.join('')))
    }
  })

  const english = new URL('../../../shared/data/hotpotqa/corpus.jsonl', import.meta.url)
  it.skipIf(!existsSync(english))('is over English prose by at most 15 %', () => {
    const text = readFileSync(english, 'utf8')
      .split('\n')
      .slice(0, 600)
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { text: string }).text)
      .join('\n')
    expect(approximateTokens(text)).toBeGreaterThanOrEqual(counted(text))
    expect(approximateTokens(text)).toBeLessThanOrEqual(1.15 * counted(text))
  })

  it('of lines adds up', () => {
    const lines = ['The house is old.', 'function a(b) { return b }', '東京は日本の首都である。']
    const sum = lines.reduce((tokens, line) => tokens + approximateTokens(`${line}\n`), 0)
    expect(approximateTokens(`${lines.join('\n')}\n`)).toBeLessThanOrEqual(sum)
    expect(approximateTokens('')).toBe(0)
  })
})
