/** The script of a text, for models that read one alone. */

/** Units looked at: a passage is of one script long before. */
const LOOKED_AT = 400

/** Whether at least half of a text's letters are Latin; a text without letters is. */
export function isLatin(text: string): boolean {
  let latin = 0,
    other = 0
  const end = Math.min(text.length, LOOKED_AT)
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at)
    if (isLatinLetter(unit)) latin++
    else if (isOtherLetter(unit)) other++
  }
  return latin >= other
}

function isLatinLetter(unit: number): boolean {
  if (unit < 128) return (unit | 32) >= 97 && (unit | 32) <= 122
  return (unit >= 0xc0 && unit < 0x250) || (unit >= 0x1e00 && unit < 0x1f00)
}

/** By blocks: from Greek on, without marks, signs and surrogates. */
function isOtherLetter(unit: number): boolean {
  return (
    (unit >= 0x370 && unit < 0x1e00) ||
    (unit >= 0x1f00 && unit < 0x2000) ||
    (unit >= 0x2c00 && unit < 0x2e00) ||
    (unit >= 0x3040 && unit < 0xd800) ||
    (unit >= 0xf900 && unit < 0xfe00)
  )
}
