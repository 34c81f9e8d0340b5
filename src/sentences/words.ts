/** Length of a quote in words; scripts without spaces count two characters as one. */

const UNSPACED = new RegExp(
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}' +
    '\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]',
  'gu',
)

const WORDY = /[\p{L}\p{N}]/u

export function wordCount(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0,
    rest = unspaced === 0 ? text : text.replace(UNSPACED, ' ')
  return Math.ceil(unspaced / 2) + rest.split(/\s+/).filter((word) => WORDY.test(word)).length
}
