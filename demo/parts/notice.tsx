/** How a problem and short sentences of state look. */
import type { ComponentChildren, JSX } from 'preact'
import type { Problem } from '../words/problems.ts'
import { words } from '../words/words.ts'
import type { Sentence } from '../words/states.ts'

export function ProblemNotice({
  problem,
  act,
  children,
}: {
  readonly problem: Problem
  readonly act?: (remedy: Problem['remedy']) => void
  readonly children?: ComponentChildren
}): JSX.Element {
  const { remedy } = problem,
    t = words().problemWords
  return (
    <div class="notice warn" role="alert">
      <p class="notice-title">{problem.title}</p>
      <p>{problem.help}</p>
      {children}
      <details>
        <summary>{t.details}</summary>
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
          {t[remedy]}
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
