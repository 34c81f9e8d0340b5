/**
 * Questions that a corpus answers and two kinds that it does not: foreign ones, of another set, and
 * the hard kind, its own with their gold passages left out; on the whole set and on small random
 * parts of it, which is what people drop on a page.
 */
import { answerOf } from '../answer/card.ts'
import { comparedTexts } from '../sentences/scores.ts'
import type { Signals } from '../answer/state.ts'
import type { Tier } from '../types.ts'
import { cosineOfUnits } from '../vector/unit_vector.ts'
import { seededRandom } from '../vector/seeded_vectors.ts'
import type { BenchQuestion, Dataset } from './dataset.ts'
import { RankedSystem } from './ranked_system.ts'
import type { SetVectors } from './vector_source.ts'

export type Kind = 'answerable' | 'foreign' | 'left out'

export interface Judged {
  readonly set: string
  /** Passages of the part, or null for the whole set. */
  readonly size: number | null
  readonly kind: Kind
  readonly signals: Signals
}

export interface JudgedSet {
  readonly dataset: Dataset
  readonly vectors: SetVectors | null
}

export type EmbedTexts = (texts: readonly string[]) => Promise<readonly Float32Array[]>

/** Passages of the random parts, and the parts and questions of each that are drawn. */
const PARTS = [
  { size: 5, parts: 40, questions: 1 },
  { size: 20, parts: 16, questions: 3 },
  { size: 100, parts: 6, questions: 8 },
] as const
const SEED = 11

export async function judge(
  own: JudgedSet,
  foreign: readonly JudgedSet[],
  tier: Tier,
  most: number,
  embed: EmbedTexts | null,
): Promise<Judged[]> {
  const random = seededRandom(SEED),
    out: Judged[] = []
  const strangers = foreign.flatMap(({ dataset, vectors }) =>
    dataset.questions.map((question, i) => ({ question, vector: vectors?.questions[i] ?? null })),
  )
  const ask = async (
    system: RankedSystem,
    size: number | null,
    kind: Kind,
    question: BenchQuestion,
    vector: Float32Array | null,
  ): Promise<void> => {
    const signals = await signalsOf(system, question, vector, kind === 'left out', embed)
    if (signals) out.push({ set: own.dataset.name, size, kind, signals })
  }
  const run = async (
    passages: readonly number[],
    questions: readonly number[],
    size: number | null,
  ): Promise<void> => {
    const system = RankedSystem.of('default'),
      { dataset, vectors } = own
    await system.index(
      passages.map((i) => dataset.passages[i]!),
      tier === 'full' && vectors ? passages.map((i) => vectors.passages[i]!) : null,
    )
    for (const i of questions) {
      const vector = tier === 'full' ? (vectors?.questions[i] ?? null) : null,
        stranger = strangers[Math.floor(random() * strangers.length)]!
      await ask(system, size, 'answerable', dataset.questions[i]!, vector)
      await ask(system, size, 'left out', dataset.questions[i]!, vector)
      await ask(
        system,
        size,
        'foreign',
        stranger.question,
        tier === 'full' ? stranger.vector : null,
      )
    }
  }
  await eachPart(own.dataset, most, random, run)
  return out
}

/** The whole set, then its random parts, each with the questions that it answers. */
async function eachPart(
  { passages, questions }: Dataset,
  most: number,
  random: () => number,
  run: (
    passages: readonly number[],
    questions: readonly number[],
    size: number | null,
  ) => Promise<void>,
): Promise<void> {
  await run([...passages.keys()], drawn(questions.length, most, random), null)
  const places = new Map(passages.map(({ id }, i) => [id, i]))
  for (const { size, parts, questions: asked } of PARTS)
    for (let part = 0; part < Math.ceil((parts * most) / 100); part++) {
      const chosen = drawn(questions.length, asked, random),
        members = new Set(chosen.flatMap((i) => questions[i]!.gold.map((id) => places.get(id)!)))
      while (members.size < Math.min(size, passages.length))
        members.add(Math.floor(random() * passages.length))
      await run(
        [...members].sort((a, b) => a - b),
        chosen,
        size,
      )
    }
}

async function signalsOf(
  system: RankedSystem,
  question: BenchQuestion,
  vector: Float32Array | null,
  leftOut: boolean,
  embed: EmbedTexts | null,
): Promise<Signals | null> {
  const {
    draft,
    gate = 0,
    ids,
  } = await system.rank(question.question, vector, 8, {
    excluded: leftOut ? question.gold : [],
  })
  if (!draft || ids.length === 0) return null
  const made = draft(),
    sentences = vector && embed ? await embed(comparedTexts(made)) : null
  return answerOf(
    made,
    sentences?.map((sentence) => cosineOfUnits(vector!, 0, sentence, 0, sentence.length)) ?? null,
    gate,
  ).signals
}

function drawn(of: number, count: number, random: () => number): number[] {
  const chosen = new Set<number>()
  while (chosen.size < Math.min(of, count)) chosen.add(Math.floor(random() * of))
  return [...chosen].sort((a, b) => a - b)
}
