/** What a person chose, and what was said before, as options of `retrieve`. */
import type { Answer, RetrieveOptions } from '../../src/index.ts'
import type { State, Turn } from './state.ts'

/** Turns that a follow-up may lean on. */
const LEANS_ON = 4

/** What the person chose, as options of `retrieve`. */
export function steering(
  state: Pick<
    State,
    'settings' | 'injected' | 'removedSeeds' | 'foundSeeds' | 'excluded' | 'turns'
  >,
): RetrieveOptions {
  const history = historyOf(state.turns)
  return {
    topK: state.settings.topK,
    budgetTokens: state.settings.budget,
    ...(history.length > 0 ? { history } : {}),
    ...(state.injected.length > 0
      ? { seedEntities: state.injected.map((seed) => seed.name ?? seed.label) }
      : {}),
    ...(state.removedSeeds.length > 0
      ? {
          questionSeeds: state.foundSeeds
            .map((seed) => seed.name)
            .filter((name) => !state.removedSeeds.includes(name)),
        }
      : {}),
    ...(state.excluded.length > 0
      ? { excludeDocs: state.excluded.map((document) => document.id) }
      : {}),
  }
}

/** The last questions, each with what was answered. */
export function historyOf(turns: readonly Turn[]): NonNullable<RetrieveOptions['history']> {
  return turns.slice(-LEANS_ON).flatMap(({ question, card, written }) => {
    const said = written?.end?.text ?? quoted(card)
    return [
      { role: 'user', content: question },
      ...(said === '' ? [] : [{ role: 'assistant', content: said }]),
    ]
  })
}

function quoted({ state, quotes }: Answer): string {
  return state === 'none' ? '' : quotes.map(({ text }) => text).join(' ')
}
