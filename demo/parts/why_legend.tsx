/**
 * Owns what the why column says before there is an answer: how to read the picture that will stand
 * there. Refuses: made-up results.
 */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { PathNode, PathStep } from '../../src/index.ts'
import { layoutPicture } from '../picture/layout.ts'
import { useWidth } from './hooks.ts'

const NODES: readonly PathNode[] = [
  { kind: 'entity', id: '1', label: 'a name in your question' },
  { kind: 'document', id: '2', label: 'a document that holds it' },
  { kind: 'entity', id: '3', label: 'another name in there' },
  { kind: 'document', id: '4', label: 'where that name leads' },
]
const STEP: PathStep = {
  predicate: 'mentions',
  documentId: '',
  start: 0,
  end: 0,
  text: '',
  inTitle: false,
  sentence: { start: 0, end: 0, text: '' },
}
const PATH = { score: 1, nodes: NODES, steps: [STEP, STEP, STEP], sentence: '' }

export function WhyLegend(): JSX.Element {
  const [box, width] = useWidth<HTMLDivElement>()
  const picture = useMemo(() => layoutPicture([PATH], { width: Math.max(240, width) }), [width])
  return (
    <div class="why-legend">
      <p class="muted">
        Ask a question, and here stands how its passages were found. Each picture reads the same
        way:
      </p>
      <div class="picture legend-picture" ref={box} aria-hidden="true">
        {/* Drawn once the width is known: drawn anew, it would push what stands below. */}
        {width > 0 && (
          <svg
            width={picture.width}
            height={picture.height}
            viewBox={`0 0 ${picture.width} ${picture.height}`}
          >
            {picture.edges.map((edge) => (
              <g key={edge.key} class="edge best">
                <path class="line" d={edge.d} stroke-width={3} />
              </g>
            ))}
            {picture.nodes.map((node) => (
              <g key={node.key} class={`node ${node.node.kind}`}>
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
              </g>
            ))}
          </svg>
        )}
      </div>
      {width > 0 && (
        <p class="small muted">
          Point at a line to read the sentence that carries it. The wider the line, the more of the
          walk from your names runs along it. Below stand the sources, with what each score is made
          of.
        </p>
      )}
    </div>
  )
}
