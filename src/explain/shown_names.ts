/**
 * Which names of the graph are shown as names. Parts of longer names (York in New York) and words
 * that carry a capital by grammar alone count for the ranking only.
 */
import type { CorpusTable } from '../corpus/corpus_table.ts'
import { isGeneric } from '../graph/generic_names.ts'
import { ARTICLE, JOINER, kindOfWord, NameWords, QUANTITY } from '../graph/names/name_words.ts'
import { WholeNames } from '../graph/names/whole_names.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'

/** Passages read for one name, by order of ids. */
const MOST_READ = 12
/** Longer runs of capitals are headings. */
const MOST_WORDS = 6
/** Words of number and place that begin names, too. */
const NAMING = new Set('north south east west one all'.split(' '))
/** Beside these it is a part of an address or of a key. */
const ADDRESS = '/=#@_%&?~'

export class ShownNames {
  private readonly whole: WholeNames
  private readonly words = new WordBuffer()
  /** Slot -> names that stand whole in its text; false where each only begins a sentence or line. */
  private readonly read = new Map<number, ReadonlyMap<number, boolean>>()
  private readonly known = new Map<number, boolean>()

  constructor(
    private readonly index: TextIndex,
    private readonly table: Pick<CorpusTable, 'text' | 'title' | 'compare'>,
  ) {
    this.whole = new WholeNames(index.vocabulary, new NameWords(index.vocabulary))
  }

  /** Passages whose names were read so far. */
  get passagesRead(): number {
    return this.read.size
  }

  isShown(name: number): boolean {
    let shown = this.known.get(name)
    if (shown === undefined) this.known.set(name, (shown = this.judge(name)))
    return shown
  }

  private judge(name: number): boolean {
    const { graph, gazetteer, merges } = this.index
    if (gazetteer.isGiven(name) || merges.members(name).length > 1) return true
    const words = gazetteer.trie.wordsOf(name)
    if (words.length > MOST_WORDS) return false
    if (graph.titled.values(name).some((slot) => isTitle(this.table.title(slot)))) return true
    if (isGeneric(name, this.index) || !this.isWorded(words)) return false
    const holders = Array.from(graph.holders.values(name), (holder) => holder >>> 1)
    return holders
      .sort(this.table.compare)
      .slice(0, MOST_READ)
      .some((slot) => this.namesOf(slot).get(name) === true)
  }

  /** No number first, no word of grammar inside or at the end: "1 Ramp", "Benefits Start If". */
  private isWorded(ids: readonly number[]): boolean {
    const { vocabulary } = this.index
    return ids.every((id, at) => {
      const word = vocabulary.word(id)
      if (ids.length > 1 && kindOfWord(word) & QUANTITY) return NAMING.has(word)
      if (at === 0)
        return !/^\p{N}/u.test(word) && (ids.length > 1 || !/\p{N}\p{L}+\p{N}/u.test(word))
      return !vocabulary.isStop(id) || word.length === 1 || this.mayJoin(word, at, ids.length)
    })
  }

  private mayJoin(word: string, at: number, length: number): boolean {
    return at < length - 1 && (word === 'and' || (kindOfWord(word) & (JOINER | ARTICLE)) !== 0)
  }

  private namesOf(slot: number): ReadonlyMap<number, boolean> {
    const known = this.read.get(slot)
    if (known) return known
    const names = new Map<number, boolean>(),
      text = this.table.text(slot),
      words = this.words.read(text, this.index.vocabulary, true)
    this.whole.scan(text, words, (from, to, opens) => {
      const name = this.index.gazetteer.trie.find(words.ids, from, to)
      const before = text[words.starts[from]! - 1],
        behind = text[words.ends[to - 1]!]
      if (name < 0 || isAddress(before) || isAddress(behind)) return
      names.set(name, names.get(name) === true || !opens)
    })
    this.read.set(slot, names)
    return names
  }
}

/** No way through headings, as Handbook > Travel > Airfare is. */
function isTitle(title: string): boolean {
  return title !== '' && !/\s[>›»|/]\s|\s?[›»]\s?/u.test(title)
}

function isAddress(sign: string | undefined): boolean {
  return sign !== undefined && ADDRESS.includes(sign)
}
