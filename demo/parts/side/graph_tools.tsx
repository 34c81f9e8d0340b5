/** Above the map: search for a name, kind, weight, map or list. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Narrowing } from '../../graph/narrow.ts'
import type { State } from '../../session/state.ts'
import { words } from '../../words/words.ts'

export interface GraphToolsProps {
  readonly state: State
  readonly narrowing: Narrowing
  readonly change: (narrowing: Narrowing) => void
  readonly view: 'map' | 'list'
  readonly setView: (view: 'map' | 'list') => void
  readonly centre: (name: string | null) => void
}

const KINDS = ['all', 'person', 'place', 'organisation', 'other'] as const
/** Weights of ties: idf of the rarer name, added up over the passages that hold both. */
const LEAST = [0, 5, 10, 20, 40] as const

export function GraphTools(props: GraphToolsProps): JSX.Element {
  const { narrowing, change, view, setView } = props,
    t = words().graph
  return (
    <div class="graph-tools">
      <Search {...props} />
      <div class="row tight small">
        <label>
          {t.kind}{' '}
          <select
            value={narrowing.kind}
            onChange={(event) => {
              change({ ...narrowing, kind: event.currentTarget.value as Narrowing['kind'] })
            }}
          >
            {KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {t.kinds[kind]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t.least}{' '}
          <select
            value={narrowing.least}
            onChange={(event) => {
              change({ ...narrowing, least: Number(event.currentTarget.value) })
            }}
          >
            {LEAST.map((n) => (
              <option key={n} value={n}>
                {n === 0 ? t.kinds.all : n}
              </option>
            ))}
          </select>
        </label>
        {(['map', 'list'] as const).map((id) => (
          <button
            key={id}
            type="button"
            class="small-button"
            aria-pressed={view === id}
            onClick={() => {
              setView(id)
            }}
          >
            {t[id]}
          </button>
        ))}
      </div>
    </div>
  )
}

function Search({ state, centre }: GraphToolsProps): JSX.Element {
  const [text, setText] = useState(''),
    [missing, setMissing] = useState<string | null>(null),
    t = words().graph
  const search = async (): Promise<void> => {
    const wanted = text.trim()
    if (wanted === '' || !state.engine) return
    const [found] = await state.engine.resolveEntities([wanted]).catch(() => [null])
    setMissing(found ? null : wanted)
    if (found) centre(found.name)
  }
  return (
    <form
      class="row"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        void search()
      }}
    >
      <input
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        dir="auto"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
        }}
      />
      <button type="submit" class="small-button">
        {t.go}
      </button>
      {missing !== null && (
        <p class="small warn" role="status">
          {t.notFound(missing)}
        </p>
      )}
    </form>
  )
}
