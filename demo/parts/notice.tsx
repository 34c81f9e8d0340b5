/**
 * Owns how a problem and short sentences of state look. Refuses: inventing words; they come from
 * demo/words.
 */
import type { ComponentChildren, JSX } from 'preact'
import type { Problem } from '../words/problems.ts'
import type { Sentence } from '../words/states.ts'

const LABELS = {
  retry: 'Try again',
  reload: 'Reload the page',
  memory: 'Go on in memory',
  resume: 'Try again',
  forget: 'Remove from the list',
} as const

export function ProblemNotice({
  problem,
  act,
  children,
}: {
  readonly problem: Problem
  readonly act?: (remedy: Problem['remedy']) => void
  readonly children?: ComponentChildren
}): JSX.Element {
  const { remedy } = problem
  return (
    <div class="notice warn" role="alert">
      <p class="notice-title">{problem.title}</p>
      <p>{problem.help}</p>
      {children}
      <details>
        <summary>Details</summary>
        <p class="code-line">{problem.code}</p>
        <p>{problem.message}</p>
      </details>
      {remedy !== 'none' && act && (
        <button
          type="button"
          onClick={() => {
            if (remedy === 'reload') location.reload()
            else act(remedy)
          }}
        >
          {LABELS[remedy]}
        </button>
      )}
    </div>
  )
}

export function Sentences({ list }: { readonly list: readonly Sentence[] }): JSX.Element {
  return (
    <ul class="sentences">
      {list.map((sentence) => (
        <li key={sentence.text} class={sentence.tone}>
          {sentence.text}
        </li>
      ))}
    </ul>
  )
}
