/** What a program gets from the same call: context, scores, timings, JSON, and the code for it. */
import type { ComponentChildren, JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { RetrieveResult } from '../../../src/index.ts'
import type { Archives } from '../../session/archives.ts'
import type { Corpora } from '../../session/corpora.ts'
import type { State } from '../../session/state.ts'
import { grouped } from '../../words/format.ts'
import { omissionWords } from '../../words/states.ts'
import { TWELVE_LINES } from '../../words/twelve_lines.ts'
import { words } from '../../words/words.ts'
import { CopyButton } from '../copy_button.tsx'
import { IndexMeasure } from './index_measure.tsx'
import { StageView } from './stage_view.tsx'

const NPM = 'https://www.npmjs.com/package/hubmesh'

export interface DeveloperViewProps {
  readonly state: State
  readonly corpora: Corpora
  readonly archives: Archives
}

export function DeveloperView({ state, archives }: DeveloperViewProps): JSX.Element {
  const { answer, status } = state,
    t = words().developer
  return (
    <div class="developer">
      <p class="small muted">{t.lead}</p>
      <Code title={t.code} text={TWELVE_LINES} />
      <Links />
      {answer && <StageView answer={answer} />}
      {answer && <Scores answer={answer} />}
      {answer && <Code title={t.context} text={answer.context} folded />}
      {answer && <Json answer={answer} />}
      {answer && answer.debug.warnings.length > 0 && (
        <Section title={t.warnings}>
          <ul class="small">
            {answer.debug.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Section>
      )}
      {status && (
        <Section title={t.engine}>
          <p class="small">
            {t.index}: {t.indexKind(status.index.kind, status.index.reason)}
          </p>
          <IndexMeasure state={state} />
          <div class="row tight">
            <button
              type="button"
              class="link small"
              disabled={state.exporting || state.example}
              onClick={() => void archives.save()}
            >
              {t.exportIt}
            </button>
          </div>
        </Section>
      )}
    </div>
  )
}

function Links(): JSX.Element {
  const t = words().developer
  return (
    <ul class="row tight small">
      <li>
        <code>{t.npm}</code>
      </li>
      <li>
        <a href={`${NPM}`} rel="noopener noreferrer">
          npm
        </a>
      </li>
      <li>
        <a href={`${NPM}#readme`} rel="noopener noreferrer">
          {t.docs}
        </a>
      </li>
      <li>
        <a href={`${NPM}?activeTab=code`} rel="noopener noreferrer">
          {t.source}
        </a>
      </li>
    </ul>
  )
}

function Section({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <section class="block">
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function Code({
  title,
  text,
  folded = false,
}: {
  readonly title: string
  readonly text: string
  readonly folded?: boolean
}): JSX.Element {
  const body = (
    <pre class="code" tabIndex={0} role="region" aria-label={title}>
      <code>{text}</code>
    </pre>
  )
  return (
    <section class="block">
      <div class="block-head">
        <h3>{title}</h3>
        <CopyButton text={text} label={words().page.copy} what={title} />
      </div>
      {folded ? (
        <details>
          <summary class="small muted">{grouped(text.length)}</summary>
          {body}
        </details>
      ) : (
        body
      )}
    </section>
  )
}

function Json({ answer }: { readonly answer: RetrieveResult }): JSX.Element {
  const text = useMemo(() => JSON.stringify(answer, null, 2), [answer])
  return <Code title={words().developer.json} text={text} folded />
}

function Scores({ answer }: { readonly answer: RetrieveResult }): JSX.Element {
  const t = words().developer,
    { state, confidence } = answer.answer
  return (
    <Section title={t.sources}>
      <p class="small figures">
        {t.state}: {state}, {t.confidence.toLowerCase()} {confidence.toFixed(2)}
      </p>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={t.sources}>
        <table class="scores small figures">
          <tbody>
            {answer.sources.map((source) => (
              <tr key={source.rank}>
                <td>{source.rank}</td>
                <td class="score-title" dir="auto">
                  {source.title === '' ? source.documentId : source.title}
                </td>
                <td>{source.score.toFixed(3)}</td>
                <td>{source.cosine === null ? '–' : source.cosine.toFixed(3)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {answer.omitted.length > 0 && (
        <details class="small omitted">
          <summary>{words().context.omitted(answer.omitted.length)}</summary>
          <ul>
            {answer.omitted.map((omission) => (
              <li key={omission.rank}>
                {omission.rank}. <bdi>{omission.documentId}</bdi>{' '}
                <span class="muted">{omissionWords(omission.reason)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  )
}
