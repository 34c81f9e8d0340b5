/** Output: results to stdout, the rest to stderr, progress only on a TTY. */
import type { Progress } from '../types.ts'

export interface Terminal {
  /** A line of the result. */
  print(text: string): void
  /** A line about the work. */
  note(text: string): void
  /** Replaces the line of progress; nothing where stderr is no terminal. */
  progress(text: string): void
  clear(): void
  readonly signal: AbortSignal
}

export interface Streams {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: {
    write(text: string): unknown
    readonly isTTY?: boolean
    readonly columns?: number
  }
}

export function createTerminal({ stdout, stderr }: Streams, signal: AbortSignal): Terminal {
  let shown = false
  const clear = (): void => {
    if (shown) stderr.write('\r\u001b[K')
    shown = false
  }
  return {
    print(text) {
      clear()
      stdout.write(`${text}\n`)
    },
    note(text) {
      clear()
      stderr.write(`${text}\n`)
    },
    progress(text) {
      if (stderr.isTTY !== true) return
      stderr.write(`\r\u001b[K${text.slice(0, (stderr.columns || 80) - 1)}`)
      shown = true
    },
    clear,
    signal,
  }
}

const CELLS = 24

/** `label [######------] 120 of 400, 35/s, 8 s left`. */
export function progressBar(
  label: string,
  { done, total, rate, secondsLeft }: Pick<Progress, 'done' | 'total' | 'rate' | 'secondsLeft'>,
): string {
  const full = total > 0 ? Math.min(CELLS, Math.floor((done / total) * CELLS)) : 0
  const speed = rate > 0 ? `, ${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s` : '',
    left = secondsLeft !== null && done < total ? `, ${duration(secondsLeft)} left` : ''
  return `${label} [${'#'.repeat(full)}${'-'.repeat(CELLS - full)}] ${done} of ${total}${speed}${left}`
}

function duration(seconds: number): string {
  return seconds < 90
    ? `${Math.ceil(seconds)} s`
    : seconds < 5400
      ? `${Math.round(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`
}

/**
 * Foreign text for a terminal: control and direction characters become spaces, so that it can
 * neither move the cursor nor turn the line around.
 */
export function plain(text: string): string {
  let out = ''
  for (const character of text) {
    const point = character.codePointAt(0)!
    const control =
      (point < 0x20 && point !== 0x0a && point !== 0x09) ||
      (point >= 0x7f && point < 0xa0) ||
      (point >= 0x202a && point <= 0x202e) ||
      (point >= 0x2066 && point <= 0x2069) ||
      point === 0x200e ||
      point === 0x200f
    out += control ? ' ' : character
  }
  return out
}

/** On one line, at most so many characters. */
export function oneLine(text: string, most: number): string {
  const line = plain(text)
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')
  return line.length <= most
    ? line
    : `${Array.from(line)
        .slice(0, most - 1)
        .join('')}…`
}

export function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
