/** How numbers, sizes and dates are written: the same on every machine, whatever its locale. */

/** 1234567 as "1,234,567". */
export function grouped(value: number): string {
  const digits = Math.round(Math.abs(value)).toString()
  let out = ''
  for (let i = 0; i < digits.length; i++)
    out += (i > 0 && (digits.length - i) % 3 === 0 ? ',' : '') + (digits[i] ?? '')
  return (value < 0 ? '-' : '') + out
}

/** A count with its noun: "1 passage", "3 passages". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

/** Bytes in decimal units, as disks are sold: "640 kB", "12.4 MB". */
export function bytes(value: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let unit = 0
  let rest = value
  while (rest >= 999.5 && unit < units.length - 1) {
    rest /= 1000
    unit++
  }
  return `${unit === 0 || rest >= 99.5 ? grouped(rest) : rest.toFixed(rest >= 9.95 ? 0 : 1)} ${units[unit] ?? ''}`
}

/** Milliseconds of a stage: "0.4 ms", "12 ms", "1.2 s". */
export function milliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`
  return `${value >= 10 ? Math.round(value).toString() : value.toFixed(1)} ms`
}

/** Whole percent, never 100 before all is done. */
export function percent(done: number, total: number): number {
  if (total <= 0) return 0
  return done >= total ? 100 : Math.min(99, Math.floor((100 * done) / total))
}

/**
 * A sentence about titles and names without the characters that would turn the direction of writing
 * for its rest, too (Unicode UAX #9).
 */
export function straightened(sentence: string): string {
  return sentence.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A moment on this machine's clock: "29 Nov 2026, 14:05". */
export function moment(epochMs: number): string {
  const date = new Date(epochMs)
  const two = (n: number): string => n.toString().padStart(2, '0')
  return (
    `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''} ${date.getFullYear()}, ` +
    `${two(date.getHours())}:${two(date.getMinutes())}`
  )
}
