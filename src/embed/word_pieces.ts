/**
 * What of a text reaches a BERT model: a linear cut before the tokenizer, and [CLS] pieces [SEP]
 * after it. transformers.js cuts a long text without its closing [SEP], so it must never cut.
 */
import { LIMITS } from '../base/limits.ts'

/**
 * The text for the tokenizer: white space collapsed, runs of word characters broken every
 * LIMITS.wordChars (BERT makes one [UNK] of longer ones, and other tokenizers are quadratic in
 * them), cut where no further word piece can count. Linear in what is kept.
 */
export function prepareText(text: string, pieces: number = LIMITS.modelTokens): string {
  const room = pieces * (LIMITS.wordChars + 1)
  const parts: string[] = []
  let kept = 0
  let from = 0
  let run = 0
  let i = 0
  const flush = (end: number, gap: string): void => {
    if (end > from) {
      parts.push(text.slice(from, end), gap)
      kept += end - from + gap.length
    }
  }
  while (i < text.length && kept + (i - from) < room) {
    const unit = text.charCodeAt(i)
    if (isSpace(unit)) {
      flush(i, ' ')
      do i++
      while (i < text.length && isSpace(text.charCodeAt(i)))
      from = i
      run = 0
      continue
    }
    if (isBreak(unit)) {
      run = 0
    } else if (run >= LIMITS.wordChars && !isLowSurrogate(unit)) {
      flush(i, ' ')
      from = i
      run = 1
    } else {
      run++
    }
    i++
  }
  flush(i, '')
  return parts.join('')
}

/** One run's token ids: [CLS], at most `pieces` word pieces, [SEP]. */
export function framePieces(
  ids: readonly number[],
  cls: number,
  sep: number,
  pieces: number = LIMITS.modelTokens,
): BigInt64Array {
  const count = Math.min(ids.length, pieces)
  const framed = new BigInt64Array(count + 2)
  framed[0] = BigInt(cls)
  for (let i = 0; i < count; i++) framed[i + 1] = BigInt(ids[i]!)
  framed[count + 1] = BigInt(sep)
  return framed
}

function isSpace(unit: number): boolean {
  return (
    unit === 0x20 ||
    (unit >= 0x09 && unit <= 0x0d) ||
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000
  )
}

/** Punctuation, and the ideographs that BERT makes a word each. */
function isBreak(unit: number): boolean {
  if (unit < 0x80)
    return !(
      (unit >= 0x30 && unit <= 0x39) ||
      (unit >= 0x41 && unit <= 0x5a) ||
      (unit >= 0x61 && unit <= 0x7a) ||
      unit < 0x20 ||
      unit === 0x7f
    )
  return (
    (unit >= 0x2010 && unit <= 0x206f) ||
    (unit >= 0x3001 && unit <= 0x303f) ||
    (unit >= 0x3400 && unit <= 0x9fff) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0xff01 && unit <= 0xff0f)
  )
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
