/** The same names as the map, by areas, for keyboard and screen reader. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { areasOf } from '../../graph/areas.ts'
import type { GraphName, GraphPart } from '../../graph/source.ts'
import { words } from '../../words/words.ts'

/** Names of an area that are listed, and names that stand for it. */
const LISTED = 40
const TELLING = 3

export function GraphList({
  part,
  centre,
}: {
  readonly part: GraphPart
  readonly centre: (name: string | null) => void
}): JSX.Element {
  const t = words().graph,
    areas = useMemo(() => groups(part), [part])
  return (
    <div class="graph-list" role="region" aria-label={t.communities}>
      {areas.map((names, i) => (
        <details key={names[0]?.name ?? i} open={i === 0}>
          <summary>
            <bdi>
              {names
                .slice(0, TELLING)
                .map(({ label }) => label)
                .join(', ')}
            </bdi>{' '}
            <span class="small muted figures">{t.names(names.length)}</span>
          </summary>
          <ul>
            {names.slice(0, LISTED).map(({ name, label, passages }) => (
              <li key={name}>
                <button
                  type="button"
                  class="link small"
                  aria-label={t.centre(label)}
                  onClick={() => {
                    centre(name)
                  }}
                >
                  <bdi>{label}</bdi>
                </button>{' '}
                <span class="small muted figures">{passages}</span>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  )
}

/** Names by area, the largest area first, the most mentioned name first. */
function groups({ nodes }: GraphPart): readonly (readonly GraphName[])[] {
  const areas = areasOf(nodes),
    out: GraphName[][] = []
  for (const node of nodes) {
    const area = areas.get(node.name) ?? 0
    ;(out[area] ??= []).push(node)
  }
  for (const names of out) names.sort((a, b) => b.passages - a.passages)
  return out
}
