/** The answer first: at most three marked quotes, each with its source, or that there is none. */
import type { Answer, Quote, Span } from '../../../src/index.ts'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Mark } from '../../words/marks.ts'
import { words } from '../../words/words.ts'
import { CopyButton } from '../copy_button.tsx'
import { isMarkdown, Markdown } from '../markdown.tsx'
import { MarkedText } from '../marked_text.tsx'

export interface CardProps {
  readonly card: Answer
  /** Names of the question that the documents do not hold. */
  readonly unknown: readonly string[]
  readonly open: (documentId: string, at: number, mark: Span) => void
}

export function Card({ card, unknown, open }: CardProps): JSX.Element {
  const t = words().card,
    { state, quotes } = card
  if (quotes.length === 0)
    return (
      <section class="card none" aria-label={t.nothing}>
        <p class="card-state">{t.nothing}</p>
        <p class="muted">{t.nothingHelp}</p>
      </section>
    )
  const list = (
    <ol class="quotes">
      {quotes.map((quote) => (
        <QuoteView key={`${quote.documentId}\n${quote.start}`} quote={quote} open={open} />
      ))}
    </ol>
  )
  if (state === 'none')
    return (
      <section class="card none" aria-label={t.none}>
        <p class="card-state">
          <Glyph state={state} />
          {t.none}
        </p>
        {unknown.length > 0 && (
          <p class="muted">{t.unknown(unknown.map((name) => `“${name}”`).join(', '))}</p>
        )}
        <details class="nearest">
          <summary>{t.nearest}</summary>
          {list}
        </details>
      </section>
    )
  return (
    <section class={`card ${state}`} aria-label={state === 'found' ? t.found : t.unsure}>
      {state === 'unsure' && (
        <p class="card-state">
          <Glyph state={state} />
          {t.unsure}
        </p>
      )}
      {list}
    </section>
  )
}

function Glyph({ state }: { readonly state: 'unsure' | 'none' }): JSX.Element {
  return (
    <svg class="glyph" viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="9" cy="9" r="6" />
      <path d={state === 'none' ? 'M13.5 13.5 18 18M6.5 9h5' : 'M13.5 13.5 18 18'} />
    </svg>
  )
}

/** The quote with its source in one line, as it is pasted into a text. */
export function quoteText({ text, title, documentId, page }: Quote): string {
  const at = page === undefined ? '' : `, ${words().card.page(page)}`
  return `“${text.trim()}” (${title === '' ? documentId : title}${at})`
}

function QuoteView({
  quote,
  open,
}: {
  readonly quote: Quote
  readonly open: CardProps['open']
}): JSX.Element {
  const t = words().card,
    title = quote.title === '' ? quote.documentId : quote.title
  const marks = useMemo((): readonly Mark[] => [{ ...quote.highlight, kind: 'answer' }], [quote])
  return (
    <li class="quote" dir="auto">
      <blockquote>
        {isMarkdown(quote.documentId) ? (
          <Markdown
            text={quote.text}
            show={(part) =>
              part.exact ? (
                <MarkedText text={part.text} base={quote.start + part.start} marks={marks} />
              ) : (
                part.text
              )
            }
          />
        ) : (
          <MarkedText text={quote.text} base={quote.start} marks={marks} />
        )}
      </blockquote>
      <p class="quote-foot">
        <bdi class="quote-title">{title}</bdi>
        {quote.page !== undefined && <span class="muted">{t.page(quote.page)}</span>}
        <button
          type="button"
          class="link small"
          aria-label={t.openTitle(title)}
          onClick={() => {
            open(quote.documentId, quote.highlight.start, quote.highlight)
          }}
        >
          {t.openPlace}
        </button>
        <CopyButton
          text={quoteText(quote)}
          label={t.copyQuote}
          name={t.copyTitle(title)}
          what={t.quote}
          quiet
        />
      </p>
    </li>
  )
}
