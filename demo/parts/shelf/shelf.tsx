/** The shelf: what was added, what is in the way, the documents, the collections, the storage. */
import type { JSX } from 'preact'
import type { Archives } from '../../session/archives.ts'
import type { Asking } from '../../session/asking.ts'
import type { Corpora } from '../../session/corpora.ts'
import { hasSample } from '../../session/entries.ts'
import { forgetGone } from '../../session/losses.ts'
import { pauseMeaning } from '../../session/meaning.ts'
import type { State } from '../../session/state.ts'
import { archiveInto, documentsInto } from '../../session/targets.ts'
import { corpusLabel } from '../../words/corpus_name.ts'
import { offlineWords, storageWords } from '../../words/states.ts'
import { words } from '../../words/words.ts'
import { ProblemNotice, Sentences } from '../notice.tsx'
import { AddReportView } from './add_report.tsx'
import { CorporaList } from './corpora_list.tsx'
import { DocumentsList } from './documents_list.tsx'
import { DropZone } from './drop_zone.tsx'
import { FolderSync } from './folder_sync.tsx'
import { ProgressBars } from './progress_bars.tsx'

export interface ShelfProps {
  readonly state: State
  readonly corpora: Corpora
  readonly archives: Archives
  readonly asking: Asking
  readonly dragging: boolean
  readonly share: () => void
  readonly wipe: () => void
}

export function Shelf(props: ShelfProps): JSX.Element {
  const { state, corpora, archives, asking, dragging, share } = props,
    t = words().shelf
  const busy = state.adding !== null || state.found !== null
  return (
    <>
      <h2>{t.title}</h2>
      <Problems state={state} corpora={corpora} />
      <DropZone
        corpora={corpora}
        target={corpusLabel(documentsInto(state, null))}
        archives={archiveInto(state) !== null}
        busy={busy}
        dragging={dragging}
      />
      {state.reports.map((report, i) => (
        <AddReportView key={i} report={report} labelled={state.reports.length > 1} />
      ))}
      <Looking state={state} corpora={corpora} />
      {!state.example &&
        (state.status !== null || state.adding !== null || state.boot === 'opening') && (
          <section class="block" aria-labelledby="progress-title">
            <h3 id="progress-title">
              {state.corpus === null ? t.progress : corpusLabel(state.corpus)}
            </h3>
            <ProgressBars state={state} corpora={corpora} />
            <FolderSync state={state} corpora={corpora} busy={busy} />
          </section>
        )}
      {!state.example && state.engine && (state.status?.documents ?? 0) > 0 && (
        <DocumentsList state={state} corpora={corpora} asking={asking} />
      )}
      <section class="block" aria-labelledby="corpora-title">
        <h3 id="corpora-title">{t.collections}</h3>
        {state.example && <ExampleNote corpora={corpora} busy={busy} />}
        <CorporaList state={state} corpora={corpora} archives={archives} share={share} />
        {!hasSample(state.corpora) && state.corpora.length > 0 && (
          <button
            type="button"
            class="link small"
            disabled={busy}
            onClick={() => void corpora.filling.sample()}
          >
            {t.loadSample}
          </button>
        )}
      </section>
      <Storage {...props} />
    </>
  )
}

function Problems({ state, corpora }: Pick<ShelfProps, 'state' | 'corpora'>): JSX.Element {
  const t = words().shelf,
    { corpusProblem, gone } = state
  return (
    <>
      {corpusProblem && (
        <ProblemNotice
          problem={corpusProblem}
          act={(remedy) => {
            if (remedy === 'memory') void corpora.openInMemory()
            else if (remedy === 'resume') void pauseMeaning(corpora.store, false)
            else if (remedy === 'forget' && state.corpus) void corpora.delete(state.corpus)
            else void corpora.retry()
          }}
        />
      )}
      {gone.length > 0 && (
        <div class="notice warn" role="alert">
          <p class="notice-title">{t.gone(gone.length)}</p>
          <p>{t.goneHelp(gone.map(corpusLabel).join(', '))}</p>
          <button
            type="button"
            onClick={() => {
              forgetGone(corpora.store)
            }}
          >
            {t.understood}
          </button>
        </div>
      )}
    </>
  )
}

function ExampleNote({
  corpora,
  busy,
}: {
  readonly corpora: Corpora
  readonly busy: boolean
}): JSX.Element {
  const t = words().shelf
  return (
    <div class="example-note">
      <p class="small muted">{t.exampleNote}</p>
      <button
        type="button"
        class="link small"
        disabled={busy}
        onClick={() => void corpora.filling.sample()}
      >
        {t.keepSample}
      </button>
    </div>
  )
}

function Looking({ state, corpora }: Pick<ShelfProps, 'state' | 'corpora'>): JSX.Element | null {
  if (state.found === null) return null
  return (
    <div class="bar-foot looking">
      <p class="small muted figures">{words().shelf.looking(state.found)}</p>
      <button
        type="button"
        class="small-button"
        onClick={() => {
          corpora.filling.stopLooking()
        }}
      >
        {words().page.cancel}
      </button>
    </div>
  )
}

function Storage({ state, wipe }: ShelfProps): JSX.Element {
  const t = words().shelf,
    { status } = state
  return (
    <>
      <section class="block" aria-labelledby="storage-title">
        <h3 id="storage-title">{t.storage}</h3>
        <Sentences
          list={[
            ...(status && !state.example ? storageWords(status.storage) : []),
            offlineWords(state.offline, state.online),
          ]}
        />
        {status?.warnings.map((warning) => (
          <p key={warning} class="warn small">
            {warning}
          </p>
        ))}
        <button type="button" class="link small" aria-haspopup="dialog" onClick={wipe}>
          {words().settings.wipe}
        </button>
      </section>
      <footer class="foot">
        <p>
          {t.sampleLicence}{' '}
          <a href={`${import.meta.env.BASE_URL}samples/hotpotqa_train100/LICENSE.txt`}>
            CC BY-SA 4.0
          </a>
          .
        </p>
      </footer>
    </>
  )
}
