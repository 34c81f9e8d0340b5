import { describe, expect, it } from 'vitest'
import { EN } from './en/index.ts'
import { JA } from './ja/index.ts'
import { preferredLanguage, speak, words } from './words.ts'
import { ZH } from './zh/index.ts'

/** Paths of all words, and whether each is a text or a function. */
function shape(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`]
  if (Array.isArray(value)) return [`${path}: list of ${String(value.length)}`]
  return Object.entries(value).flatMap(([key, part]) => shape(part, `${path}/${key}`))
}

describe('languages', () => {
  it.each([
    ['zh', ZH],
    ['ja', JA],
  ])('%s says all that English says', (_, other) => {
    expect(shape(other)).toEqual(shape(EN))
  })

  it('are chosen by the browser, and English where none is spoken', () => {
    expect(preferredLanguage(['fr', 'ja-JP', 'en'])).toBe('ja')
    expect(preferredLanguage(['zh-TW'])).toBe('zh')
    expect(preferredLanguage(['tlh'])).toBe('en')
  })

  it('can be switched', async () => {
    expect(await speak('zh')).toBe('zh')
    expect(words().page.settings).toBe('设置')
    expect(await speak('en')).toBe('en')
    expect(words().page.settings).toBe('Settings')
  })
})
