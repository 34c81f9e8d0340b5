/** Owns what a newcomer sees first. Refuses: more than one main action. */
import type { JSX } from 'preact'
import { SAMPLE } from '../platform/sample.ts'
import type { Corpora } from '../session/corpora.ts'

export function Welcome({
  corpora,
  sample,
  toCorpus,
  named,
  tour,
}: {
  readonly corpora: Corpora
  /** The sample is on this device. */ readonly sample: boolean
  readonly toCorpus: (() => void) | null
  readonly named: string | null
  readonly tour: { readonly start: () => void; readonly decline: () => void } | null
}): JSX.Element {
  return (
    <div class="welcome">
      <p class="lead">
        {named === null || named === SAMPLE.label
          ? 'Give it documents, ask a question, see which passages answer it and how they hang together.'
          : `“${named}” is empty. Drop documents on the page and ask.`}
      </p>
      <ol class="steps">
        <li>
          <strong>Corpus.</strong> Files are read, split and indexed in this page. There is no
          server and no account.
        </li>
        <li>
          <strong>Ask.</strong> You get a context of cited passages that never exceeds your token
          budget, ready for any language model.
        </li>
        <li>
          <strong>Why.</strong> Every passage shows what its score is made of, and the names that
          lead to it, word for word.
        </li>
      </ol>
      <div class="row">
        {sample ? (
          <button
            type="button"
            class="primary big"
            onClick={() => void corpora.open(SAMPLE.corpus)}
          >
            Open the sample
          </button>
        ) : (
          <button type="button" class="primary big" onClick={() => void corpora.addSample()}>
            Load the sample
          </button>
        )}
        {toCorpus && (
          <button type="button" class="big" onClick={toCorpus}>
            Add my own…
          </button>
        )}
      </div>
      {tour && (
        <p class="tour-offer">
          New here?{' '}
          <button type="button" class="link" onClick={tour.start}>
            Take the 30-second tour
          </button>{' '}
          <button type="button" class="link quiet-link" onClick={tour.decline}>
            No, thanks
          </button>
        </p>
      )}
      <p class="small muted">
        {SAMPLE.passages} paragraphs of Wikipedia with questions to try,{' '}
        {sample ? 'on this device already' : 'served with this page'}.{' '}
        {toCorpus ? '' : 'Or drop your own files anywhere.'}
      </p>
    </div>
  )
}
