/** Which document comes first by its words, for tables of questions. */
import type { EngineOptions } from '../engine/engine_options.ts'
import { openTestEngine } from './open_test_engine.ts'

/** The first source's document of each question in the text tier, '' where it has no word of it. */
export async function firsts(
  documents: Readonly<Record<string, string>>,
  questions: readonly string[],
  options: Partial<EngineOptions> = {},
): Promise<string[]> {
  const engine = await openTestEngine(
      Object.entries(documents).map(([id, text]) => ({ id, text })),
      options,
    ),
    out: string[] = []
  for (const question of questions) {
    const [first] = (await engine.retrieve(question, { tier: 'text' })).sources
    out.push((first?.contributions.words ?? 0) > 0 ? first!.documentId : '')
  }
  await engine.close()
  return out
}
