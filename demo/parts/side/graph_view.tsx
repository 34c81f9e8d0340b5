/** The graph of names to explore: a map and, with the same content, a list. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { narrowed, type Narrowing } from '../../graph/narrow.ts'
import { readGraph, type GraphPart } from '../../graph/source.ts'
import type { Asking } from '../../session/asking.ts'
import type { State } from '../../session/state.ts'
import { problemOf, type Problem } from '../../words/problems.ts'
import { words } from '../../words/words.ts'
import { ProblemNotice } from '../notice.tsx'
import { GraphList } from './graph_list.tsx'
import { GraphMap } from './graph_map.tsx'
import { GraphTools } from './graph_tools.tsx'
import { NameDetail } from './name_detail.tsx'

export interface GraphViewProps {
  readonly state: State
  readonly asking: Asking
  readonly centre: (name: string | null) => void
}

export function GraphView({ state, asking, centre }: GraphViewProps): JSX.Element {
  const { part, problem } = usePart(state),
    [narrowing, setNarrowing] = useState<Narrowing>({ kind: 'all', least: 0 }),
    [view, setView] = useState<'map' | 'list'>('map'),
    t = words().graph
  const shown = useMemo(
    () => (part ? narrowed(part, narrowing, state.centred) : null),
    [part, narrowing, state.centred],
  )
  if (problem) return <ProblemNotice problem={problem} />
  if ((state.status?.entities ?? 0) === 0) return <p class="muted">{t.empty}</p>
  return (
    <div class="graph">
      <GraphTools
        state={state}
        narrowing={narrowing}
        change={setNarrowing}
        view={view}
        setView={setView}
        centre={centre}
      />
      {shown === null ? (
        <p class="small muted">{t.loading}</p>
      ) : view === 'map' ? (
        <GraphMap part={shown} centred={state.centred} centre={centre} />
      ) : (
        <GraphList part={shown} centre={centre} />
      )}
      {shown && <p class="small muted figures">{t.shown(shown.nodes.length, shown.total)}</p>}
      {state.centred !== null && state.engine && (
        <NameDetail
          key={state.centred}
          engine={state.engine}
          name={state.centred}
          asking={asking}
          centre={centre}
        />
      )}
    </div>
  )
}

interface Read {
  readonly part: GraphPart | null
  readonly problem: Problem | null
}

/** The overview of the corpus, or what is around a name. */
function usePart({ engine, status, centred }: State): Read {
  const [read, setRead] = useState<Read>({ part: null, problem: null })
  useEffect(() => {
    if (!engine) return
    const left = new AbortController()
    readGraph(engine, centred, left.signal).then(
      (part) => {
        if (!left.signal.aborted) setRead({ part, problem: null })
      },
      (error: unknown) => {
        if (!left.signal.aborted) setRead({ part: null, problem: problemOf(error) })
      },
    )
    return () => {
      left.abort()
    }
  }, [engine, status?.generation, status?.settled, centred])
  return read
}
