/** What Python's json module writes beyond JSON: NaN, Infinity, integers of any length. */

export interface PythonNumbers {
  /** JSON of the same, with null for numbers that are none, and texts for integers beyond 2^53. */
  readonly json: string
  readonly notFinite: number
  readonly tooLong: number
}

/** A string, or a number as Python writes it; what is in strings stays. Nothing can go back. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/gs

export function readPythonNumbers(text: string): PythonNumbers {
  let notFinite = 0,
    tooLong = 0
  const json = text.replace(TOKENS, (token) => {
    if (token.startsWith('"')) return token
    if (token === 'NaN' || token.endsWith('Infinity')) {
      notFinite++
      return 'null'
    }
    if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) {
      tooLong++
      return `"${token}"`
    }
    return token
  })
  return { json, notFinite, tooLong }
}

export function numberWarnings(notFinite: number, tooLong: number): string[] {
  return [
    notFinite > 0 &&
      `${notFinite} numbers of metadata are NaN or infinite; they were read as null.`,
    tooLong > 0 &&
      `${tooLong} whole numbers of metadata are beyond 2^53; they were kept as text, digit by digit.`,
  ].filter((warning) => warning !== false)
}
