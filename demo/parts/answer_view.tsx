/**
 * Owns the answer of a language model, its citations as buttons, and what is wrong with it.
 * Refuses: hiding a citation of nothing.
 */
import type { JSX } from 'preact'
import type { AnswerPart } from '../../src/entries/chat.ts'
import type { Answering } from '../session/answering.ts'
import type { State, Written } from '../session/state.ts'
import { counted, grouped } from '../words/format.ts'
import { CopyButton } from './copy_button.tsx'
import { Hint } from './hint.tsx'
import { ProblemNotice } from './notice.tsx'

export interface AnswerViewProps {
  readonly state: State
  readonly answering: Answering
  /** Shows block `n` of the context. */
  readonly toBlock: (n: number) => void
  readonly openSettings: () => void
}

export function AnswerView({
  state,
  answering,
  toBlock,
  openSettings,
}: AnswerViewProps): JSX.Element | null {
  const { answer, settings, written } = state
  if (!answer || answer.sources.length === 0) return null
  if (settings.model.kind === 'off')
    return (
      <p class="offer small muted">
        A language model can write an answer from these passages.{' '}
        <button type="button" class="link small" onClick={openSettings}>
          Choose one
        </button>
      </p>
    )
  const busy = written?.state === 'preparing' || written?.state === 'running'
  const stale = written !== null && !busy && written.result !== null && written.result !== answer
  return (
    <section class="block answer" aria-labelledby="answer-title" aria-busy={busy}>
      <div class="block-head">
        <h3 id="answer-title">Answer</h3>
        {written?.state === 'done' && (
          <CopyButton text={written.end?.text ?? ''} label="Copy" what="Answer" />
        )}
        {busy ? (
          <button
            type="button"
            class="small-button"
            onClick={() => {
              answering.stop()
            }}
          >
            Stop
          </button>
        ) : (
          <button type="button" class="small-button" onClick={() => void answering.write()}>
            {written === null ? 'Write an answer' : 'Write it again'}
          </button>
        )}
      </div>
      {written && (
        <>
          {written.state === 'preparing' && (
            <p class="small muted">Packing quotes for {written.by}.</p>
          )}
          {written.parts.length > 0 && (
            <p class={`answer-text${busy ? ' busy' : ''}`}>
              {written.parts.map((part) => (
                <Part key={part.start} part={part} toBlock={toBlock} />
              ))}
            </p>
          )}
          {written.state === 'running' && written.parts.length === 0 && (
            <p class="small muted">
              {written.by} is reading {counted(written.result?.blocks.length ?? 0, 'quote')}.
            </p>
          )}
          {written.problem && (
            <ProblemNotice problem={written.problem} act={() => void answering.write()} />
          )}
          <Afterword written={written} stale={stale} />
        </>
      )}
    </section>
  )
}

function Part({
  part,
  toBlock,
}: {
  readonly part: AnswerPart
  readonly toBlock: (n: number) => void
}): JSX.Element {
  if (part.type === 'text') return <>{part.text}</>
  return (
    <span class="cites">
      {part.citations.map((citation) => (
        <button
          key={citation.n}
          type="button"
          class="cite"
          title={citation.title || citation.documentId}
          aria-label={`Quote ${citation.n}: ${citation.title || citation.documentId}`}
          onClick={() => {
            toBlock(citation.n)
          }}
        >
          {citation.n}
        </button>
      ))}
      {part.unknown.map((n) => (
        <span key={n} class="cite unknown" title="No quote has this number">
          {n}?
        </span>
      ))}
    </span>
  )
}

function Afterword({
  written,
  stale,
}: {
  readonly written: Written
  readonly stale: boolean
}): JSX.Element | null {
  const { end, state, by, promptTokens, windowTokens } = written
  if (state === 'stopped') return <p class="small muted">Stopped.</p>
  if (state !== 'done' || end === null) return null
  return (
    <div class="afterword small">
      {end.unknown.length > 0 && (
        <p class="warn">
          It cites {end.unknown.map((n) => `[${n}]`).join(', ')}, which no quote has: do not trust
          what stands before {end.unknown.length === 1 ? 'it' : 'them'}.
        </p>
      )}
      {end.cited.length === 0 && end.text.trim() !== '' && (
        <p class="warn">It cites nothing: what it says is not shown to be in the passages.</p>
      )}
      {end.text.trim() === '' && <p class="warn">The model said nothing.</p>}
      {end.reason === 'length' && (
        <p class="warn">It was cut off at its longest. Settings let an answer be longer.</p>
      )}
      {stale && <p class="warn">The passages below have changed since it was written.</p>}
      <p class="muted">
        By {by}, from{' '}
        <Hint about="window">
          {grouped(promptTokens)} of {grouped(windowTokens)} tokens
        </Hint>
        . Models err: follow the numbers.
      </p>
    </div>
  )
}
