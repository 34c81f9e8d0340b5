/** How long each stage took and what the answer rested on. */
import type { JSX } from 'preact'
import type { RetrieveResult } from '../../../src/index.ts'
import { milliseconds } from '../../words/format.ts'
import { stageWords } from '../../words/states.ts'
import { words } from '../../words/words.ts'
import { Hint } from '../hint.tsx'

export function StageView({ answer }: { readonly answer: RetrieveResult }): JSX.Element {
  const { debug } = answer,
    t = words().developer
  const stages = Object.entries(debug.timings).filter(([name]) => name !== 'total')
  const sum = stages.reduce((total, [, ms]) => total + ms, 0)
  const longest = Math.max(0.001, ...stages.map(([, ms]) => ms))
  return (
    <section class="block stages">
      <div class="block-head">
        <h3>{t.timings}</h3>
        <span class="small muted figures">
          <Hint about="total">{t.total(milliseconds(debug.timings['total'] ?? sum))}</Hint>
        </span>
      </div>
      <table>
        <caption class="sr-only">{t.stages}</caption>
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
      <Facts debug={debug} />
    </section>
  )
}

function Facts({ debug }: Pick<RetrieveResult, 'debug'>): JSX.Element {
  const t = words().developer
  const rows = [
    [t.tier, debug.tier === 'full' ? t.tierFull : t.tierText, null],
    [t.gate, `${Math.round(debug.gate * 100)}%`, 'trust'],
    [t.walk, t.walkOf(debug.walk.pushes, debug.walk.touchedEdges), 'walk'],
    [t.residual, `${(debug.walk.residual * 100).toFixed(2)}%`, 'residual'],
    [t.vectors, words().bars.of(debug.passagesWithVectors, debug.passages), 'vectors'],
  ] as const
  return (
    <dl class="facts-list small figures">
      {rows.map(([name, value, topic]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{topic === null ? value : <Hint about={topic}>{value}</Hint>}</dd>
        </div>
      ))}
    </dl>
  )
}
