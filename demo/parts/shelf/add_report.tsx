/** What an addition came to: what was kept, which files were not, why, and what helps. */
import type { JSX } from 'preact'
import type { ReadWarning, Rejection } from '../../../src/index.ts'
import type { AddReport } from '../../session/state.ts'
import { refusalOf } from '../../words/refusals.ts'
import { words } from '../../words/words.ts'

const SHOWN = 30

/** `labelled`: there are several, so each says what it is about. */
export function AddReportView({
  report,
  labelled,
}: {
  readonly report: AddReport
  readonly labelled: boolean
}): JSX.Element {
  const { label, added, replaced, unchanged, leftAside, rejected, noted } = report,
    t = words().report
  const parts = [
    added > 0 ? t.added(added) : '',
    replaced > 0 ? t.replaced(replaced) : '',
    unchanged > 0 ? t.unchanged(unchanged) : '',
    leftAside > 0 ? t.leftAside(leftAside) : '',
  ].filter((part) => part !== '')
  return (
    <div class="report">
      <p class="small">
        {labelled && label !== '' && `${heading(label)}: `}
        {parts.length > 0 ? `${parts.join(', ')}.` : t.nothing}
      </p>
      {rejected.length > 0 && (
        <details class="notice warn" open={rejected.length <= 3}>
          <summary>{t.refused(rejected.length, added + replaced + unchanged > 0)}</summary>
          <ul class="rejections">
            {rejected.slice(0, SHOWN).map((rejection, i) => (
              <Refused key={`${rejection.name}\n${i}`} rejection={rejection} />
            ))}
          </ul>
          {rejected.length > SHOWN && <p class="small">{t.more(rejected.length - SHOWN)}</p>}
        </details>
      )}
      {noted.length > 0 && <Noted noted={noted} />}
    </div>
  )
}

/** A label as the beginning of a line; file names stay as they are. */
function heading(label: string): string {
  return label.includes('.') ? label : label.charAt(0).toUpperCase() + label.slice(1)
}

function Refused({ rejection }: { readonly rejection: Rejection }): JSX.Element {
  const { why, remedy } = refusalOf(rejection)
  return (
    <li>
      <span class="file-name">{rejection.name}</span>
      <span class="small">{why}</span>
      {remedy !== null && <span class="small remedy">{remedy}</span>}
    </li>
  )
}

function Noted({ noted }: { readonly noted: readonly ReadWarning[] }): JSX.Element {
  const t = words().report
  return (
    <details class="notice plain">
      <summary>{t.noted(noted.length)}</summary>
      <ul class="rejections">
        {noted.slice(0, SHOWN).map(({ name, message }, i) => (
          <li key={`${name}\n${i}`}>
            <span class="file-name">{name}</span>
            <span class="small">{message}</span>
          </li>
        ))}
      </ul>
      {noted.length > SHOWN && <p class="small">{t.more(noted.length - SHOWN)}</p>}
    </details>
  )
}
