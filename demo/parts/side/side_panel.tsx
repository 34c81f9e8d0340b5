/** The side panel: document, why, graph or developer, one at a time. */
import type { JSX } from 'preact'
import type { Archives } from '../../session/archives.ts'
import type { Asking } from '../../session/asking.ts'
import type { Corpora } from '../../session/corpora.ts'
import type { SideTab, State } from '../../session/state.ts'
import { words } from '../../words/words.ts'
import { DeveloperView } from './developer_view.tsx'
import { DocumentView } from './document_view.tsx'
import { GraphView } from './graph_view.tsx'
import { WhyPanel } from './why_panel.tsx'

const TABS: readonly SideTab[] = ['document', 'why', 'graph', 'developer']

export interface SidePanelProps {
  readonly state: State
  readonly asking: Asking
  readonly corpora: Corpora
  readonly archives: Archives
  readonly choose: (tab: SideTab) => void
  readonly centre: (name: string | null) => void
}

export function SidePanel(props: SidePanelProps): JSX.Element {
  const { side } = props.state
  return (
    <>
      <Tabs chosen={side} choose={props.choose} />
      <div
        class={`side-body side-${side}`}
        id={`side-${side}`}
        role="tabpanel"
        aria-labelledby={`side-tab-${side}`}
        tabIndex={-1}
      >
        <Body {...props} />
      </div>
    </>
  )
}

function Body({ state, asking, corpora, archives, centre }: SidePanelProps): JSX.Element {
  switch (state.side) {
    case 'document':
      return <DocumentView state={state} asking={asking} />
    case 'why':
      return <WhyPanel state={state} asking={asking} centre={centre} />
    case 'graph':
      return <GraphView state={state} asking={asking} centre={centre} />
    case 'developer':
      return <DeveloperView state={state} corpora={corpora} archives={archives} />
  }
}

function Tabs({
  chosen,
  choose,
}: {
  readonly chosen: SideTab
  readonly choose: (tab: SideTab) => void
}): JSX.Element {
  const t = words().side
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (move === 0) return
    event.preventDefault()
    const next = TABS[(TABS.indexOf(chosen) + move + TABS.length) % TABS.length]!
    choose(next)
    document.getElementById(`side-tab-${next}`)?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label={t.parts} onKeyDown={onKeyDown}>
      {TABS.map((id) => (
        <button
          key={id}
          id={`side-tab-${id}`}
          type="button"
          role="tab"
          aria-selected={chosen === id}
          aria-controls={chosen === id ? `side-${id}` : undefined}
          tabIndex={chosen === id ? 0 : -1}
          onClick={() => {
            choose(id)
          }}
        >
          {t.tabs[id]}
        </button>
      ))}
    </div>
  )
}
