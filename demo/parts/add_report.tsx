/**
 * Owns what an addition came to: what was kept, and which files were not, and why. Refuses: lists
 * without an end.
 */
import type { JSX } from 'preact'
import type { AddReport } from '../session/state.ts'
import { counted, grouped } from '../words/format.ts'
import { rejectionWords } from '../words/states.ts'

const SHOWN = 30

/** `labelled`: there are several, so each says what it is about. */
export function AddReportView({
  report,
  labelled,
}: {
  readonly report: AddReport
  readonly labelled: boolean
}): JSX.Element {
  const { label, added, replaced, unchanged, leftAside, rejected } = report
  const parts = [
    added > 0 ? `${counted(added, 'document')} added` : '',
    replaced > 0 ? `${grouped(replaced)} replaced by a newer text` : '',
    unchanged > 0 ? `${grouped(unchanged)} already here` : '',
    leftAside > 0 ? `${counted(leftAside, 'hidden or tool file')} left aside` : '',
  ].filter((part) => part !== '')
  return (
    <div class="report">
      <p class="small">
        {labelled &&
          `${label.includes('.') ? label : label.charAt(0).toUpperCase() + label.slice(1)}: `}
        {parts.length > 0 ? `${parts.join(', ')}.` : 'Nothing was added.'}
      </p>
      {rejected.length > 0 && (
        <details class="notice warn" open={rejected.length <= 3}>
          <summary>
            {counted(rejected.length, 'file or record', 'files or records')} could not be taken
            {added + replaced + unchanged > 0 && '; the others were kept'}
          </summary>
          <ul class="rejections">
            {rejected.slice(0, SHOWN).map((rejection, i) => (
              <li key={`${rejection.name}\n${i}`}>
                <span class="file-name">{rejection.name}</span>
                <span class="small">{rejectionWords(rejection)}</span>
              </li>
            ))}
          </ul>
          {rejected.length > SHOWN && (
            <p class="small">and {grouped(rejected.length - SHOWN)} more.</p>
          )}
        </details>
      )}
    </div>
  )
}
