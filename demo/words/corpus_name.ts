/** How a person's words become a corpus name that the engine takes, and how a name is shown. */
import { SAMPLE } from '../platform/sample.ts'
import { words } from './words.ts'

/** Where dropped documents go when no corpus of one's own is open. */
export const OWN_CORPUS = 'my-documents'
const LONGEST = 48

/**
 * Letters, digits, dot, underscore and hyphen are kept, everything else becomes a hyphen; "corpus"
 * when nothing is left.
 */
export function corpusNameFrom(words: string): string {
  let out = ''
  for (const character of words.normalize('NFKD')) {
    if (out.length >= LONGEST) break
    if (/[A-Za-z0-9_]/.test(character)) out += character
    else if (/[\u0300-\u036f]/.test(character)) continue
    else if (out !== '' && !out.endsWith('-')) out += '-'
  }
  while (out.endsWith('-')) out = out.slice(0, -1)
  return out === '' ? 'corpus' : out
}

/** A name that is not taken: "notes", "notes-2", "notes-3". */
export function freeName(words: string, taken: ReadonlySet<string>): string {
  const base = corpusNameFrom(words)
  if (!taken.has(base)) return base
  for (let n = 2; ; n++) if (!taken.has(`${base}-${n}`)) return `${base}-${n}`
}

export function corpusLabel(name: string): string {
  if (name === SAMPLE.corpus) return words().shelf.sample
  return name === OWN_CORPUS ? words().shelf.own : name
}
