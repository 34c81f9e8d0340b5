/** Taking the opened document out of its collection, after a second word. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Asking } from '../../session/asking.ts'
import { removeDocument } from '../../session/removal.ts'
import type { State, Store } from '../../session/state.ts'
import { corpusLabel } from '../../words/corpus_name.ts'
import type { Problem } from '../../words/problems.ts'
import { words } from '../../words/words.ts'
import { Confirm } from '../confirm.tsx'
import { ProblemNotice } from '../notice.tsx'

export interface RemovalProps {
  readonly state: State
  readonly asking: Asking & { readonly store: Store }
  readonly id: string
  readonly title: string
}

export function Removal({ state, asking, id, title }: RemovalProps): JSX.Element {
  const [step, setStep] = useState<'offered' | 'asked' | 'going'>('offered'),
    [problem, setProblem] = useState<Problem | null>(null),
    t = words().list
  const remove = async (): Promise<void> => {
    setStep('going')
    setProblem(await removeDocument(asking.store, asking, id, title))
    setStep('offered')
  }
  return (
    <div class="removal">
      {problem && <ProblemNotice problem={problem} />}
      {step === 'asked' ? (
        <Confirm
          question={t.removeQuestion(title)}
          words={t.removeHelp(corpusLabel(state.corpus ?? ''))}
          yes={t.remove}
          confirm={() => void remove()}
          cancel={() => {
            setStep('offered')
          }}
        />
      ) : (
        <button
          type="button"
          class="link small"
          disabled={step === 'going'}
          onClick={() => {
            setStep('asked')
          }}
        >
          {step === 'going' ? t.removing : words().doc.remove}
        </button>
      )}
    </div>
  )
}
