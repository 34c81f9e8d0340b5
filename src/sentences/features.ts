/** Sentences of the best passages, with what speaks for each as an answer. */
import { ln } from '../base/math.ts'
import type { PassageReader } from '../graph/passage_reader.ts'
import type { TextIndex } from '../graph/text_index.ts'
import { WordBuffer } from '../lexical/word_buffer.ts'
import type { Question } from '../retrieve/question.ts'
import type { Span } from '../types.ts'
import type { QuestionKind } from './question_kind.ts'
import type { QuestionTerms } from './question_terms.ts'
import { spansOf } from './spans.ts'
import { wordCount } from './words.ts'

/** A ranked passage, best first. */
export interface AnswerPassage {
  readonly slot: number
  readonly score: number
  readonly cosine: number | null
  readonly documentId: string
  readonly title: string
  /** Text of the passage, which begins at `start` of its document. */
  readonly text: string
  readonly start: number
}

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

export type Features = Readonly<Record<Feature, number>>

export interface Sentence {
  /** Place of its passage in the ranking, from 0, and its own in the passage. */
  readonly passage: number
  readonly at: number
  /** Offsets into the passage. */
  readonly start: number
  readonly end: number
  readonly text: string
  readonly words: number
  readonly features: Features
  /** Words of the question in it, offsets into the sentence. */
  readonly asked: readonly Span[]
}

export interface SentenceRequest {
  readonly question: Question
  readonly kind: QuestionKind
  readonly seeds: ReadonlySet<number>
  readonly passages: readonly AnswerPassage[]
  readonly terms: QuestionTerms
  readonly index: TextIndex
  readonly reader: PassageReader
}

/** Sentences of one passage that are looked at: one that was never cut may have any number. */
const MOST_OF_PASSAGE = 64
/** Passages whose names lead to others. */
const LEADING = 4

interface Raw {
  readonly passage: number
  readonly at: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly mask: number
  readonly titleMask: number
  readonly pairs: number
  readonly seedsHere: number
  readonly bridge: number
  readonly asked: readonly Span[]
}

const title = new WordBuffer()

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
  return raws.map((raw, i) => {
    const neighbour = (other: Raw | undefined): number =>
        other?.passage === raw.passage ? other.mask : 0,
      before = neighbour(raws[i - 1]),
      share = shares[raw.passage]!,
      own = terms.share(raw.mask),
      cosine = passages[raw.passage]!.cosine ?? 0,
      text = ofText(raw, request)
    return {
      ...{ passage: raw.passage, at: raw.at, start: raw.start, end: raw.end, text: raw.text },
      asked: raw.asked,
      words: text.words,
      features: {
        ...text.features,
        ...ofPassage(raw, request),
        terms: own,
        termsWithTitle: terms.share(raw.mask | raw.titleMask),
        termsNotInTitle: terms.share(raw.mask & ~raw.titleMask),
        place: raw.at / Math.max(1, counts[raw.passage]!),
        previousTerms: terms.share(before & ~raw.mask),
        passageTerms: share,
        passageBest: share / most,
        bestTerms: own / bestTerms,
        rank1PassageTerms: raw.passage === 0 ? share : 0,
        contextTerms: terms.share(before | neighbour(raws[i + 1]) | raw.mask),
        cosineBelowBest: cosine - bestCosine,
        termsInPassageTerms: own * share,
        kindWithTerms: text.features.kind * own,
      },
    }
  })
}

function rawSentences({ seeds, passages, terms, index, reader }: SentenceRequest): Raw[] {
  const raws: Raw[] = []
  // Names of the best passages' sentences: a passage about one of them is led to.
  const ledTo = new Map<number, number>()
  passages.forEach((passage, p) => {
    const { ids, starts, ends } = reader.wordsOf(passage.slot),
      bridge = ledTo.get(index.aboutOf(passage.slot)) ?? 0
    title.read(passage.title, index.vocabulary, true)
    const titleMask = terms.maskOf(title.ids, 0, title.length)
    let from = 0
    for (const [at, { start, end }] of reader
      .sentencesOf(passage.slot)
      .slice(0, MOST_OF_PASSAGE)
      .entries()) {
      let to = from
      while (to < ids.length && starts[to]! < end) to++
      const names = new Set<number>(),
        asked: Span[] = []
      index.namesIn(ids.subarray(from, to), to - from, true, (name) => names.add(name))
      for (let i = from; i < to; i++)
        if (terms.maskOf(ids, i, i + 1) !== 0)
          asked.push({ start: starts[i]! - start, end: ends[i]! - start })
      raws.push({
        ...{ passage: p, at, start, end, titleMask, bridge, asked },
        text: passage.text.slice(start, end),
        mask: terms.maskOf(ids, from, to),
        pairs: terms.pairs(ids, from, to),
        seedsHere: [...names].filter((name) => seeds.has(name)).length,
      })
      from = to
      if (p < LEADING)
        for (const name of names)
          if (!seeds.has(name)) ledTo.set(name, Math.max(ledTo.get(name) ?? 0, 1 / (1 + p)))
    }
  })
  return raws
}

/** Features of the text alone. */
function ofText(
  { text, at, asked }: Raw,
  { question, kind }: SentenceRequest,
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
  >
} {
  const words = wordCount(text),
    lower = question.text.toLowerCase(),
    open = kind.wanted === 'other' || kind.wanted === 'yes-no',
    fresh = spansOf(text, kind.wanted).filter(
      (span) => !lower.includes(text.slice(span.start, span.end).toLowerCase()),
    )
  return {
    words,
    features: {
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
      copula: at === 0 && /\b(?:is|was|are|were)\b/.test(text.slice(0, 160)) ? 1 : 0,
    },
  }
}

/** Features of the passage and of what it shares with the question. */
function ofPassage(
  raw: Raw,
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
