/** Words of a question that ask, and say nothing of what is asked: no terms. */
import type { Language } from '../lexical/languages.ts'
import { lowerWords } from '../lexical/words.ts'
import { STOP_WORDS } from '../lexical/stop_words.ts'
import type { WordBuffer } from '../lexical/word_buffer.ts'

/**
 * How questions begin and end in scripts without blanks. Their pairs of characters are common
 * words of questions and hold none of their subject.
 */
export const PHRASES = new RegExp(
  [
    // Japanese
    'とは(?:何|なん|どのような(?:もの|こと))?(?:ですか|でしょうか|だろうか|か)?',
    '(?:について|に関して)?(?:教えて(?:ください|下さい)?|説明して(?:ください|下さい)?)',
    '(?:は|が|を|に|で)?(?:どこ|いつ|だれ|誰|なぜ|どう|どの|どれ|いくら|いくつ|何|なに)' +
      '(?:が|を|に|で|は|から|まで)?(?:あります|います|です|ました|します|でしょう)?か?',
    '(?:ですか|ますか|でしょうか|ましたか|ありますか|いますか)',
    // Chinese
    '(?:请问|什么是|是什么|什么|什麼是|是什麼|什麼|怎么样?|怎麼樣?|如何|为什么|為什麼|哪里|哪裡|哪个|哪些|多少|是谁|谁是|谁|几个|吗|呢)',
    // Korean
    '(?:은|는|이|가|을|를)?\\s?(?:무엇|뭐|누구|어디|언제|왜|어떻게|얼마|어느)' +
      '(?:입니까|인가요|이에요|예요|인가|에\\s?있습니까|에\\s?있나요|을|를|가)?',
    '(?:입니까|인가요|합니까|하나요|습니까)',
    // Thai
    '(?:คืออะไร|อะไร|ที่ไหน|เมื่อไร|เมื่อไหร่|อย่างไร|ทำไม|เท่าไร|เท่าไหร่|ใคร|หรือไม่|ไหม)',
  ].join('|'),
  'gu',
)

/** Says of word `i`, spelt so, whether it only asks; of no word where all would. */
export function formalWords(
  text: string,
  words: WordBuffer,
  languages: readonly Language[],
): (word: string, i: number) => boolean {
  const { stopWords } = questionLanguage(text, languages) ?? { stopWords: NONE },
    phrases = [...text.matchAll(PHRASES)].map(({ index, 0: { length } }) => [index, index + length])
  const inPhrase = Array.from({ length: words.length }, (_, i) =>
    phrases.some(([from, to]) => words.starts[i]! >= from! && words.ends[i]! <= to!),
  )
  const isFormal = (word: string, i: number): boolean => inPhrase[i]! || stopWords.has(word)
  const others = lowerWords(text).some((word, i) => !isFormal(word, i) && !STOP_WORDS.has(word))
  return others ? isFormal : () => false
}

const NONE: ReadonlySet<string> = new Set()

/** The language of which a question has most stop words, and more than of English; or none. */
function questionLanguage(text: string, languages: readonly Language[]): Language | null {
  const words = lowerWords(text)
  let best: Language | null = null,
    most = words.filter((word) => STOP_WORDS.has(word)).length
  for (const language of languages) {
    const count = words.filter((word) => language.stopWords.has(word)).length
    if (count > most) [best, most] = [language, count]
  }
  return best
}
