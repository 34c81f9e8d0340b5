/** The drawn map; its library comes when it is first shown, its layout from a worker. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { place } from '../../graph/place.ts'
import type { NameMap } from '../../graph/map.ts'
import type { GraphPart } from '../../graph/source.ts'
import { words } from '../../words/words.ts'

export interface GraphMapProps {
  readonly part: GraphPart
  readonly centred: string | null
  readonly centre: (name: string | null) => void
}

export function GraphMap({ part, centred, centre }: GraphMapProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null),
    { map, failed } = useMap(box, part, centre),
    t = words().graph
  useEffect(() => {
    map?.select(centred)
  }, [map, centred])
  if (failed) return <p class="small warn">{t.failed}</p>
  const tools = [
    [t.zoomIn, '+', () => map?.zoom(1.6)],
    [t.zoomOut, '−', () => map?.zoom(1 / 1.6)],
    [
      t.whole,
      '⤢',
      () => {
        centre(null)
        map?.whole()
      },
    ],
  ] as const
  return (
    <div class="graph-frame">
      <div class="graph-map" ref={box} role="img" aria-label={t.canvas} />
      {map === null && <p class="small muted graph-wait">{t.loading}</p>}
      <div class="graph-zoom">
        {tools.map(([label, sign, act]) => (
          <button key={label} type="button" aria-label={label} title={label} onClick={act}>
            {sign}
          </button>
        ))}
      </div>
    </div>
  )
}

function useMap(
  box: { readonly current: HTMLDivElement | null },
  part: GraphPart,
  centre: (name: string | null) => void,
): { readonly map: NameMap | null; readonly failed: boolean } {
  const [map, setMap] = useState<NameMap | null>(null),
    [failed, setFailed] = useState(false)
  useEffect(() => {
    const left = new AbortController()
    let drawn: NameMap | null = null
    const draw = async (): Promise<void> => {
      const task = {
        nodes: part.nodes.map(({ name, community }) => ({ name, community })),
        edges: part.edges,
      }
      const [{ drawMap }, placed] = await Promise.all([
        import('../../graph/map.ts'),
        place(task, left.signal),
      ])
      if (left.signal.aborted || !box.current) return
      drawn = drawMap(box.current, part, placed, coloursOf(box.current), centre)
      setMap(drawn)
    }
    draw().catch(() => {
      if (!left.signal.aborted) setFailed(true)
    })
    return () => {
      left.abort()
      drawn?.kill()
      setMap(null)
    }
  }, [part])
  return { map, failed }
}

/** The colours of the style sheet; a canvas knows no custom properties. */
function coloursOf(
  element: HTMLElement,
): Parameters<typeof import('../../graph/map.ts').drawMap>[3] {
  const style = getComputedStyle(element),
    read = (name: string): string => style.getPropertyValue(name).trim()
  return {
    ink: read('--ink'),
    line: read('--line'),
    accent: read('--warn'),
    areas: [1, 2, 3, 4, 5, 6, 7, 8].map((n) => read(`--area-${n}`)),
  }
}
