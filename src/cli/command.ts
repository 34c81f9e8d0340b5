/** What a command is, and how its arguments are read. */
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { HubmeshError } from '../base/errors.ts'
import type { Terminal } from './terminal.ts'

export interface Command {
  readonly help: string
  /**
   * Reads the words and gives the work; throws `usage()` for words that make no sense, before
   * anything is done. The work gives the exit code, 0 where it gives none.
   */
  readonly prepare: (
    words: readonly string[],
  ) => (terminal: Terminal) => Promise<number | undefined>
}

export type Flags = NonNullable<ParseArgsConfig['options']>

/** An error of the words, not of the work: exit code 2. */
export function usage(command: string, message: string, cause?: unknown): HubmeshError {
  return new HubmeshError('input/invalid', `${message}\nSee: hubmesh ${command} --help`, {
    details: { usage: true },
    ...(cause === undefined ? {} : { cause }),
  })
}

/** parseArgs of node:util, strict; what it throws is a usage error. */
export function readWords<T extends Flags>(
  command: string,
  words: readonly string[],
  options: T,
): ReturnType<
  typeof parseArgs<{
    readonly args: string[]
    readonly options: T
    readonly strict: true
    readonly allowPositionals: true
  }>
> {
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: true })
  } catch (cause) {
    throw usage(
      command,
      cause instanceof Error ? cause.message : 'The options cannot be read',
      cause,
    )
  }
}

/** A whole number within bounds, or the preset where the flag is left out. */
export function wholeFlag(
  command: string,
  flag: string,
  value: string | undefined,
  preset: number,
  least: number,
  most: number,
): number {
  if (value === undefined) return preset
  const number = Number(value)
  if (!/^\d{1,12}$/.test(value) || number < least || number > most)
    throw usage(
      command,
      `--${flag} is ${JSON.stringify(value.slice(0, 40))}; it must be a whole number from ${least} to ${most}.`,
    )
  return number
}

export function oneOfFlag<T extends string>(
  command: string,
  flag: string,
  value: string,
  known: readonly T[],
): T {
  const found = known.find((name) => name === value)
  if (found === undefined)
    throw usage(
      command,
      `--${flag} is ${JSON.stringify(value.slice(0, 40))}; it must be one of ${known.join(', ')}.`,
    )
  return found
}

export const TEXT = { type: 'string' } as const
export const FLAG = { type: 'boolean', default: false } as const
export const MANY = { type: 'string', multiple: true } as const
