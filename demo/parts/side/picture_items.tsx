/** One box or line of the picture of paths. */
import type { JSX } from 'preact'
import type { PictureEdge, PictureNode } from '../../picture/layout.ts'
import { nodeKey } from '../../words/compare.ts'
import { words } from '../../words/words.ts'

export type Item =
  | { readonly kind: 'edge'; readonly edge: PictureEdge }
  | { readonly kind: 'node'; readonly node: PictureNode }

export const keyOf = (item: Item): string =>
  item.kind === 'edge' ? `e\n${item.edge.key}` : `n\n${item.node.key}`

export interface ItemActs {
  readonly index: number
  /** It is where the tab key stops. */
  readonly stop: boolean
  readonly active: boolean
  readonly point: (over: boolean) => void
  readonly focus: () => void
  readonly click: () => void
}

function common({
  index,
  stop,
  point,
  focus,
  click,
}: ItemActs): JSX.SVGAttributes<SVGGElement> & { 'data-item': number } {
  return {
    'data-item': index,
    // In lower case: attributes of SVG keep their case, and no browser knows another one.
    tabindex: stop ? 0 : -1,
    role: 'button',
    onPointerEnter: () => {
      point(true)
    },
    onPointerLeave: () => {
      point(false)
    },
    onFocus: focus,
    onClick: click,
  }
}

export function EdgeShape({
  edge,
  ...acts
}: ItemActs & { readonly edge: PictureEdge }): JSX.Element {
  const { from, to, step } = edge
  return (
    <g
      {...common(acts)}
      class={`edge${edge.best ? ' best' : ''}${acts.active ? ' active' : ''}`}
      aria-label={words().why.edge(from.node.label, to.node.label, step.sentence.text)}
    >
      <path class="hit" d={edge.d} />
      <path class="line" d={edge.d} stroke-width={edge.width} />
    </g>
  )
}

export function NodeShape({
  node,
  fontSize,
  shared,
  ...acts
}: ItemActs & {
  readonly node: PictureNode
  readonly fontSize: number
  readonly shared: ReadonlySet<string>
}): JSX.Element {
  const t = words().why,
    { kind, label } = node.node,
    kinds = [
      'node',
      kind,
      node.best ? 'best' : '',
      shared.has(nodeKey(node.node)) ? 'shared' : '',
      acts.active ? 'active' : '',
    ]
  return (
    <g
      {...common(acts)}
      class={kinds.filter((name) => name !== '').join(' ')}
      aria-label={kind === 'entity' ? t.nodeName(label) : t.nodeDocument(label)}
    >
      <rect
        x={node.x}
        y={node.y}
        width={node.w}
        height={node.h}
        rx={kind === 'entity' ? Math.min(14, node.h / 2) : 3}
      />
      {node.lines.map((line, i) => (
        <text
          key={i}
          x={node.x + node.w / 2}
          y={node.y + 5 + Math.round(fontSize * 1.3) * (i + 0.75)}
          font-size={node.fontSize}
          text-anchor="middle"
        >
          {line}
        </text>
      ))}
      <title>{label}</title>
    </g>
  )
}
