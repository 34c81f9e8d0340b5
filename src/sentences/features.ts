/** Sentences of the best passages, with what speaks for each as an answer. */
import { ln } from '../base/math.ts'
import type { Span } from '../types.ts'
import { linksOf } from './links.ts'
import { rawSentences, type RawSentence, type SentenceRequest } from './raw_sentences.ts'
import { spansOf } from './spans.ts'
import { wordCount } from './words.ts'

export type Feature =
  | 'score'
  | 'rank'
  | 'cosine'
  | 'terms'
  | 'termsWithTitle'
  | 'termsNotInTitle'
  | 'pairs'
  | 'kind'
  | 'kindUnknown'
  | 'newName'
  | 'first'
  | 'place'
  | 'length'
  | 'seeds'
  | 'seedsInTitle'
  | 'previousTerms'
  | 'bridge'
  | 'option'
  | 'questionMark'
  | 'rank1'
  | 'short'
  | 'passageTerms'
  | 'passageBest'
  | 'bestTerms'
  | 'rank1PassageTerms'
  | 'contextTerms'
  | 'nearKind'
  | 'twoWordName'
  | 'copula'
  | 'logScore'
  | 'cosineBelowBest'
  | 'termsInPassageTerms'
  | 'kindWithTerms'
  | 'nextTerms'
  | 'linkTerms'
  | 'linkGain'
  | 'linkNews'
  | 'linksTo'
  | 'linkedFrom'
  | 'noun'
  | 'nounInPassage'
  | 'nounDefined'
  | 'nounBesideKind'
  | 'rarest'
  | 'noNews'
  | 'naming'
  | 'reason'
  | 'passageTermsElsewhere'

export type Features = Readonly<Record<Feature, number>>

export interface Sentence {
  /** Place of its passage in the ranking, from 0, and its own in the passage. */
  readonly passage: number
  readonly at: number
  /** Number of the passage's part that it stands in, from one heading to the next. */
  readonly section: number
  /** Offsets into the passage. */
  readonly start: number
  readonly end: number
  readonly text: string
  readonly words: number
  readonly features: Features
  /** Words of the question in it, offsets into the sentence. */
  readonly asked: readonly Span[]
}

/** Whether two that follow each other are of one passage, with no heading between them. */
export function sideBySide(
  a: Pick<Sentence, 'passage' | 'section'>,
  b: Pick<Sentence, 'passage' | 'section'>,
): boolean {
  return a.passage === b.passage && a.section === b.section
}

export function readSentences(request: SentenceRequest): Sentence[] {
  const raws = rawSentences(request),
    { terms, passages } = request
  const masks = passages.map((_, p) =>
      raws.reduce((mask, raw) => (raw.passage === p ? mask | raw.mask | raw.titleMask : mask), 0),
    ),
    shares = masks.map((mask) => terms.share(mask)),
    most = Math.max(1e-9, ...shares),
    bestTerms = Math.max(1e-9, ...raws.map(({ mask }) => terms.share(mask))),
    bestCosine = Math.max(-1, ...passages.map(({ cosine }) => cosine ?? 0)),
    counts = passages.map((_, p) => raws.filter((raw) => raw.passage === p).length)
  const links = linksOf(raws, request)
  return raws.map((raw, i) => {
    const neighbour = (other: RawSentence | undefined): number =>
        other && sideBySide(other, raw) ? other.mask : 0,
      before = neighbour(raws[i - 1]),
      share = shares[raw.passage]!,
      own = terms.share(raw.mask),
      cosine = passages[raw.passage]!.cosine ?? 0,
      text = ofText(raw, request),
      after = neighbour(raws[i + 1])
    return {
      ...{ passage: raw.passage, at: raw.at, section: raw.section, asked: raw.asked },
      ...{ start: raw.start, end: raw.end, text: raw.text },
      words: text.words,
      features: {
        ...text.features,
        ...ofPassage(raw, request),
        ...links[i]!,
        terms: own,
        termsWithTitle: terms.share(raw.mask | raw.titleMask),
        termsNotInTitle: terms.share(raw.mask & ~raw.titleMask),
        place: raw.at / Math.max(1, counts[raw.passage]!),
        previousTerms: terms.share(before & ~raw.mask),
        passageTerms: share,
        passageBest: share / most,
        bestTerms: own / bestTerms,
        rank1PassageTerms: raw.passage === 0 ? share : 0,
        contextTerms: terms.share(before | after | raw.mask),
        cosineBelowBest: cosine - bestCosine,
        termsInPassageTerms: own * share,
        kindWithTerms: text.features.kind * own,
        nextTerms: terms.share(after & ~raw.mask),
        nounInPassage: masks[raw.passage]! & terms.noun ? 1 : 0,
        rarest: raw.mask & terms.rarest ? 1 : 0,
        passageTermsElsewhere: terms.share(masks[raw.passage]! & ~raw.mask & ~raw.titleMask),
      },
    }
  })
}

/** Words of a sentence that gives a name, or a reason. */
const NAMING = new RegExp(
  '["\u201c\u201d\u300c\u300e]|' +
    '\\b(?:called|named|known as|nicknamed|titled|termed|dubbed|entitled)\\b',
  'i',
)
const REASON = new RegExp(
  '\\b(?:because|due to|cause[ds]?|since|in order to|as a result|reasons?|so that|thus|' +
    'therefore|led to|resulted|for the purpose)\\b',
  'i',
)

/** Features of the text alone. */
function ofText(
  { text, at, asked, mask }: RawSentence,
  { question, kind, terms }: SentenceRequest,
): {
  words: number
  features: Pick<
    Features,
    | 'kind'
    | 'kindUnknown'
    | 'newName'
    | 'length'
    | 'questionMark'
    | 'short'
    | 'nearKind'
    | 'twoWordName'
    | 'copula'
    | 'noun'
    | 'nounDefined'
    | 'nounBesideKind'
    | 'noNews'
    | 'naming'
    | 'reason'
  >
} {
  const words = wordCount(text),
    lower = question.text.toLowerCase(),
    open = kind.wanted === 'other' || kind.wanted === 'yes-no',
    fresh = spansOf(text, kind.wanted).filter(
      (span) => !lower.includes(text.slice(span.start, span.end).toLowerCase()),
    ),
    noun = (mask & terms.noun) !== 0,
    copula = at === 0 && /\b(?:is|was|are|were)\b/.test(text.slice(0, 160)),
    news = spansOf(text, 'news').some(
      (span) => !lower.includes(text.slice(span.start, span.end).toLowerCase()),
    )
  return {
    words,
    features: {
      noun: noun ? 1 : 0,
      nounDefined: noun && copula ? 1 : 0,
      nounBesideKind: noun && fresh.length > 0 ? 1 : 0,
      noNews: news ? 0 : 1,
      naming: kind.manner === 'naming' && NAMING.test(text) ? 1 : 0,
      reason: kind.manner === 'reason' && REASON.test(text) ? 1 : 0,
      kind: !open && fresh.length > 0 ? 1 : 0,
      kindUnknown: open ? 1 : 0,
      newName: open ? Math.min(1, fresh.length / 3) : 0,
      length: Math.min(1.5, words / 40),
      questionMark: /[?\uff1f]$/.test(text) ? 1 : 0,
      short: words < 5 ? 1 : 0,
      nearKind: nearness(fresh, asked),
      twoWordName:
        kind.wanted === 'person' &&
        fresh.some((span) => text.slice(span.start, span.end).includes(' '))
          ? 1
          : 0,
      copula: copula ? 1 : 0,
    },
  }
}

/** Features of the passage and of what it shares with the question. */
function ofPassage(
  raw: RawSentence,
  { passages, seeds, kind, index }: SentenceRequest,
): Pick<
  Features,
  | 'score'
  | 'rank'
  | 'cosine'
  | 'pairs'
  | 'first'
  | 'seeds'
  | 'seedsInTitle'
  | 'bridge'
  | 'option'
  | 'rank1'
  | 'logScore'
> {
  const passage = passages[raw.passage]!,
    score = passage.score / Math.max(1e-9, passages[0]!.score),
    about = index.aboutOf(passage.slot),
    text = raw.text.toLowerCase(),
    heading = passage.title.toLowerCase()
  return {
    score,
    rank: 1 / (1 + raw.passage),
    cosine: passage.cosine ?? 0,
    pairs: raw.pairs,
    first: raw.at === 0 ? 1 : 0,
    seeds: seeds.size > 0 ? Math.min(1, raw.seedsHere / seeds.size) : 0,
    seedsInTitle: about >= 0 && seeds.has(about) ? 1 : 0,
    bridge: raw.bridge,
    option: kind.options.some((option) => text.includes(option) || heading.includes(option))
      ? 1
      : 0,
    rank1: raw.passage === 0 ? 1 : 0,
    logScore: ln(Math.max(0.05, score)),
  }
}

/** 1 where a part of the kind asked for stands beside a word of the question, less further off. */
function nearness(spans: readonly Span[], asked: readonly Span[]): number {
  let best = Infinity
  for (const { start } of asked)
    for (const span of spans)
      best = Math.min(best, start < span.start ? span.start - start : Math.max(0, start - span.end))
  return best === Infinity ? 0 : 1 / (1 + best / 20)
}
