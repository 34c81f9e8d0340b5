/** What a language model wrote, its citations as buttons, and what is wrong with it. */
import type { ComponentChild, JSX } from 'preact'
import type { AnswerPart } from '../../../src/entries/chat.ts'
import { citedText, partsOf } from '../../words/citations.ts'
import type { Answering } from '../../session/answering.ts'
import type { State, Written } from '../../session/state.ts'
import { words } from '../../words/words.ts'
import { CopyButton } from '../copy_button.tsx'
import { Hint } from '../hint.tsx'
import { Markdown } from '../markdown.tsx'
import { ProblemNotice } from '../notice.tsx'

type Citing = Extract<AnswerPart, { type: 'citation' }>
type ToBlock = (n: number) => void

export interface WrittenViewProps {
  readonly state: State
  readonly answering: Answering
  /** Shows block `n` of the context. */
  readonly toBlock: ToBlock
}

export function WrittenView({ state, answering, toBlock }: WrittenViewProps): JSX.Element | null {
  const { answer, settings, written } = state,
    t = words().written
  if (!answer || answer.sources.length === 0 || settings.model.kind === 'off') return null
  const busy = written?.state === 'preparing' || written?.state === 'running'
  const stale = written !== null && !busy && written.result !== null && written.result !== answer
  return (
    <section class="answer" aria-label={t.title} aria-busy={busy}>
      {written && <Body written={written} busy={busy} toBlock={toBlock} />}
      {written?.problem && (
        <ProblemNotice problem={written.problem} act={() => void answering.write()} />
      )}
      {written && <Afterword written={written} stale={stale} />}
      <div class="row tight">
        {busy ? (
          <button
            type="button"
            class="small-button"
            onClick={() => {
              answering.stop()
            }}
          >
            {t.stop}
          </button>
        ) : (
          <button type="button" class="link small" onClick={() => void answering.write()}>
            {written === null ? t.write : t.again}
          </button>
        )}
        {written?.state === 'done' && (
          <CopyButton
            text={written.end?.text ?? ''}
            label={words().page.copy}
            what={t.title}
            quiet
          />
        )}
      </div>
    </section>
  )
}

/** The same of an earlier turn, which nothing changes any more. */
export function PastWritten({
  written,
  toBlock,
}: {
  readonly written: Written
  readonly toBlock: ToBlock
}): JSX.Element {
  return (
    <section class="answer" aria-label={words().written.title}>
      <Body written={written} busy={false} toBlock={toBlock} />
      <Afterword written={written} stale={false} />
    </section>
  )
}

function Body({
  written,
  busy,
  toBlock,
}: {
  readonly written: Written
  readonly busy: boolean
  readonly toBlock: ToBlock
}): JSX.Element {
  const t = words().written,
    cited = citedText(written.parts)
  const show = (text: string): ComponentChild =>
    partsOf(text, cited.citations).map((part) =>
      typeof part === 'string' ? part : <Cites key={part.start} part={part} toBlock={toBlock} />,
    )
  if (written.state === 'preparing') return <p class="small muted">{t.packing(written.by)}</p>
  if (written.parts.length === 0)
    return written.state === 'running' ? (
      <p class="small muted">{t.reading(written.by, written.result?.blocks.length ?? 0)}</p>
    ) : (
      <></>
    )
  return (
    <div class={`answer-text${busy ? ' busy' : ''}`} dir="auto">
      <Markdown text={cited.text} show={({ text }) => show(text)} />
    </div>
  )
}

function Cites({
  part,
  toBlock,
}: {
  readonly part: Citing
  readonly toBlock: ToBlock
}): JSX.Element {
  const t = words().written
  return (
    <span class="cites">
      {part.citations.map((citation) => {
        const title = citation.title === '' ? citation.documentId : citation.title
        return (
          <button
            key={citation.n}
            type="button"
            class="cite"
            title={title}
            aria-label={t.quote(citation.n, title)}
            onClick={() => {
              toBlock(citation.n)
            }}
          >
            {citation.n}
          </button>
        )
      })}
      {part.unknown.map((n) => (
        <span key={n} class="cite unknown" title={t.noQuote}>
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
  const { end, state, by, promptTokens, windowTokens } = written,
    t = words().written
  if (state === 'stopped') return <p class="small muted">{t.stopped}</p>
  if (state !== 'done' || end === null) return null
  return (
    <div class="afterword small">
      {end.unknown.length > 0 && (
        <p class="warn">
          {t.cites(end.unknown.map((n) => `[${n}]`).join(', '), end.unknown.length === 1)}
        </p>
      )}
      {end.cited.length === 0 && end.text.trim() !== '' && <p class="warn">{t.citesNothing}</p>}
      {end.text.trim() === '' && <p class="warn">{t.silent}</p>}
      {end.reason === 'length' && <p class="warn">{t.cut}</p>}
      {stale && <p class="warn">{t.stale}</p>}
      <p class="muted">
        {t.by(by)} <Hint about="window">{t.window(promptTokens, windowTokens)}</Hint>. {t.err}
      </p>
    </div>
  )
}
