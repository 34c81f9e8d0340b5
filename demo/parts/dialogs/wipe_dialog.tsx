/** Deletes all that this site stored on this device; a saved file is offered before. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Archives } from '../../session/archives.ts'
import type { State } from '../../session/state.ts'
import { corpusLabel } from '../../words/corpus_name.ts'
import { words } from '../../words/words.ts'
import { Modal } from './modal.tsx'

export interface WipeDialogProps {
  readonly state: State
  readonly archives: Archives
  /** Deletes everything; gives the collections that could not be deleted. */
  readonly wipe: () => Promise<readonly string[]>
  readonly close: () => void
}

export function WipeDialog({ state, archives, wipe, close }: WipeDialogProps): JSX.Element {
  const [step, setStep] = useState<'asked' | 'going' | readonly string[]>('asked'),
    t = words().wipe,
    savable = !state.example && state.corpus !== null && (state.status?.documents ?? 0) > 0
  const others = savable
    ? state.corpora.filter(({ name }) => name !== state.corpus).map(({ name }) => corpusLabel(name))
    : []
  const go = async (): Promise<void> => {
    setStep('going')
    const left = await wipe()
    if (left.length === 0) location.reload()
    else setStep(left)
  }
  return (
    <Modal title={t.title} close={close}>
      <p>{t.lead(state.corpora.length)}</p>
      <p class="small muted">{t.undo}</p>
      {others.length > 0 && <p class="small muted">{t.others(others.join(', '))}</p>}
      {typeof step !== 'string' && (
        <p class="notice warn small" role="alert">
          {t.failed(step.map(corpusLabel).join(', '))}
        </p>
      )}
      <div class="row">
        {savable && (
          <button type="button" disabled={state.exporting} onClick={() => void archives.save()}>
            {t.saveFirst(corpusLabel(state.corpus ?? ''))}
          </button>
        )}
        <button type="button" class="danger" disabled={step === 'going'} onClick={() => void go()}>
          {step === 'going' ? t.going : t.sure}
        </button>
        <button type="button" onClick={close}>
          {words().page.cancel}
        </button>
      </div>
    </Modal>
  )
}
