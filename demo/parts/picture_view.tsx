/**
 * Owns the drawn picture and walking it by pointer and keyboard. Refuses: placing anything;
 * demo/picture/layout.ts does.
 */
import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { RetrieveResult } from '../../src/index.ts'
import { layoutPicture, type PictureEdge, type PictureNode } from '../picture/layout.ts'
import type { Asking } from '../session/asking.ts'
import { nodeKey } from '../words/compare.ts'
import { counted } from '../words/format.ts'
import { useWidth } from './hooks.ts'
import { StepDetail } from './step_detail.tsx'

type Item =
  | { readonly kind: 'edge'; readonly edge: PictureEdge }
  | { readonly kind: 'node'; readonly node: PictureNode }
const keyOf = (item: Item): string =>
  item.kind === 'edge' ? `e\n${item.edge.key}` : `n\n${item.node.key}`

export interface PictureViewProps {
  readonly answer: RetrieveResult
  readonly asking: Asking
  /** Null where the answer's sources are not on the page. */
  readonly toSource: ((rank: number) => void) | null
  /** Nodes that another answer's paths hold too. */
  readonly shared: ReadonlySet<string>
  /** Names the picture for screen readers where it is one of two. */
  readonly label: string | null
}

export function PictureView({
  answer,
  asking,
  toSource,
  shared,
  label,
}: PictureViewProps): JSX.Element {
  const [box, width] = useWidth<HTMLDivElement>()
  const picture = useMemo(
    () => layoutPicture(answer.reasoning, { width: Math.max(240, width) }),
    [answer, width],
  )
  const [pointed, setPointed] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const root = useRef<SVGSVGElement>(null)
  // Reading order: by column, boxes before the lines that leave them.
  const items = useMemo((): readonly Item[] => {
    const nodes = [...picture.nodes].sort((a, b) => a.column - b.column || a.y - b.y)
    return nodes.flatMap((node): Item[] => [
      { kind: 'node', node },
      ...picture.edges
        .filter((edge) => edge.from === node)
        .sort((a, b) => a.to.y - b.to.y)
        .map((edge): Item => ({ kind: 'edge', edge })),
    ])
  }, [picture])
  // Before anything is pointed at, the first step of the best path is shown.
  const bestEdge = picture.edges
    .filter((edge) => edge.best)
    .sort((a, b) => a.from.column - b.from.column)[0]
  const active =
    items.find((item) => keyOf(item) === (pointed ?? chosen)) ??
    (bestEdge ? ({ kind: 'edge', edge: bestEdge } as const) : null)
  const activeKey = active ? keyOf(active) : ''
  const tabStop = items.some((item) => keyOf(item) === chosen)
    ? chosen
    : items[0]
      ? keyOf(items[0])
      : null
  const rankOf = (documentId: string): number | undefined =>
    answer.sources.find((source) => source.documentId === documentId)?.rank

  const activate = (item: Item): void => {
    setChosen(keyOf(item))
    if (item.kind === 'edge' || item.node.node.kind === 'entity') return
    const rank = rankOf(item.node.node.id)
    if (rank === undefined || toSource === null) asking.openDocument(item.node.node.id)
    else toSource(rank)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = items.findIndex((item) => keyOf(item) === tabStop)
    const to = {
      ArrowRight: at + 1,
      ArrowDown: at + 1,
      ArrowLeft: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: items.length - 1,
    }[event.key]
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      if (items[at]) activate(items[at])
    } else if (to !== undefined) {
      event.preventDefault()
      const next = items[Math.max(0, Math.min(items.length - 1, to))]
      if (!next) return
      setChosen(keyOf(next))
      // The tab stop moves with the next drawing; focus goes to the element itself, which already
      // exists.
      const index = items.indexOf(next)
      root.current?.querySelector<SVGElement>(`[data-item="${index}"]`)?.focus()
    }
  }
  const common = (item: Item): JSX.SVGAttributes<SVGGElement> & { 'data-item': number } => ({
    'data-item': items.findIndex((other) => keyOf(other) === keyOf(item)),
    // In lower case: attributes of SVG keep their case, and no browser knows another one.
    tabindex: keyOf(item) === tabStop ? 0 : -1,
    role: 'button',
    onPointerEnter: () => {
      setPointed(keyOf(item))
    },
    onPointerLeave: () => {
      setPointed(null)
    },
    onFocus: () => {
      setChosen(keyOf(item))
    },
    onClick: () => {
      activate(item)
    },
  })
  return (
    <div class="picture" ref={box}>
      <svg
        ref={root}
        width={picture.width}
        height={picture.height}
        viewBox={`0 0 ${picture.width} ${picture.height}`}
        role="group"
        aria-label={
          label ??
          `Picture of ${counted(picture.shown, 'reasoning path')}: names and the documents ` +
            'they lead to. Arrow keys move through it; the paths stand below as sentences.'
        }
        onKeyDown={onKeyDown}
      >
        {picture.edges.map((edge) => {
          const item: Item = { kind: 'edge', edge }
          return (
            <g
              key={edge.key}
              {...common(item)}
              class={`edge${edge.best ? ' best' : ''}${keyOf(item) === activeKey ? ' active' : ''}`}
              aria-label={`${edge.from.node.label} to ${edge.to.node.label}: ${edge.step.sentence.text}`}
            >
              <path class="hit" d={edge.d} />
              <path class="line" d={edge.d} stroke-width={edge.width} />
            </g>
          )
        })}
        {picture.nodes.map((node) => {
          const item: Item = { kind: 'node', node }
          return (
            <g
              key={node.key}
              {...common(item)}
              class={
                'node ' +
                `${node.node.kind}${node.best ? ' best' : ''}${shared.has(nodeKey(node.node)) ? ' shared' : ''}${keyOf(item) === activeKey ? ' active' : ''}`
              }
              aria-label={
                node.node.kind === 'entity'
                  ? `Name: ${node.node.label}`
                  : `Document: ${node.node.label}. Show its source.`
              }
            >
              <rect
                x={node.x}
                y={node.y}
                width={node.w}
                height={node.h}
                rx={node.node.kind === 'entity' ? Math.min(14, node.h / 2) : 3}
              />
              {node.lines.map((line, i) => (
                <text
                  key={i}
                  x={node.x + node.w / 2}
                  y={node.y + 5 + Math.round(picture.fontSize * 1.3) * (i + 0.75)}
                  font-size={node.fontSize}
                  text-anchor="middle"
                >
                  {line}
                </text>
              ))}
              <title>{node.node.label}</title>
            </g>
          )
        })}
      </svg>
      {picture.shown < answer.reasoning.length && (
        <p class="small muted">
          The {picture.shown} best of {answer.reasoning.length} paths are drawn.
        </p>
      )}
      {active && <StepDetail active={active} answer={answer} asking={asking} toSource={toSource} />}
    </div>
  )
}
