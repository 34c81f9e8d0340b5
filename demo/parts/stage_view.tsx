/**
 * Owns the account of the stages: how long each took and what it rested on. Refuses: rounding
 * trouble away.
 */
import type { JSX } from 'preact'
import type { RetrieveResult } from '../../src/index.ts'
import { counted, grouped, milliseconds } from '../words/format.ts'
import { stageWords } from '../words/states.ts'
import { Hint } from './hint.tsx'

export function StageView({ answer }: { readonly answer: RetrieveResult }): JSX.Element {
  const { debug } = answer
  const stages = Object.entries(debug.timings).filter(([name]) => name !== 'total')
  const sum = stages.reduce((total, [, ms]) => total + ms, 0)
  const total = debug.timings['total'] ?? sum
  const longest = Math.max(0.001, ...stages.map(([, ms]) => ms))
  return (
    <details class="block stages">
      <summary>How it was worked out, in {milliseconds(total)}</summary>
      <table>
        <caption class="sr-only">Milliseconds of each stage</caption>
        <tbody>
          {stages.map(([name, ms], i) => (
            <tr key={name}>
              <th scope="row">{stageWords(name)}</th>
              <td class="stage-track">
                <div style={{ width: `${((100 * ms) / longest).toFixed(1)}%` }} />
              </td>
              <td class="figures">
                <Hint about="stage" quiet={i > 0}>
                  {milliseconds(ms)}
                </Hint>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="small muted">
        {debug.tier === 'full' ? 'Meaning, words and names.' : 'Words and names only.'} Trust in the
        names: <Hint about="trust">{Math.round(debug.gate * 100)}%</Hint>. The walk took{' '}
        <Hint about="walk">
          {counted(debug.walk.pushes, 'step')} over {counted(debug.walk.touchedEdges, 'edge')}
        </Hint>{' '}
        and left <Hint about="residual">{(debug.walk.residual * 100).toFixed(2)}%</Hint> undecided.{' '}
        <Hint about="vectors">
          {grouped(debug.passagesWithVectors)} of {counted(debug.passages, 'passage')}
        </Hint>{' '}
        had vectors.
      </p>
    </details>
  )
}
