/** Words that matter to where a name begins, goes on and ends, whatever the corpus. */
import type { Vocabulary } from '../../lexical/vocabulary.ts'

/** May stand, in lower case, between two capitalised words of one name. */
export const JOINER = 1
/** May follow a joiner: of the, de la, van der. */
export const ARTICLE = 2
/** A full stop behind it ends no sentence and no name. */
export const ABBREVIATION = 4
/** May follow a comma: King, Jr. */
export const AFTER_COMMA = 8
/** Capitalised at the start of a sentence, and no name with what follows: Parts of France. */
export const QUANTITY = 16
/** Month, weekday, nationality, ordinal: capitals by grammar alone. */
export const GENERIC = 32
/** May open a name although it is a stop word: New York. */
export const OPENER = 64
/** Institution of several fields: University of Science and Technology. */
export const OFFICE = 128

const LISTS: readonly (readonly [number, string])[] = [
  [
    JOINER,
    `of de da di do dos das del della delle dei du des van von zu zum zur der den ter ten bin
     bint ibn ben al el la le las los y e upon sur sous aux af av til op aan het auf am an
     der und für d l dell dall nell`,
  ],
  [ARTICLE, `the la le las los les der den dem des het el al l und zu`],
  [
    ABBREVIATION,
    `st mr mrs ms dr prof jr sr gen lt col capt cpt sgt rev mt ft sen rep gov hon maj adm
     cmdr fr bros inc ltd co corp vs no mme mlle`,
  ],
  [AFTER_COMMA, `jr sr inc ltd llc corp plc gmbh ii iii iv`],
  [
    QUANTITY,
    `part parts half members member many most some one two three each all both several much
     none any few because instead outside inside north south east west copies copy thousands
     hundreds dozens millions speaking citizens residents people examples students critics
     fans percent rest majority number types kinds use lack author authors winner winners
     list lists type later however meanwhile today yesterday tomorrow soon finally eventually
     afterwards recently originally initially currently previously formerly unlike like
     although though despite since unless`,
  ],
  [
    GENERIC,
    `january february march april may june july august september october november december
     monday tuesday wednesday thursday friday saturday sunday jan feb mar apr jun jul aug
     sept sep oct nov dec mon tue tues wed thu thurs fri sat sun american british english
     french german italian spanish russian chinese japanese indian canadian australian irish
     scottish welsh dutch greek roman polish swedish norwegian danish finnish portuguese
     mexican brazilian korean turkish austrian swiss hungarian czech romanian bulgarian
     serbian croatian ukrainian israeli iranian iraqi egyptian african european asian latin
     arab arabic jewish christian catholic muslim islamic protestant buddhist hindu belgian
     argentine argentinian chilean cuban colombian vietnamese thai indonesian pakistani
     nigerian kenyan americans germans russians italians indians first second third fourth
     fifth sixth seventh eighth ninth tenth century western eastern northern southern central
     januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag
     freitag samstag sonntag deutsch deutsche deutscher deutschen`,
  ],
  [OPENER, `new our`],
  [
    OFFICE,
    `university department ministry institute school house college office bureau faculty
     museum academy center centre society secretary minister council board court committee
     royal church order`,
  ],
]

const KINDS = new Map<string, number>()
for (const [kind, list] of LISTS)
  for (const word of list.split(/\s+/)) KINDS.set(word, (KINDS.get(word) ?? 0) | kind)

export function kindOfWord(word: string): number {
  return KINDS.get(word) ?? 0
}

const UNKNOWN = 0,
  KNOWN = 256

/** Kinds by word number, looked up once a word. */
export class NameWords {
  private kinds = new Int16Array(1024)

  constructor(private readonly vocabulary: Vocabulary) {}

  kindOf(id: number): number {
    if (id < 0) return 0
    if (id >= this.kinds.length) {
      const next = new Int16Array(Math.ceil((id + 1) * 1.5))
      next.set(this.kinds)
      this.kinds = next
    }
    let kind = this.kinds[id]!
    if (kind === UNKNOWN) this.kinds[id] = kind = kindOfWord(this.vocabulary.word(id)) | KNOWN
    return kind & ~KNOWN
  }
}
