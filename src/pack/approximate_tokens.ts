/**
 * An upper bound of what byte-pair encoders count, without their vocabulary.
 *
 * Calibrated as an upper bound of both o200k and cl100k on texts of 200 tokens or more: English,
 * twenty other languages, code and JSON. A word costs by its length, and by whether its line reads
 * like English, whose longer words are in those vocabularies; a digit by groups of three; a letter
 * of another script by what its script costs. Costs are whole hundredths, so sums are exact, and
 * lines are counted apart, so texts joined by line ends add up.
 */
import { FNV_OFFSET, fnv1a, fnv1aStep } from '../base/hash.ts'
import { STOP_WORDS } from '../lexical/stop_words.ts'

/** Costs are whole hundredths of a token. */
export const TOKEN = 100

const NONE = 0,
  LOWER = 1,
  UPPER = 2,
  LATIN = 3,
  DIGIT = 4,
  SIGN = 5,
  BLANK = 6,
  LINE = 7

/** Kinds of units; NONE: each costs what UNIT_COST says. */
const KIND = new Uint8Array(0x10000)
/** Hundredths of a token of a unit outside words, numbers and runs of signs. */
const UNIT_COST = new Uint16Array(0x10000).fill(300)

const SCRIPTS: readonly (readonly [from: number, to: number, cost: number])[] = [
  [0x370, 0x3ff, 115],
  [0x400, 0x52f, 56],
  [0x590, 0x5ff, 132],
  [0x600, 0x6ff, 115],
  [0x900, 0x97f, 130],
  [0x980, 0x9ff, 170],
  [0xb80, 0xbff, 170],
  [0xe00, 0xe7f, 110],
  [0x1100, 0x11ff, 300],
  [0x1780, 0x17ff, 200],
  [0x2000, 0x206f, 100],
  [0x2070, 0x2bff, 200],
  [0x3000, 0x303f, 110],
  [0x3040, 0x30ff, 115],
  [0x3400, 0x4dbf, 300],
  [0x4e00, 0x9fff, 150],
  [0xac00, 0xd7af, 135],
  [0xd800, 0xdfff, 175],
  [0xff00, 0xffef, 200],
]
for (const [from, to, cost] of SCRIPTS) UNIT_COST.fill(cost, from, to + 1)
for (const mark of '，。：；！？（）、「」') UNIT_COST[mark.charCodeAt(0)] = 100
KIND.fill(SIGN, 0x21, 0x7f).fill(BLANK, 0, 0x21)
KIND.fill(DIGIT, 0x30, 0x3a).fill(UPPER, 0x41, 0x5b).fill(LOWER, 0x61, 0x7b)
KIND.fill(LATIN, 0xc0, 0x250).fill(LATIN, 0x1e00, 0x1f00)
KIND[0x0a] = KIND[0x0d] = LINE

/** Hundredths of a word of so many letters where the line reads like English, and elsewhere. */
const LONGEST = 25
const ENGLISH = costs(
  [100, 100, 100, 103, 109, 115, 122, 135, 149, 164, 182, 200, 220, 248, 287],
  45,
)
const OTHER = costs([104, 114, 136, 174, 212, 248, 292, 330, 366, 404, 440, 478, 514, 548, 582], 45)
/** A letter beyond ASCII within a word; of Vietnamese and the like. */
const ACCENT = 38,
  RARE_ACCENT = 95
/** Each letter of a run that no language would write, and of a word in capitals. */
const UNSPEAKABLE = 80,
  CAPITALS = 58
const CONSONANTS = 5
/** More, as a share, where an English line's words are long, and where many are names. */
const TECHNICAL = 0.16,
  NAMED = 0.18
/** More for letters that a digit follows: parts of codes. */
const BESIDE_DIGIT = 32
/** Less for signs that a letter follows. */
const BEFORE_LETTER = 45
/** A further sign of a run: `});` is often one token, `&^%` three. */
const NEXT_SIGN = 67
/** Share of an English line's words that are stop words, from which it counts as one, and fully. */
const LEAST_ENGLISH = 0.08,
  FULLY_ENGLISH = 0.3
const CODE =
  'const let var return import export function class interface string number boolean else true ' +
  'false null undefined void readonly type def self public private static async await https www ' +
  'http com src span div width height color'
const COMMON: ReadonlySet<number> = new Set(
  [...[...STOP_WORDS].filter((word) => word.length > 1), ...CODE.split(' ')].map((word) =>
    fnv1a(word),
  ),
)
/** The same for the European languages of which the vocabularies know many words. */
const LEAST_EUROPEAN = 0.05,
  FULLY_EUROPEAN = 0.25,
  EUROPEAN = 0.76
const EUROPEAN_WORDS: ReadonlySet<number> = new Set(
  (
    'de la el los las que en un una por con para del se no es der die das und ist von mit den nicht ' +
    'zu ein eine im le les des et est dans une pour du sur il di che per non della da do em os as ' +
    'um uma het van een'
  )
    .split(' ')
    .map((word) => fnv1a(word)),
)
/** Letters that random text has far more of than any language; from this share a line is random. */
const ODD_LETTERS = new Uint8Array(0x10000)
for (const odd of 'jqxJQX') ODD_LETTERS[odd.charCodeAt(0)] = 1
const ODD_SHARE = 0.08,
  FEWEST_LETTERS = 20,
  RANDOM_LETTER = 75
/** Han of which every text of some length has many; without them its characters are rare ones. */
const COMMON_HAN = new Uint8Array(0x10000)
for (const han of '的一是不了人我在有他这這中大来來上国國和地到以说說时時要就出会會可也你对對生能而子那得于於着下自之年用本日行定文法件入型')
  COMMON_HAN[han.charCodeAt(0)] = 1
const FEWEST_HAN = 20,
  COMMON_HAN_SHARE = 0.1,
  RARE_HAN = 120
const VOWELS = new Uint8Array(0x10000)
for (const vowel of 'aeiouyAEIOUY') VOWELS[vowel.charCodeAt(0)] = 1

function costs(byLength: readonly number[], further: number): Uint16Array {
  return Uint16Array.from({ length: LONGEST + 1 }, (_, length) =>
    length === 0
      ? 0
      : (byLength[length - 1] ??
        (byLength.at(-1) as number) + further * (length - byLength.length)),
  )
}

/** At least what o200k and cl100k count; over English text by about a tenth. */
export function approximateTokens(text: string): number {
  return Math.ceil(approximateCost(text) / TOKEN)
}

/** The same in hundredths; those of lines add up. */
export function approximateCost(text: string): number {
  return new TokenEstimate().add(text).hundredths
}

/** Adds up texts that follow each other; a line end between them makes the sum exact. */
class TokenEstimate {
  private total = 0
  private words = 0
  private common = 0
  private european = 0
  private letters = 0
  private odd = 0
  private names = 0
  private han = 0
  private commonHan = 0
  private english = 0
  private other = 0
  private fixed = 0

  /** Hundredths of a token so far. */
  get hundredths(): number {
    return this.total + this.lineCost()
  }

  add(text: string): this {
    for (let at = 0; at < text.length;) {
      const unit = text.charCodeAt(at),
        kind = KIND[unit] as number
      switch (kind) {
        case LOWER:
        case UPPER:
        case LATIN:
          at = this.word(text, at)
          break
        case DIGIT:
          at = this.run(text, at, DIGIT, 100, 36)
          break
        case SIGN:
          at = this.signs(text, at)
          break
        case BLANK:
          at = this.blanks(text, at)
          break
        case LINE:
          at = this.run(text, at, LINE, 100, 0)
          this.total += this.lineCost()
          this.words = this.common = this.european = this.letters = this.odd = 0
          this.names = this.han = this.commonHan = 0
          this.english = this.other = this.fixed = 0
          break
        default:
          if (unit >= 0x4e00 && unit <= 0x9fff) {
            this.han++
            if (COMMON_HAN[unit] === 1) this.commonHan++
          }
          this.fixed += UNIT_COST[unit] as number
          at++
      }
    }
    return this
  }

  private lineCost(): number {
    const { words, letters } = this
    if (this.han >= FEWEST_HAN && this.commonHan < COMMON_HAN_SHARE * this.han)
      return this.fixed + RARE_HAN * this.han + this.other
    if (words === 0) return this.fixed
    if (letters >= FEWEST_LETTERS && this.odd > ODD_SHARE * letters)
      return this.fixed + Math.max(this.other, RANDOM_LETTER * letters)
    const rare =
        TECHNICAL * share(letters / words, 4.9, 6.2) + NAMED * share(this.names / words, 0.16, 0.4),
      english = share(this.common / words, LEAST_ENGLISH, FULLY_ENGLISH),
      european = share(this.european / words, LEAST_EUROPEAN, FULLY_EUROPEAN),
      other = this.other * (1 - european * (1 - EUROPEAN))
    return this.fixed + Math.ceil(english * (1 + rare) * this.english + (1 - english) * other)
  }

  private run(text: string, at: number, kind: number, first: number, next: number): number {
    const start = at
    while (at < text.length && KIND[text.charCodeAt(at)] === kind) at++
    this.fixed += first + next * (at - start - 1)
    return at
  }

  /** A sign before a letter is mostly one token with it. */
  private signs(text: string, start: number): number {
    const at = this.run(text, start, SIGN, TOKEN, NEXT_SIGN),
      next = KIND[text.charCodeAt(at)]
    if (next === LOWER || next === UPPER) this.fixed -= BEFORE_LETTER
    return at
  }

  /** One blank belongs to the word behind it, not to a number; more are a token of their own. */
  private blanks(text: string, at: number): number {
    const start = at
    while (at < text.length && KIND[text.charCodeAt(at)] === BLANK) at++
    const next = KIND[text.charCodeAt(at)]
    if (at - start > 1) this.fixed += TOKEN
    if (text.charCodeAt(at - 1) !== 0x20 || next === DIGIT || next === NONE) this.fixed += TOKEN
    return at
  }

  /** A word up to its end or to a capital after a small letter: `camelCase` is two. */
  private word(text: string, start: number): number {
    let at = start,
      hash = FNV_OFFSET,
      accents = 0,
      capitals = 0,
      consonants = 0,
      most = 0,
      before = UPPER
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at),
        kind = KIND[unit] as number
      if (kind === UPPER) {
        if (before !== UPPER) break
        capitals++
      } else if (kind === LATIN) accents += unit >= 0x100 ? RARE_ACCENT : ACCENT
      else if (kind !== LOWER) break
      hash = fnv1aStep(hash, kind === UPPER ? unit | 32 : unit)
      this.odd += ODD_LETTERS[unit] as number
      consonants = VOWELS[unit] === 1 || kind === LATIN ? 0 : consonants + 1
      if (consonants > most) most = consonants
      before = kind
    }
    this.letters += at - start
    if (COMMON.has(hash)) this.common++
    if (EUROPEAN_WORDS.has(hash)) this.european++
    if (KIND[text.charCodeAt(at)] === DIGIT) this.fixed += BESIDE_DIGIT
    this.price(at - start, accents, capitals, most)
    return at
  }

  private price(length: number, accents: number, capitals: number, consonants: number): void {
    this.words++
    if (consonants >= CONSONANTS && !(capitals <= 1 && consonants === CONSONANTS)) {
      this.fixed += Math.max(TOKEN, (capitals === length ? CAPITALS + 12 : UNSPEAKABLE) * length)
      return
    }
    if (capitals > 1) {
      this.fixed += TOKEN + CAPITALS * (length - 1)
      return
    }
    const at = Math.min(length, LONGEST),
      beyond = UNSPEAKABLE * (length - at)
    this.names += capitals
    this.english += (ENGLISH[at] as number) + beyond + accents
    this.other += (OTHER[at] as number) + beyond + accents
  }
}

function share(value: number, least: number, full: number): number {
  return Math.min(1, Math.max(0, (value - least) / (full - least)))
}
