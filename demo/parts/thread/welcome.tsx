/** What a newcomer sees: what this is, and the two ways to begin. */
import type { JSX } from 'preact'
import { SAMPLE } from '../../platform/sample.ts'
import type { Corpora } from '../../session/corpora.ts'
import { words } from '../../words/words.ts'

export interface WelcomeProps {
  readonly corpora: Corpora
  /** The sample is on this device. */
  readonly sample: boolean
  /** Shows where documents are added. */
  readonly toShelf: () => void
  /** Name of the open collection that is empty. */
  readonly named: string | null
}

export function Welcome({ corpora, sample, toShelf, named }: WelcomeProps): JSX.Element {
  const t = words().welcome
  return (
    <div class="welcome">
      <p class="lead">{named === null ? t.lead : t.empty(named)}</p>
      <div class="row">
        <button type="button" class="primary big" onClick={toShelf}>
          {t.own}
        </button>
        <button
          type="button"
          class="big"
          onClick={() => void (sample ? corpora.open(SAMPLE.corpus) : corpora.filling.sample())}
        >
          {sample ? t.openSample : t.sample}
        </button>
      </div>
      <p class="small muted">{t.privacy}</p>
    </div>
  )
}
