/** Measures the vector index that is open against an exact comparison, on passages of the corpus. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { measureIndex, type Measured } from '../../session/measure.ts'
import type { State } from '../../session/state.ts'
import { milliseconds } from '../../words/format.ts'
import { words } from '../../words/words.ts'

export function IndexMeasure({ state }: { readonly state: State }): JSX.Element {
  const [result, setResult] = useState<Measured | null | 'running'>(null),
    { engine, status } = state,
    t = words().developer
  if (!engine || !status) return <></>
  if (status.passagesWithVectors === 0) return <p class="small muted">{t.measureNone}</p>
  const run = async (): Promise<void> => {
    setResult('running')
    setResult(await measureIndex(engine).catch(() => null))
  }
  return (
    <div>
      <button
        type="button"
        class="link small"
        disabled={result === 'running'}
        onClick={() => void run()}
      >
        {result === 'running' ? t.measuring : t.measure}
      </button>
      {result !== null && result !== 'running' && (
        <p class="small figures" role="status">
          {t.measured(status.index.kind, milliseconds(result.ms), result.recall.toFixed(3))}
        </p>
      )}
    </div>
  )
}
