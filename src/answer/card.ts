/**
 * The short answer: which sentences of the best passages answer, what of them is marked, and how
 * likely the documents hold an answer. Extractive: a mixture of two linear models over sentences,
 * one for a single fact and one for the end of a chain of two.
 */
import { ln, roundScore } from '../base/math.ts'
import type { Answer, Quote } from '../types.ts'
import { highlightOf } from './highlight.ts'
import type { Feature, Sentence } from '../sentences/features.ts'
import { fits, likelihoods, MOST_WORDS, type ScoredSentences } from '../sentences/scores.ts'
import { wordCount } from '../sentences/words.ts'
import { CALIBRATION } from './calibration.ts'
import { confidenceOf, stateOf, type Signals } from './state.ts'

const MOST_QUOTES = 3
/** Sentences that begin so are quoted with the one before. */
const PRONOUN_FIRST = new RegExp(
  '^(?:he|she|it|they|his|her|its|their|this|these|that|those|er|sie|es|sein|seine|ihre?|dies\\w*)\\b|' +
    '^[\u4ed6\u5979\u5b83\u8fd9\u90a3\u5f7c]|^\u305d[\u308c\u306e\u3053]|^\u3053[\u308c\u306e]',
  'i',
)

/**
 * `cosines` of question and compared sentences; null in the text tier. `gate`: the ranking's trust
 * in the graph.
 */
export function answerOf(
  draft: ScoredSentences,
  cosines: readonly number[] | null,
  gate: number,
): { readonly answer: Answer; readonly signals: Signals } {
  const { sentences, request } = draft,
    likely = likelihoods(draft, cosines),
    chosen = choose(sentences, likely),
    signals = signalsOf(draft, cosines, chosen, likely, gate),
    tier = request.passages[0]?.cosine == null ? 'text' : 'full',
    confidence = sentences.length === 0 ? 0 : confidenceOf(signals, CALIBRATION[tier])
  return {
    answer: {
      state: stateOf(confidence, tier),
      confidence: roundScore(confidence),
      quotes: quotesOf(chosen, draft),
    },
    signals,
  }
}

/** The likeliest for their length, within 60 words; the likeliest of them first. */
function choose(sentences: readonly Sentence[], likely: readonly number[]): number[] {
  const worth = (i: number): number => likely[i]! / Math.sqrt(Math.max(8, sentences[i]!.words)),
    chosen: number[] = []
  let left = MOST_WORDS
  for (const i of [...likely.keys()].sort((a, b) => worth(b) - worth(a) || a - b)) {
    if (chosen.length === MOST_QUOTES) break
    if (!fits(sentences[i]!) || sentences[i]!.words > left) continue
    chosen.push(i)
    left -= sentences[i]!.words
  }
  return chosen.sort((a, b) => likely[b]! - likely[a]! || a - b)
}

/** One quote a chosen sentence; neighbours become one, and a pronoun brings the sentence before. */
function quotesOf(chosen: readonly number[], { sentences, request }: ScoredSentences): Quote[] {
  const left = { words: MOST_WORDS - chosen.reduce((sum, i) => sum + sentences[i]!.words, 0) },
    used = new Set<number>(),
    quotes: Quote[] = []
  for (const i of chosen) {
    if (used.has(i)) continue
    used.add(i)
    const sentence = sentences[i]!,
      passage = request.passages[sentence.passage]!
    let members = [sentence]
    const before = sentences[i - 1],
      after = sentences[i + 1]
    if (before?.passage === sentence.passage && joins(i - 1, before, sentence))
      members = [before, sentence]
    else if (after?.passage === sentence.passage && chosen.includes(i + 1) && !used.has(i + 1)) {
      used.add(i + 1)
      members = [sentence, after]
    }
    const from = members[0]!.start,
      to = members.at(-1)!.end,
      // the likelier sentence of equals
      [mark] = members
        .map((member) => ({
          ...highlightOf(member.text, request.question.text, request.kind, member.asked),
          base: passage.start + member.start,
          own: member === sentence ? 0 : 1,
        }))
        .sort((x, y) => Math.min(0, x.cost) - Math.min(0, y.cost) || x.own - y.own)
    quotes.push({
      documentId: passage.documentId,
      title: passage.title,
      start: passage.start + from,
      end: passage.start + to,
      text: passage.text.slice(from, to),
      highlight: { start: mark!.base + mark!.start, end: mark!.base + mark!.end },
    })
  }
  return quotes

  function joins(at: number, before: Sentence, sentence: Sentence): boolean {
    if (used.has(at)) return false
    if (chosen.includes(at)) {
      used.add(at)
      return true
    }
    if (!PRONOUN_FIRST.test(sentence.text)) return false
    // what the gap between them adds is white space
    const words = wordCount(before.text)
    if (words > left.words) return false
    left.words -= words
    used.add(at)
    return true
  }
}

function signalsOf(
  { sentences, request, needsTwo, compared }: ScoredSentences,
  cosines: readonly number[] | null,
  chosen: readonly number[],
  likely: readonly number[],
  gate: number,
): Signals {
  const known = 1 - request.terms.unknown,
    most = (feature: Feature): number =>
      Math.max(0, ...sentences.map(({ features }) => features[feature])),
    first = chosen.length > 0 ? sentences[chosen[0]!]! : null,
    alike = (i: number): number => cosines?.[compared.indexOf(i)] ?? 0
  return {
    cosine: request.passages[0]?.cosine ?? 0,
    secondCosine: request.passages[1]?.cosine ?? 0,
    bestCosine: Math.max(0, ...request.passages.map(({ cosine }) => cosine ?? 0)),
    sentenceCosine: Math.max(0, ...(cosines ?? [])),
    quoteCosine: first ? alike(chosen[0]!) : 0,
    passageTerms: known * most('passageTerms'),
    sentenceTerms: known * most('termsWithTitle'),
    contextTerms: known * most('contextTerms'),
    firstTerms: known * (first?.features.termsWithTitle ?? 0),
    firstPassageTerms: known * (first?.features.passageTerms ?? 0),
    pairs: most('pairs'),
    unknown: request.terms.unknown,
    kind: first ? Math.max(first.features.kind, first.features.kindUnknown) : 0,
    nearKind: first?.features.nearKind ?? 0,
    seeds: most('seeds'),
    seedsInTitle: most('seedsInTitle'),
    named: request.seeds.size > 0 ? 1 : 0,
    gate,
    needsTwo,
    peak: first ? likely[chosen[0]!]! : 0,
    size: Math.min(1, ln(1 + request.index.size) / 11),
    length: Math.min(1, request.question.words.length / 30),
  }
}
