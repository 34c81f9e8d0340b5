/**
 * Whether the page is hidden or frozen (Page Visibility, Page Lifecycle), and near the end of its
 * battery (Battery Status; no browser tells of its energy saver). Page only: a worker has neither.
 */
import { LIMITS } from '../base/limits.ts'
import type { PageConditions } from './pace.ts'

interface Battery extends EventTarget {
  readonly charging: boolean
  readonly level: number
}

/** Event sources; the page's own by default. */
export interface PageScope {
  readonly document?: EventTarget & { readonly visibilityState: string }
  readonly navigator?: { getBattery?(): Promise<Battery> }
}

const PAGE_EVENTS = ['visibilitychange', 'freeze', 'resume'] as const
const BATTERY_EVENTS = ['chargingchange', 'levelchange'] as const

/** Calls back at once and on every change, until the returned function is called. */
export function watchPage(
  listener: (conditions: PageConditions) => void,
  scope: PageScope = globalThis as PageScope,
): () => void {
  const { document, navigator } = scope
  let battery: Battery | null = null
  let frozen = false
  let over = false
  let told = ''
  const tell = (): void => {
    const conditions: PageConditions = {
      hidden: frozen || document?.visibilityState === 'hidden',
      savingPower: battery !== null && !battery.charging && battery.level <= LIMITS.batterySaving,
    }
    const state = `${conditions.hidden} ${conditions.savingPower}`
    if (over || state === told) return
    told = state
    listener(conditions)
  }
  const onPage = (event: Event): void => {
    if (event.type !== 'visibilitychange') frozen = event.type === 'freeze'
    tell()
  }
  for (const name of PAGE_EVENTS) document?.addEventListener(name, onPage)
  // A permissions policy may refuse the battery: then it is not spared.
  void (async () => navigator?.getBattery?.())().then(
    (found) => {
      if (over || found === undefined) return
      battery = found
      for (const name of BATTERY_EVENTS) battery.addEventListener(name, tell)
      tell()
    },
    () => undefined,
  )
  tell()
  return () => {
    over = true
    for (const name of PAGE_EVENTS) document?.removeEventListener(name, onPage)
    for (const name of BATTERY_EVENTS) battery?.removeEventListener(name, tell)
  }
}
