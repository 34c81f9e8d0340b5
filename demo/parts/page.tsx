/**
 * Owns the frame of the page: head, three columns or tabs, the live region, the drop target.
 * Refuses: what stands in a column.
 */
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { install } from '../platform/install.ts'
import { intakeOfDrop } from '../platform/intake.ts'
import { SAMPLE } from '../platform/sample.ts'
import { saveSettings } from '../platform/settings.ts'
import type { Agents } from '../session/agents.ts'
import type { Answering } from '../session/answering.ts'
import type { Archives } from '../session/archives.ts'
import type { Asking } from '../session/asking.ts'
import type { Corpora } from '../session/corpora.ts'
import { hasSample } from '../session/entries.ts'
import { removeDocument } from '../session/removal.ts'
import type { State, Store } from '../session/state.ts'
import { offlineWords } from '../words/states.ts'
import { tourQuestion } from '../words/tour.ts'
import { AskPanel } from './ask_panel.tsx'
import { CorpusPanel } from './corpus_panel.tsx'
import { DocumentDialog } from './document_dialog.tsx'
import { HintLayer } from './hint.tsx'
import { useMedia, useStore } from './hooks.ts'
import { SettingsDialog } from './settings_dialog.tsx'
import { ShareDialog } from './share_dialog.tsx'
import { Tour, TOUR } from './tour.tsx'
import { WhyPanel } from './why_panel.tsx'

const TABS = [
  { id: 'ask', label: 'Ask' },
  { id: 'why', label: 'Why' },
  { id: 'corpus', label: 'Corpus' },
] as const
type TabId = (typeof TABS)[number]['id']

export interface PageProps {
  readonly store: Store
  readonly corpora: Corpora
  readonly asking: Asking
  readonly answering: Answering
  readonly archives: Archives
  readonly agents: Agents
}

export function Page({
  store,
  corpora,
  asking,
  answering,
  archives,
  agents,
}: PageProps): JSX.Element {
  const state = useStore(store)
  const wide = useMedia('(min-width: 1100px)')
  const [tab, setTab] = useState<TabId>('ask')
  useTopOf(tab, wide)
  const dragging = useDrop(corpora)
  const offline = offlineWords(state.offline, state.online)
  const sourceCount = state.answer?.sources.length ?? 0
  const panel = (id: TabId): JSX.HTMLAttributes<HTMLElement> => ({
    id: `panel-${id}`,
    class: `panel panel-${id}`,
    hidden: !wide && tab !== id,
    ...(wide ? {} : { role: 'tabpanel', 'aria-labelledby': `tab-${id}` }),
  })
  const toSource = (rank: number): void => {
    setTab('why')
    requestAnimationFrame(() => {
      focusPart(`source-${rank}`)
    })
  }
  const toBlock = (n: number): void => {
    setTab('ask')
    requestAnimationFrame(() => {
      focusPart(`block-${n}`)
    })
  }
  const openSettings = (): void => {
    store.set({ dialog: 'settings' })
  }
  const closeDialog = (): void => {
    store.set({ dialog: null })
  }
  const step = state.tour === null ? undefined : TOUR[state.tour]
  const goTour = (to: number): void => {
    // Going on from a step does what the step is about, so that nobody has to find the button
    // first.
    if (to === 1 && (state.status?.passages ?? 0) === 0)
      void (hasSample(state.corpora) ? corpora.open(SAMPLE.corpus) : corpora.addSample())
    const question = tourQuestion(state)
    if (to === 2 && !state.answer && question !== null) void asking.ask(question)
    setTab(TOUR[to]?.tab ?? 'ask')
    store.set({ tour: to })
  }
  const endTour = (): void => {
    const settings = { ...store.state.settings, toured: true }
    saveSettings(settings)
    store.set({ tour: null, settings })
  }
  const startTour = (): void => {
    store.set({ dialog: null })
    goTour(0)
  }
  return (
    <>
      <header class="head">
        <p class="brand">
          <Logo />
          <span>hubmesh</span>
        </p>
        <p class="claim">{claim(state)}</p>
        <p class={`network ${offline.tone}`}>{offline.text}</p>
        <button type="button" class="head-button" aria-haspopup="dialog" onClick={openSettings}>
          Settings
        </button>
      </header>
      <main class={wide ? 'columns' : 'single'} data-asking={state.asking} data-tour={step?.at}>
        <h1 class="sr-only">hubmesh: ask your own documents</h1>
        {!wide && <Tabs tab={tab} choose={setTab} badge={sourceCount} />}
        {/* In one column the question comes first; in three, the corpus does, as in a sentence: what, asked, why. */}
        <section {...panel('corpus')} aria-label="Corpus">
          <CorpusPanel
            state={state}
            corpora={corpora}
            archives={archives}
            dragging={dragging}
            share={() => {
              store.set({ dialog: 'share' })
            }}
          />
        </section>
        <section {...panel('ask')} aria-label="Ask">
          <AskPanel
            state={state}
            corpora={corpora}
            asking={asking}
            answering={answering}
            archives={archives}
            toSource={toSource}
            toBlock={toBlock}
            openSettings={openSettings}
            tour={{ start: startTour, decline: endTour }}
            toCorpus={
              wide
                ? null
                : () => {
                    setTab('corpus')
                  }
            }
          />
        </section>
        <section {...panel('why')} aria-label="Why">
          <WhyPanel state={state} asking={asking} toSource={toSource} />
        </section>
      </main>
      {dragging && (
        <div class="drop-veil" aria-hidden="true">
          <p>Drop files or a folder anywhere</p>
        </div>
      )}
      {state.opened && state.engine && (
        <DocumentDialog
          key={state.opened.id}
          state={state}
          close={() => {
            asking.openDocument(null)
          }}
          remove={(id, title) => removeDocument(store, asking, id, title)}
        />
      )}
      {state.dialog === 'settings' && (
        <SettingsDialog
          state={state}
          answering={answering}
          agents={agents}
          close={closeDialog}
          startTour={startTour}
          install={() => {
            store.set({ installable: false })
            void install()
          }}
        />
      )}
      {state.dialog === 'share' && (
        <ShareDialog state={state} archives={archives} close={closeDialog} />
      )}
      {state.tour !== null && <Tour state={state} go={goTour} end={endTour} />}
      <HintLayer />
      <p class="sr-only" role="status" aria-live="polite">
        {state.announcement}
      </p>
    </>
  )
}

/** What is promised of the documents; less where somebody else may read them. */
function claim({ settings, agents }: State): string {
  if (settings.model.kind === 'server')
    return 'Ask your own documents. Answers come from a server you chose.'
  return agents.state === 'offered'
    ? 'Ask your own documents. This page sends nothing; agents in this browser may read them.'
    : 'Ask your own documents. Nothing leaves this device.'
}

function focusPart(id: string): void {
  const card = document.getElementById(id)
  card?.scrollIntoView({
    block: 'start',
    behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
  })
  card?.focus({ preventScroll: true })
}

function Tabs({
  tab,
  choose,
  badge,
}: {
  readonly tab: TabId
  readonly choose: (tab: TabId) => void
  readonly badge: number
}): JSX.Element {
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (move === 0) return
    event.preventDefault()
    const next = TABS[(TABS.findIndex((t) => t.id === tab) + move + TABS.length) % TABS.length]!.id
    choose(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label="Parts of the page" onKeyDown={onKeyDown}>
      {TABS.map(({ id, label }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          aria-selected={tab === id}
          aria-controls={`panel-${id}`}
          tabIndex={tab === id ? 0 : -1}
          onClick={() => {
            choose(id)
          }}
        >
          {label}
          {id === 'why' && badge > 0 && (
            <span class="badge">
              {badge}
              <span class="sr-only"> sources</span>
            </span>
          )}
        </button>
      ))}
    </div>
  )
}

/**
 * A tab that is chosen shows its beginning, however far down the one before was read; whoever leads
 * to a part of it scrolls there afterwards.
 */
function useTopOf(tab: TabId, wide: boolean): void {
  const shown = useRef(tab)
  useLayoutEffect(() => {
    if (shown.current === tab) return
    shown.current = tab
    if (!wide) scrollTo({ top: 0, behavior: 'instant' })
  }, [tab, wide])
}

/** The whole window takes drops; true while something is dragged over it. */
function useDrop(corpora: Corpora): boolean {
  const [dragging, setDragging] = useState(false)
  useEffect(() => {
    let depth = 0
    const holdsFiles = (event: DragEvent): boolean =>
      event.dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent): void => {
      if (holdsFiles(event)) {
        depth++
        setDragging(true)
      }
    }
    const leave = (event: DragEvent): void => {
      if (holdsFiles(event) && --depth <= 0) {
        depth = 0
        setDragging(false)
      }
    }
    const over = (event: DragEvent): void => {
      if (holdsFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent): void => {
      if (!event.dataTransfer || !holdsFiles(event)) return
      event.preventDefault()
      depth = 0
      setDragging(false)
      const { dataTransfer } = event
      void corpora.addFound((found, signal) => intakeOfDrop(dataTransfer, found, signal))
    }
    const pairs = [
      ['dragenter', enter],
      ['dragleave', leave],
      ['dragover', over],
      ['drop', drop],
    ] as const
    for (const [name, listener] of pairs) document.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of pairs) document.removeEventListener(name, listener)
    }
  }, [corpora])
  return dragging
}

function Logo(): JSX.Element {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M7 9 16 16 25 7M16 16 8 24M16 16l9 8" />
      <circle cx="16" cy="16" r="4" />
      <circle cx="7" cy="9" r="2.5" />
      <circle cx="25" cy="7" r="2.5" />
      <circle cx="8" cy="24" r="2.5" />
      <circle cx="25" cy="24" r="2.5" />
    </svg>
  )
}
