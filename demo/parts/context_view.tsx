/**
 * Owns the packed context as numbered blocks, its copy, and what was left out. Refuses: changing a
 * character of it.
 */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ContextBlock, Omission, RetrieveResult, Source } from '../../src/index.ts'
import { counted, grouped } from '../words/format.ts'
import { omissionWords } from '../words/states.ts'
import { CopyButton } from './copy_button.tsx'
import { Hint } from './hint.tsx'

export interface ContextViewProps {
  readonly answer: RetrieveResult
  readonly budget: number
  readonly toSource: (rank: number) => void
}

export function ContextView({ answer, budget, toSource }: ContextViewProps): JSX.Element {
  const [all, setAll] = useState(false)
  return (
    <section class="block context" aria-labelledby="context-title">
      <div class="block-head">
        <h3 id="context-title">Packed context</h3>
        {answer.blocks.length > 0 && (
          <button
            type="button"
            class="link small"
            aria-pressed={all}
            onClick={() => {
              setAll(!all)
            }}
          >
            {all ? 'Fold' : 'Unfold all'}
          </button>
        )}
        <CopyButton
          text={answer.context}
          label="Copy"
          what="Context"
          disabled={answer.context === ''}
        />
      </div>
      {answer.blocks.length === 0 && (
        <p class="small warn">
          Not even the shortest piece fits into {grouped(budget)} tokens. Move the budget up.
        </p>
      )}
      <ol class="blocks">
        {answer.blocks.map((block) => (
          <Block
            key={`${block.n}\n${block.documentId}`}
            block={block}
            unfolded={all}
            sources={answer.sources.length}
            toSource={toSource}
          />
        ))}
      </ol>
      <Omitted omitted={answer.omitted} sources={answer.sources} toSource={toSource} />
    </section>
  )
}

/** Shorter blocks are shown whole: about three lines. */
const FOLD_FROM = 260

function Block({
  block,
  unfolded,
  sources,
  toSource,
}: {
  readonly block: ContextBlock
  readonly unfolded: boolean
  readonly sources: number
  readonly toSource: (rank: number) => void
}): JSX.Element {
  const [own, setOwn] = useState(false)
  const foldable = block.text.length > FOLD_FROM
  const open = unfolded || own || !foldable
  return (
    <li
      class="context-block"
      id={`block-${block.n}`}
      tabIndex={-1}
      aria-label={`Quote ${block.n}: ${block.title || block.documentId}`}
    >
      <div class="context-head">
        <span class="number" aria-hidden="true">
          {block.n}
        </span>
        <span class="context-title">{block.title || block.documentId}</span>
        <span class="small muted figures">
          <Hint about="blockTokens" quiet={block.n > 1}>
            {counted(block.tokens, 'token')}
          </Hint>
        </span>
      </div>
      <p class={open ? 'passage' : 'passage folded'}>{block.text}</p>
      <div class="row tight">
        {foldable && !unfolded && (
          <button
            type="button"
            class="link small"
            aria-expanded={open}
            onClick={() => {
              setOwn(!own)
            }}
          >
            {open ? 'Fold' : 'Unfold'}
          </button>
        )}
        {block.ranks
          .filter((rank) => rank <= sources)
          .map((rank) => (
            <button
              key={rank}
              type="button"
              class="link small"
              onClick={() => {
                toSource(rank)
              }}
            >
              Why: source {rank}
            </button>
          ))}
      </div>
    </li>
  )
}

function Omitted({
  omitted,
  sources,
  toSource,
}: {
  readonly omitted: readonly Omission[]
  readonly sources: readonly Source[]
  readonly toSource: (rank: number) => void
}): JSX.Element | null {
  if (omitted.length === 0) return null
  const titles = new Map(sources.map((source) => [source.rank, source.title || source.documentId]))
  return (
    <details class="omitted">
      <summary>{counted(omitted.length, 'ranked passage')} left out</summary>
      <ul>
        {omitted.map((omission) => (
          <li key={omission.rank} class="small">
            <button
              type="button"
              class="link"
              onClick={() => {
                toSource(omission.rank)
              }}
            >
              {omission.rank}. {titles.get(omission.rank) ?? omission.documentId}
            </button>
            <span class="muted"> {omissionWords(omission.reason)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
