/** Length of a quote in words; scripts without spaces count two characters as one. */
import { UNSPACED_SCRIPTS } from '../lexical/words.ts'

const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'gu')

const WORDY = /[\p{L}\p{N}]/u

export function wordCount(text: string): number {
  const unspaced = text.match(UNSPACED)?.length ?? 0,
    rest = unspaced === 0 ? text : text.replace(UNSPACED, ' ')
  return Math.ceil(unspaced / 2) + rest.split(/\s+/).filter((word) => WORDY.test(word)).length
}
