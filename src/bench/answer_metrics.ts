/** What the short answer is worth: the answer string in it, beside simpler ways of the same length. */
import { answerOf } from '../answer/card.ts'
import { comparedTexts } from '../sentences/scores.ts'
import { wordCount } from '../sentences/words.ts'
import { sentenceSpans } from '../chunk/sentence_spans.ts'
import { packContext } from '../pack/pack.ts'
import type { TokenCounter } from '../types.ts'
import { plain, spanAnswers } from './context_metrics.ts'
import type { BenchPassage, BenchQuestion } from './dataset.ts'
import type { RankedAnswer } from './system.ts'

/** Cosines of a question with sentences; null in the text tier. */
export type CompareSentences = (texts: readonly string[]) => Promise<readonly number[] | null>

/** Each 1 where the text holds a form of the answer string. */
export interface AnswerMetrics {
  readonly card: number
  readonly first: number
  /** The card with the titles of its documents. */
  readonly titled: number
  readonly evidence: number
  readonly evidence3: number
  readonly twoSentences: number
  readonly passage60: number
  readonly context110: number
  readonly words: number
}

/** Null for a question without an answer string in the documents: yes, no, and none. */
export async function answerMetrics(
  question: BenchQuestion,
  answer: RankedAnswer,
  passages: ReadonlyMap<string, BenchPassage>,
  compare: CompareSentences,
  countTokens: TokenCounter,
): Promise<AnswerMetrics | null> {
  const wanted = spanAnswers(question).map(plain)
  if (wanted.length === 0 || !answer.draft) return null
  const holds = (text: string): number => {
    const haystack = plain(text)
    return wanted.some((form) => haystack.includes(form)) ? 1 : 0
  }
  const draft = answer.draft(),
    { quotes } = answerOf(draft, await compare(comparedTexts(draft)), answer.gate ?? 0).answer,
    first = passages.get(answer.ids[0]!)!,
    evidence = [0, 1, 2].map((p) => evidenceOf(draft.sentences.filter((s) => s.passage === p)))
  const candidates = answer.ids.map((id, place) => {
    const { title, text } = passages.get(id)!
    return {
      ...{ rank: place + 1, documentId: id, title, passage: 0, start: 0, end: text.length, text },
      score: answer.scores[place]!,
    }
  })
  const { blocks } = packContext(candidates, {
    budgetTokens: 110,
    countTokens,
    fill: true,
    question: question.question,
  })
  return {
    card: holds(quotes.map(({ text }) => text).join(' ')),
    first: holds(quotes[0]?.text ?? ''),
    titled: holds(quotes.map(({ text, title }) => `${title}: ${text}`).join(' ')),
    evidence: holds(evidence[0]!),
    evidence3: holds(evidence.join(' ')),
    twoSentences: holds(
      sentenceSpans(first.text)
        .slice(0, 2)
        .map(({ start, end }) => first.text.slice(start, end))
        .join(' '),
    ),
    passage60: holds(first.text.split(/\s+/).slice(0, 60).join(' ')),
    context110: holds(blocks.map(({ text }) => text).join(' ')),
    words: quotes.reduce((sum, { text }) => sum + wordCount(text), 0),
  }
}

/** The sentence with most of the question's idf, the earlier of equals. */
function evidenceOf(
  sentences: readonly { readonly text: string; readonly features: { readonly terms: number } }[],
): string {
  let best = sentences[0]
  for (const sentence of sentences)
    if (sentence.features.terms > best!.features.terms + 1e-12) best = sentence
  return best?.text ?? ''
}
