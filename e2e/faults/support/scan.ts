/** The look into every file of a profile for words that must not be there. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The words found in any file, as Latin-1 or UTF-16 in either letter case of the whole word;
 * sorted.
 */
export function wordsIn(folder: string, words: readonly string[]): string[] {
  const wanted = words.map((word) => ({
    word,
    forms: [word, word.toLowerCase()].flatMap((form) => [
      Buffer.from(form, 'latin1'),
      Buffer.from(form, 'utf16le'),
    ]),
  }))
  const found = new Set<string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = readFileSync(join(entry.parentPath, entry.name))
    for (const { word, forms } of wanted)
      if (!found.has(word) && forms.some((form) => bytes.includes(form))) found.add(word)
  }
  return [...found].sort()
}
