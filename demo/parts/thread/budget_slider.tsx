/** The choice of the token budget. */
import type { JSX } from 'preact'
import { BUDGETS } from '../../platform/settings.ts'
import { words } from '../../words/words.ts'

export function BudgetSlider({
  budget,
  used,
  change,
}: {
  readonly budget: number
  readonly used: number
  readonly change: (budget: number) => void
}): JSX.Element {
  const t = words().context,
    at = Math.max(0, BUDGETS.indexOf(budget)),
    share = Math.min(1, used / budget)
  return (
    <div class="budget">
      <label for="budget">{t.budget}</label>
      <input
        id="budget"
        type="range"
        min={0}
        max={BUDGETS.length - 1}
        step={1}
        value={at}
        aria-valuetext={t.tokens(budget)}
        onInput={(event) => {
          change(BUDGETS[Number(event.currentTarget.value)] ?? budget)
        }}
      />
      <div class="meter" aria-hidden="true">
        <div style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </div>
    </div>
  )
}
