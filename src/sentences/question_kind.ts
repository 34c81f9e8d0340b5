/** What a question asks for: a person, a place, a time, a number, yes or no, one of two. */

export type Wanted = 'person' | 'place' | 'time' | 'number' | 'yes-no' | 'other'

export interface QuestionKind {
  readonly wanted: Wanted
  /** The two that the question names to choose between ("A or B"), lower case; else empty. */
  readonly options: readonly string[]
  /** Asks what something is called, or why. */
  readonly manner: 'naming' | 'reason' | null
}

const PLACES =
  'city|country|state|county|town|province|region|district|continent|village|place|location|' +
  'nation|capital|area|island|borough|municipality|neighborhood|neighbourhood|venue|stadium|' +
  'territory|hometown|birthplace'
/** Whom "which …" asks for. */
const PEOPLE =
  'player|member|actor|actress|singer|author|writer|director|president|king|queen|minister|' +
  'scientist|researcher|person|man|woman|artist|politician|ceo|secretary|leader|composer|coach|' +
  'driver|musician|philosopher|emperor|general|governor|mayor|producer|poet|painter|boxer|' +
  'footballer|pope|bishop|explorer|engineer|architect|inventor|host|rapper|comedian|brother|' +
  'sister|father|mother|son|daughter|wife|husband|spouse'
const TIMES = 'years?|dates?|day|months?|century|decades?|season|time'
const NUMBERS =
  'number|percentage|percent|population|amount|price|cost|age|height|length|distance|' +
  'capacity|rank|ranking|score|size|width|depth|weight|speed|rate|elevation'

/** In order: the first that fits decides. Letters are lower case. */
const RULES: readonly (readonly [Wanted, RegExp])[] = [
  [
    'number',
    new RegExp(
      '\\bhow (?:many|much|old|long|far|tall|large|big|high|often|deep|fast|wide|heavy)\\b|' +
        `\\b(?:what|which)(?: \\w+){0,3} (?:${NUMBERS})\\b|` +
        '\\bwie ?viele?\\b|\\bwie (?:alt|lange|hoch|weit|gro\u00df)\\b|' +
        '\u591a\u5c11|\u51e0[\u4e2a\u4eba\u5c81]|\u3044\u304f\u3064|\u4f55\u4eba|\u3044\u304f\u3089|\u4f55\u500b',
    ),
  ],
  [
    'time',
    new RegExp(
      `\\bwhen\\b|\\b(?:what|which)(?: \\w+){0,2} (?:${TIMES})\\b|\\bwann\\b|` +
        '\u4ec0\u4e48\u65f6\u5019|\u4f55\u65f6|\u54ea[\u4e00]?\u5e74|\u3044\u3064|\u4f55\u5e74|\u4f55\u6708',
    ),
  ],
  [
    'place',
    new RegExp(
      `\\bwhere\\b|\\b(?:what|which)(?: \\w+){0,2} (?:${PLACES})\\b|\\bwo(?:her|hin)?\\b|` +
        '\u54ea\u91cc|\u54ea\u513f|\u4f55\u5904|\u3069\u3053',
    ),
  ],
  ['person', new RegExp(`\\b(?:what|which)(?: \\w+){0,2} (?:${PEOPLE})s?\\b`)],
  ['person', /\bwho(?:m|se)?\b|\bwe(?:r|n|m|ssen)\b|\u8c01|\u8ab0|\u3060\u308c/],
  [
    'yes-no',
    new RegExp(
      '^\\s*(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|may|must|am)\\b|' +
        '\u5417[?\uff1f]?\\s*$|\u3067\u3059\u304b[?\uff1f]?\\s*$',
    ),
  ],
]

const REASON = /\b(?:why|reasons?|cause[ds]?|purpose)\b|\b(?:warum|weshalb|wieso)\b/
const NAMING = /\b(?:names?|named|called|nicknames?|titles?|titled|terms?|known|words?)\b/

export function questionKind(question: string): QuestionKind {
  const text = question.slice(0, 1000).toLowerCase()
  return {
    wanted: RULES.find(([, rule]) => rule.test(text))?.[0] ?? 'other',
    options: optionsOf(text),
    manner: REASON.test(text) ? 'reason' : NAMING.test(text) ? 'naming' : null,
  }
}

/** "Which is older, Alpha or the Beta?" -> alpha, the beta. */
function optionsOf(text: string): string[] {
  const at = text.lastIndexOf(' or ')
  if (at < 0) return []
  const before = text.slice(0, at),
    left = before.slice(Math.max(before.lastIndexOf(','), before.lastIndexOf(':')) + 1).trim(),
    right = text
      .slice(at + 4)
      .split(/[?.!]/, 1)[0]!
      .trim()
  return left === '' || right === '' || left.length > 80 || right.length > 80 ? [] : [left, right]
}
