/** Owns the choice of the token budget and the count against it. Refuses: counting tokens. */
import type { JSX } from 'preact'
import { BUDGETS, type Settings } from '../platform/settings.ts'
import { grouped } from '../words/format.ts'
import { Hint } from './hint.tsx'

export function BudgetSlider({
  settings,
  used,
  change,
}: {
  readonly settings: Settings
  readonly used: number
  readonly change: (budget: number) => void
}): JSX.Element {
  const at = Math.max(0, BUDGETS.indexOf(settings.budget))
  const share = Math.min(1, used / settings.budget)
  return (
    <div class="budget">
      <div class="budget-head">
        <label for="budget">Budget</label>
        <Hint about="budget">
          <output class="figures" for="budget">
            <strong>{grouped(used)}</strong> of {grouped(settings.budget)} tokens
          </output>
        </Hint>
      </div>
      <input
        id="budget"
        type="range"
        min={0}
        max={BUDGETS.length - 1}
        step={1}
        value={at}
        aria-valuetext={`${grouped(settings.budget)} tokens`}
        onInput={(event) => {
          change(BUDGETS[Number(event.currentTarget.value)] ?? settings.budget)
        }}
      />
      <div class="meter" aria-hidden="true">
        <div style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </div>
    </div>
  )
}
