/** The best path as one drawn line with its sentence, where it ends at what is quoted. */
import type { JSX } from 'preact'
import type { Answer, ReasoningPath } from '../../../src/index.ts'
import { pathOf, WEAK } from '../../picture/best_path.ts'
import { straightened } from '../../words/format.ts'
import { words } from '../../words/words.ts'

export interface PathLineProps {
  readonly card: Answer
  readonly paths: readonly ReasoningPath[]
  readonly open: (documentId: string, at: number | null) => void
  readonly centre: (name: string) => void
}

export function PathLine({ card, paths, open, centre }: PathLineProps): JSX.Element {
  const t = words().path,
    path = card.state === 'none' ? null : pathOf(paths, card)
  if (path === null) return <p class="small muted">{t.none}</p>
  const weak = path.score < WEAK
  return (
    <div class={weak ? 'path-line weak' : 'path-line'}>
      <ol>
        {path.nodes.map((node, i) => (
          <li key={`${i}\n${node.kind}\n${node.id}`}>
            <button
              type="button"
              class={`path-node ${node.kind}`}
              aria-label={`${node.kind === 'entity' ? t.names : t.document}: ${node.label}`}
              onClick={() => {
                if (node.kind === 'entity') centre(node.id)
                else open(node.id, spanIn(path, node.id))
              }}
            >
              <bdi>{node.label}</bdi>
            </button>
          </li>
        ))}
      </ol>
      <p class="path-sentence" dir="auto">
        {straightened(path.sentence)}
      </p>
      {weak && <p class="small muted">{t.weak}</p>}
    </div>
  )
}

/** Where a document carries a step of the path. */
function spanIn(path: ReasoningPath, documentId: string): number | null {
  return path.steps.find((step) => step.documentId === documentId && !step.inTitle)?.start ?? null
}
