/** `bench names`: names found whole, and how many of those shown are names by a hand-checked list. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openEngine } from '../compat/open_engine.ts'
import { ShownNames } from '../explain/shown_names.ts'
import { TextIndex, type PassageText } from '../graph/text_index.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import type { EntityType } from '../types.ts'
import { typeOf } from '../explain/entity_types.ts'
import { readDataset } from './dataset.ts'

interface Panel {
  readonly templates: readonly string[]
  readonly names: readonly string[]
}
interface Judged {
  readonly names: readonly string[]
  readonly others: readonly string[]
}

const here = (path: string): URL => new URL(path, import.meta.url)
const read = (url: URL): unknown => JSON.parse(readFileSync(url, 'utf8'))

/** Lines of a report: recall on panels, then precision on each set of `data`, where it is there. */
export async function namesReport(data: string): Promise<string[]> {
  const out = ['panel: found whole, each its own node; known as a name to compromise alone']
  for (const [label, url] of [
    ['of the repository', here('../graph/fixtures/names.json')],
    ['../shared/cases/names.json', here('../../../shared/cases/names.json')],
  ] as const)
    if (existsSync(url)) out.push(`  ${label}: ${await recall(read(url) as Panel)}`)
  out.push('judged names that are shown: share that are names')
  const judged = read(here('fixtures/judged_names.json')) as Readonly<Record<string, Judged>>
  let good = 0,
    all = 0
  for (const [set, lists] of Object.entries(judged)) {
    const folder = join(data, set)
    if (!existsSync(folder)) {
      out.push(`  ${set}: not measured, ${folder} is not there`)
      continue
    }
    const shown = await shownOf(folder, lists)
    good += shown.names
    all += shown.names + shown.others
    out.push(`  ${set}: ${shown.names} of ${shown.names + shown.others}`)
  }
  if (all > 0) out.push(`  together: ${good} of ${all}, ${(good / all).toFixed(3)}`)
  return out
}

async function recall({ names, templates }: Panel): Promise<string> {
  const engine = await openEngine({ corpus: 'names', storage: 'memory', embedder: null })
  try {
    await engine.add(
      names.flatMap((name, i) =>
        templates.map((template, j) => ({ id: `${i}-${j}`, text: template.replace('{}', name) })),
      ),
    )
    const found = await engine.resolveEntities(names),
      known = new Set(found.flatMap((one) => (one ? [one.name] : []))),
      types: EntityType[] = await Promise.all(names.map((name) => typeOf(name)))
    return `${known.size} of ${names.length}; ${types.filter((type) => type !== 'other').length}`
  } finally {
    await engine.close()
  }
}

/** How many of the judged are shown now. */
async function shownOf(folder: string, lists: Judged): Promise<{ names: number; others: number }> {
  const { passages } = await readDataset(folder),
    passageOf = (slot: number): PassageText => ({ ...passages[slot]!, opening: true }),
    text = new TextIndex(passageOf)
  for (let slot = 0; slot < passages.length; slot++) text.add(slot, passageOf(slot), false)
  text.settle()
  const shown = new ShownNames(text, {
    text: (slot) => passages[slot]!.text,
    title: (slot) => passages[slot]!.title,
    compare: (a, b) => a - b,
  })
  const count = (names: readonly string[]): number =>
    names.filter((name) => {
      const words = new WordBuffer().read(name, text.vocabulary, true),
        found = text.gazetteer.trie.find(words.ids, 0, words.length)
      return found >= 0 && shown.isShown(found)
    }).length
  return { names: count(lists.names), others: count(lists.others) }
}
