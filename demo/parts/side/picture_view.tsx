/** The drawn paths, walked by pointer and keyboard; where what stands is the layout's doing. */
import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { RetrieveResult } from '../../../src/index.ts'
import { layoutPicture, type Picture } from '../../picture/layout.ts'
import type { Asking } from '../../session/asking.ts'
import { words } from '../../words/words.ts'
import { useWidth } from '../hooks.ts'
import { EdgeShape, keyOf, NodeShape, type Item, type ItemActs } from './picture_items.tsx'
import { StepDetail } from './step_detail.tsx'

export interface PictureViewProps {
  readonly answer: RetrieveResult
  readonly asking: Asking
  /** Null where the answer's sources are not on the page. */
  readonly toSource: ((rank: number) => void) | null
  readonly centre: ((name: string) => void) | null
  /** Nodes that another answer's paths hold too. */
  readonly shared: ReadonlySet<string>
  /** Names the picture for screen readers where it is one of two. */
  readonly label: string | null
}

export function PictureView(props: PictureViewProps): JSX.Element {
  const { answer, asking, toSource, shared, label } = props,
    [box, width] = useWidth<HTMLDivElement>(),
    t = words().why
  const picture = useMemo(
    () => layoutPicture(answer.reasoning, { width: Math.max(240, width) }),
    [answer, width],
  )
  const items = useMemo(() => readingOrder(picture), [picture])
  const walk = useWalk(items, picture, (item) => {
    if (item.kind === 'edge' || item.node.node.kind === 'entity') return
    const { id } = item.node.node,
      rank = answer.sources.find((source) => source.documentId === id)?.rank
    if (rank === undefined || toSource === null) asking.openDocument(id)
    else toSource(rank)
  })
  return (
    <div class="picture" ref={box}>
      <svg
        ref={walk.root}
        width={picture.width}
        height={picture.height}
        viewBox={`0 0 ${picture.width} ${picture.height}`}
        role="group"
        aria-label={label ?? t.picture(picture.shown)}
        onKeyDown={walk.onKeyDown}
      >
        {picture.edges.map((edge) => {
          const item: Item = { kind: 'edge', edge }
          return <EdgeShape key={edge.key} edge={edge} {...walk.acts(item)} />
        })}
        {picture.nodes.map((node) => {
          const item: Item = { kind: 'node', node }
          return (
            <NodeShape
              key={node.key}
              node={node}
              fontSize={picture.fontSize}
              shared={shared}
              {...walk.acts(item)}
            />
          )
        })}
      </svg>
      {picture.shown < answer.reasoning.length && (
        <p class="small muted">{t.drawn(picture.shown, answer.reasoning.length)}</p>
      )}
      {walk.active && <StepDetail active={walk.active} {...props} />}
    </div>
  )
}

/** By column, boxes before the lines that leave them. */
function readingOrder(picture: Picture): readonly Item[] {
  const nodes = [...picture.nodes].sort((a, b) => a.column - b.column || a.y - b.y)
  return nodes.flatMap((node): Item[] => [
    { kind: 'node', node },
    ...picture.edges
      .filter((edge) => edge.from === node)
      .sort((a, b) => a.to.y - b.to.y)
      .map((edge): Item => ({ kind: 'edge', edge })),
  ])
}

/** Before anything is pointed at, the first step of the best path is shown. */
function firstStep(picture: Picture): Item | null {
  const edge = picture.edges
    .filter(({ best }) => best)
    .sort((a, b) => a.from.column - b.from.column)[0]
  return edge ? { kind: 'edge', edge } : null
}

function useWalk(items: readonly Item[], picture: Picture, activate: (item: Item) => void) {
  const [pointed, setPointed] = useState<string | null>(null),
    [chosen, setChosen] = useState<string | null>(null),
    root = useRef<SVGSVGElement>(null)
  const keys = useMemo(() => items.map(keyOf), [items])
  const active = items[keys.indexOf(pointed ?? chosen ?? '')] ?? firstStep(picture),
    activeKey = active ? keyOf(active) : '',
    tabStop = Math.max(0, keys.indexOf(chosen ?? ''))
  const choose = (item: Item): void => {
    setChosen(keyOf(item))
    activate(item)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: tabStop + 1,
      ArrowDown: tabStop + 1,
      ArrowLeft: tabStop - 1,
      ArrowUp: tabStop - 1,
      Home: 0,
      End: items.length - 1,
    }
    const to = steps[event.key],
      item = items[tabStop]
    if ((event.key === 'Enter' || event.key === ' ') && item) {
      event.preventDefault()
      choose(item)
    } else if (to !== undefined) {
      event.preventDefault()
      const index = Math.max(0, Math.min(items.length - 1, to))
      setChosen(keys[index] ?? null)
      // The tab stop moves with the next drawing; focus goes to the element itself, which already
      // exists.
      root.current?.querySelector<SVGElement>(`[data-item="${index}"]`)?.focus()
    }
  }
  const acts = (item: Item): ItemActs => {
    const key = keyOf(item),
      index = keys.indexOf(key)
    return {
      index,
      stop: index === tabStop,
      active: key === activeKey,
      point: (over) => {
        setPointed(over ? key : null)
      },
      focus: () => {
        setChosen(key)
      },
      click: () => {
        choose(item)
      },
    }
  }
  return { root, active, onKeyDown, acts }
}
