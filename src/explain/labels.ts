/** How a name is written when shown. */
import type { CorpusTable } from '../corpus/corpus_table.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { titleName } from '../graph/names/name_spans.ts'
import type { MentionReader } from './mentions.ts'
import { spellingIn } from './spelling.ts'

/** Holders looked at for a spelling; a name in more passages is shown with capitals of its own. */
const MOST_HOLDERS = 1000

/**
 * The title of the first document it titles, else its spelling in the first passage that
 * capitalises it, by order of ids.
 */
export function labelOf(
  name: number,
  index: TextIndex,
  table: CorpusTable,
  reader: MentionReader,
): string {
  const { graph } = index
  const first = (slots: Iterable<number>): number => {
    let least = -1
    for (const slot of slots) if (least < 0 || table.compare(slot, least) < 0) least = slot
    return least
  }
  // of names that were merged, documents about the one by which all are known speak for it
  const slot = first(graph.titled.values(name).filter((one) => index.aboutOf(one, true) === name))
  if (slot >= 0 && table.title(slot) !== '') return titleName(table.title(slot)).trim()
  const all = graph.holders.values(name),
    count = all.length
  const plain = index.nameText(name)
  if (count > 0 && count <= MOST_HOLDERS) {
    const merged = index.merges.members(name).length > 1 ? name : -1
    for (const holder of firstOf(
      merged < 0 ? all : all.filter((one) => reader.find(one >>> 1, name, merged)),
      table,
    )) {
      const text =
        (merged < 0 ? spellingIn(table.text(holder), plain) : null) ??
        mentioned(holder, name, merged, table, reader)
      if (text !== null && text !== text.toLowerCase())
        return withArticle(text, table.text(holder)).replaceAll(/\s+/g, ' ')
    }
  }
  return plain
    .split(' ')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
}

/** The Hague: with the article where the text capitalises it inside a sentence. */
function withArticle(name: string, text: string): string {
  const at = text.indexOf(` The ${name}`)
  return at > 0 && /[\p{Ll},]/u.test(text[at - 1]!) ? `The ${name}` : name
}

function mentioned(
  holder: number,
  name: number,
  merged: number,
  table: CorpusTable,
  reader: MentionReader,
): string | null {
  const mention = reader.find(holder, name, merged)
  return (
    mention &&
    (mention.inTitle ? table.title(holder) : table.entry(holder).text).slice(
      mention.start,
      mention.end,
    )
  )
}

/** Passages looked at for a spelling. */
const SPELLINGS = 5

/**
 * The first few slots by order of ids, of values that are slot * 2 + a bit; one pass, as a thousand
 * need not be sorted for five.
 */
function firstOf(holders: Int32Array, { compare }: CorpusTable): number[] {
  const first: number[] = []
  for (const holder of holders) {
    const slot = holder >>> 1
    if (first.length === SPELLINGS && compare(slot, first[SPELLINGS - 1]!) > 0) continue
    let at = first.length
    while (at > 0 && compare(slot, first[at - 1]!) < 0) at--
    first.splice(at, 0, slot)
    if (first.length > SPELLINGS) first.pop()
  }
  return first
}
