/**
 * Which names of the graph are shown as names. Parts of longer names (York in New York) and words
 * that carry a capital by grammar alone count for the ranking only.
 */
import type { CorpusTable } from '../corpus/corpus_table.ts'
import { isGeneric } from '../graph/generic_names.ts'
import {
  ARTICLE,
  GENERIC,
  JOINER,
  kindOfWord,
  OPENER,
  QUANTITY,
} from '../graph/names/name_words.ts'
import type { TextIndex } from '../graph/text_index.ts'
import {
  ACRONYM,
  BOXED,
  CLASS,
  NameEvidence,
  OPENING,
  PART,
  PROSE,
  QUOTED,
  STANDING,
  standsSmall,
} from './name_evidence.ts'
import {
  ADJECTIVE,
  CLAUSE,
  grammarOf,
  KNOWN,
  loadGrammar,
  PLURAL,
  ROLE,
  SENTENCE,
  VERB,
} from './name_grammar.ts'
import { spellingIn } from './spelling.ts'

/** Passages read for one name, by order of ids. */
const MOST_READ = 12
/** Longer runs of capitals are headings. */
const MOST_WORDS = 6
/** Words of number and place that begin names, too. */
const NAMING = new Set('north south east west one all'.split(' '))
const PERIOD = /^(?:q[1-4]|h[12]|fy\d{2,4}|\d+)$/
const COUNTED = new Set(
  `of quarter half fiscal year month week day top figure table chapter section page session layer
   step phase stage`.split(/\s+/),
)
/** What is left of a word behind an apostrophe. */
const ENDINGS = new Set('s t ll re ve d m'.split(' '))
/** Share of its passages that write a word small, from which on it is a common word. */
const COMMON = 0.1
/** Signs of lists, links, tables and headings. */
const MARKS = ['](', '**', '`', '\n- ', '\n* ', '\n#', ' | ', '\n1. ']
/** Units of an article in which it names what it is about. */
const OPENING_CHARS = 400

/** What stands in the texts for a name, over the passages that were read. */
interface Standing {
  readonly kinds: number
  /** Passages in which it stands as a name in a sentence, and those that write it small. */
  readonly prose: number
  readonly small: number
  /** Of the first, those of running text, whose capitals can be trusted: no lists, links, tables. */
  readonly running: number
}

export class ShownNames {
  private readonly evidence: NameEvidence
  private readonly known = new Map<number, boolean>()

  /** A judge of the names of an index, once what `grammarOf` needs is loaded. */
  static async load(
    index: TextIndex,
    table: Pick<CorpusTable, 'text' | 'title' | 'compare'>,
  ): Promise<ShownNames> {
    await loadGrammar()
    return new ShownNames(index, table)
  }

  /**
   * `loadGrammar` is to be awaited before. `asked`: of names in a question, acronyms and titles all
   * count.
   */
  constructor(
    private readonly index: TextIndex,
    private readonly table: Pick<CorpusTable, 'text' | 'title' | 'compare'>,
    private readonly asked = false,
  ) {
    this.evidence = new NameEvidence(index, table)
  }

  /** Passages whose names were read so far. */
  get passagesRead(): number {
    return this.evidence.passagesRead
  }

  isShown(name: number): boolean {
    let shown = this.known.get(name)
    if (shown === undefined) this.known.set(name, (shown = this.judge(name)))
    return shown
  }

  private judge(name: number): boolean {
    const { gazetteer, merges } = this.index
    if (gazetteer.isGiven(name) || merges.members(name).length > 1) return true
    const words = gazetteer.trie.wordsOf(name)
    if (words.length > MOST_WORDS) return false
    if (this.isInflected(words)) return false
    if (this.isArticle(name)) return true
    if (this.isPeriod(words)) return false
    if (isGeneric(name, this.index) || !this.isWorded(words)) return false
    const standing = this.standing(name)
    return words.length === 1
      ? this.isNoun(name, words[0]!, standing)
      : this.isPhraseName(words, this.index.nameText(name), standing)
  }

  /** What's, can't, and the possessive of a name: Good Riddance's. */
  private isInflected(words: readonly number[]): boolean {
    const { vocabulary, gazetteer } = this.index
    if (words.length < 2 || !ENDINGS.has(vocabulary.word(words.at(-1)!))) return false
    const base = words.slice(0, -1)
    return (
      base.every((word) => this.isCommonWord(word)) ||
      gazetteer.trie.find(base, 0, base.length) >= 0
    )
  }

  /** Q4, FY24: as generic as months are. "Our", too, tells of no one name. */
  private isPeriod(words: readonly number[]): boolean {
    const texts = words.map((word) => this.index.vocabulary.word(word).replace(/days$/, 'day'))
    return (
      texts[0] === 'our' ||
      texts.every(
        (word) => (kindOfWord(word) & GENERIC) !== 0 || COUNTED.has(word) || PERIOD.test(word),
      )
    )
  }

  /** Titles a document; of a name that no question has, one that names it in its first words. */
  private isArticle(name: number): boolean {
    const plain = this.index.nameText(name),
      common = this.index.gazetteer.trie.wordsOf(name).every((word) => this.isCommonWord(word))
    return this.index.graph.titled
      .values(name)
      .slice(0, MOST_READ)
      .some((slot) => {
        const text = this.table.text(slot)
        if (this.asked && isTitle(this.table.title(slot))) return true
        if (!isTitle(this.table.title(slot)) || (common && !isRunning(text))) return false
        const spelling = spellingIn(text.slice(0, OPENING_CHARS), plain)
        return spelling !== null && spelling !== spelling.toLowerCase()
      })
  }

  private isNoun(name: number, word: number, standing: Standing): boolean {
    const { kinds, prose, small, running } = standing,
      stands = (kinds & STANDING) !== 0,
      common = this.isCommonWord(word),
      plain = this.index.nameText(name)
    if (kinds & CLASS || (common && (!stands || small > prose))) return false
    if (stands && running > 0 && !common && !plain.endsWith('s')) return true
    const grammar = grammarOf(plain),
      known = (grammar & KNOWN) !== 0
    if (grammar & ROLE && (common || grammar & PLURAL || !stands)) return false
    if ((kinds & ~(OPENING | BOXED | ACRONYM)) === 0) return (kinds & BOXED) !== 0 && known
    if (running === 0 && grammar & VERB) return known
    if (running === 0 && kinds & ACRONYM && !this.asked) return known
    return stands || !(grammar & ADJECTIVE)
  }

  private isPhraseName(words: readonly number[], plain: string, standing: Standing): boolean {
    const { vocabulary } = this.index,
      content = words.filter((word) => !vocabulary.isStop(word)),
      common = content.filter((word) => this.isCommonWord(word)).length,
      { kinds, prose, small } = standing
    if (kinds === 0 || kinds & CLASS) return false
    if (prose === 0 && this.isSmallWord(words[0]!)) return false
    const loose = standing.running === 0
    if (loose && kinds & ACRONYM && !this.asked) return false
    if (kinds === PART && /^\d+$/.test(vocabulary.word(words.at(-1)!))) return false
    if (common === 0) return true
    if (kinds & QUOTED && kinds & PROSE && !loose) return small === 0
    const grammar = grammarOf(plain)
    if (grammar & ROLE) return false
    if (grammar & KNOWN && small === 0) return true
    if (grammar & CLAUSE || (loose && prose === 0)) return false
    if (grammar & SENTENCE && (loose || prose === 0)) return false
    if (!this.isCommonWord(content.at(-1)!)) return true
    if (loose && grammar & PLURAL && prose < 3) return false
    return prose >= (loose ? 2 : 1) && prose > 3 * small
  }

  private isSmallWord(id: number): boolean {
    const { vocabulary } = this.index
    return vocabulary.isStop(id) && !(kindOfWord(vocabulary.word(id)) & OPENER)
  }

  /** Whether its passages write a word small, too. */
  private isCommonWord(id: number): boolean {
    const { vocabulary, lexical } = this.index,
      small = vocabulary.smallCount(id)
    return (
      vocabulary.isStop(id) ||
      small > 1 ||
      (small > 0 && small >= COMMON * lexical.documentFrequency(vocabulary.termOf(id)))
    )
  }

  private standing(name: number): Standing {
    const { graph } = this.index,
      plain = this.index.nameText(name)
    let kinds = 0,
      prose = 0,
      small = 0,
      running = 0
    const holders = Array.from(graph.holders.values(name), (holder) => holder >>> 1)
    for (const slot of holders.sort(this.table.compare).slice(0, MOST_READ)) {
      const here = this.evidence.of(slot).get(name) ?? 0
      kinds |= here
      const text = this.table.text(slot)
      if (here & PROSE) prose++
      if (here & PROSE && isRunning(text)) running++
      if (standsSmall(text, plain)) small++
    }
    return { kinds, prose, small, running }
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
}

/** Whether it is text alone, with no lists, links, tables or headings. */
function isRunning(text: string): boolean {
  return !MARKS.some((mark) => text.includes(mark))
}

/** No way through headings, as Handbook > Travel > Airfare is. */
function isTitle(title: string): boolean {
  return title !== '' && !/\s[>›»|/]\s|\s?[›»]\s?/u.test(title)
}
