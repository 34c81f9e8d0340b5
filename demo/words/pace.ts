/** Speeds and times to go, in the language of the page. */
import { grouped } from './format.ts'
import { words } from './words.ts'

/** Seconds to go in words that do not promise more than is known. */
export function timeLeft(seconds: number): string {
  const t = words().pace
  if (seconds < 1) return t.moment
  if (seconds < 90) return t.seconds(Math.max(1, Math.round(seconds)))
  if (seconds < 5400) return t.minutes(Math.round(seconds / 60))
  return t.hours(Math.round(seconds / 3600))
}

/** A rate: "12.4 a second", "1,240 a second". */
export function rate(perSecond: number): string {
  return words().pace.rate(
    perSecond >= 100 ? grouped(perSecond) : perSecond.toFixed(perSecond >= 10 ? 0 : 1),
  )
}
