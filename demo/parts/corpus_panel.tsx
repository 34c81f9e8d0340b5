/** Owns the corpus column. Refuses: talking to the engine; the session does. */
import type { JSX } from 'preact'
import type { Archives } from '../session/archives.ts'
import type { Corpora } from '../session/corpora.ts'
import type { State } from '../session/state.ts'
import { hasSample } from '../session/entries.ts'
import { archiveInto, documentsInto } from '../session/targets.ts'
import { corpusLabel } from '../words/corpus_name.ts'
import { counted } from '../words/format.ts'
import { offlineWords, storageWords } from '../words/states.ts'
import { AddReportView } from './add_report.tsx'
import { CorporaList } from './corpora_list.tsx'
import { DropZone } from './drop_zone.tsx'
import { ProblemNotice, Sentences } from './notice.tsx'
import { ProgressBars } from './progress_bars.tsx'

export interface CorpusPanelProps {
  readonly state: State
  readonly corpora: Corpora
  readonly archives: Archives
  readonly dragging: boolean
  readonly share: () => void
}

export function CorpusPanel({
  state,
  corpora,
  archives,
  dragging,
  share,
}: CorpusPanelProps): JSX.Element {
  const { status, corpusProblem } = state
  return (
    <>
      <h2>Corpus</h2>
      {corpusProblem && (
        <ProblemNotice
          problem={corpusProblem}
          act={(remedy) => {
            if (remedy === 'memory') void corpora.openInMemory()
            else if (remedy === 'resume') void corpora.resume()
            else if (remedy === 'forget' && state.corpus) void corpora.delete(state.corpus)
            else void corpora.retry()
          }}
        />
      )}
      {state.gone.length > 0 && (
        <div class="notice warn" role="alert">
          <p class="notice-title">
            The saved data of {counted(state.gone.length, 'corpus', 'corpora')} are gone
          </p>
          <p>
            {state.gone.map(corpusLabel).join(', ')}. A browser clears them when space runs short,
            and when site data are deleted. Add the documents again, or open a saved file.
          </p>
          <button
            type="button"
            onClick={() => {
              corpora.forgetGone()
            }}
          >
            Understood
          </button>
        </div>
      )}
      <DropZone
        corpora={corpora}
        target={corpusLabel(documentsInto(state, null))}
        archives={archiveInto(state) !== null}
        busy={state.adding !== null || state.found !== null}
        dragging={dragging}
      />
      {!hasSample(state.corpora) && state.corpora.length > 0 && (
        <button
          type="button"
          class="quiet"
          disabled={state.adding !== null || state.found !== null}
          onClick={() => void corpora.addSample()}
        >
          Load the Wikipedia sample
        </button>
      )}
      {state.reports.map((report, i) => (
        <AddReportView key={i} report={report} labelled={state.reports.length > 1} />
      ))}
      {state.found !== null && (
        <div class="bar-foot">
          <p class="small muted figures">
            Looking through what was dropped
            {state.found > 0 && `: ${counted(state.found, 'file')} so far`}.
          </p>
          <button
            type="button"
            class="small-button"
            onClick={() => {
              corpora.stopLooking()
            }}
          >
            Cancel
          </button>
        </div>
      )}
      {(status !== null || state.adding !== null || state.boot === 'opening') && (
        <section class="block" aria-labelledby="progress-title">
          <h3 id="progress-title">
            {state.corpus === null ? 'Progress' : corpusLabel(state.corpus)}
          </h3>
          <ProgressBars state={state} corpora={corpora} />
        </section>
      )}
      <section class="block" aria-labelledby="corpora-title">
        <h3 id="corpora-title">On this device</h3>
        <CorporaList state={state} corpora={corpora} archives={archives} share={share} />
      </section>
      <section class="block" aria-labelledby="storage-title">
        <h3 id="storage-title">Storage</h3>
        <Sentences
          list={[
            ...(status ? storageWords(status.storage) : []),
            offlineWords(state.offline, state.online),
          ]}
        />
        {status?.warnings.map((warning) => (
          <p key={warning} class="warn small">
            {warning}
          </p>
        ))}
      </section>
      <footer class="foot">
        <p>
          Sample: 994 paragraphs of Wikipedia from HotpotQA,{' '}
          <a href={`${import.meta.env.BASE_URL}samples/hotpotqa_train100/LICENSE.txt`}>
            CC BY-SA 4.0
          </a>
          .
        </p>
      </footer>
    </>
  )
}
