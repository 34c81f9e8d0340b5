/** Words for every way to fail, and what a person can do about it from the page. */
import type { ErrorCode } from '../../src/index.ts'
import { words } from './words.ts'

/** What a person can do about it from the page. */
export type Remedy = 'retry' | 'reload' | 'memory' | 'resume' | 'forget' | 'reembed' | 'none'

export interface Problem {
  readonly code: ErrorCode
  readonly title: string
  /** What was kept and what to do. */
  readonly help: string
  readonly remedy: Remedy
  /** The engine's own message, for those who want the details. */
  readonly message: string
}

const REMEDIES: Readonly<Record<ErrorCode, Remedy>> = {
  'input/invalid': 'none',
  'input/too-large': 'none',
  'input/conflict': 'none',
  'store/unavailable': 'memory',
  'store/blocked': 'retry',
  'store/newer-schema': 'reload',
  'store/closed': 'retry',
  'store/quota': 'retry',
  'store/corrupt': 'retry',
  'store/evicted': 'forget',
  'store/indeterminate': 'retry',
  'store/locked': 'none',
  'writer/not-leader': 'retry',
  'writer/lost': 'retry',
  'worker/start-failed': 'retry',
  'worker/crashed': 'retry',
  'worker/timeout': 'retry',
  'model/fetch': 'resume',
  'model/integrity': 'resume',
  'model/incompatible': 'resume',
  'model/memory': 'resume',
  'model/device-lost': 'resume',
  'index/stale': 'retry',
  'index/corrupt': 'retry',
  'archive/version': 'none',
  'archive/too-large': 'none',
  'archive/invalid': 'none',
  'corpus/not-found': 'forget',
  'remote/unavailable': 'retry',
  'remote/auth': 'none',
  'remote/timeout': 'retry',
  'remote/invalid': 'retry',
  aborted: 'none',
  'bug/invariant': 'reload',
}

/** Words for anything thrown; what is no error of the engine is a fault of the page. */
export function problemOf(error: unknown): Problem {
  const { code, message, missing } = readError(error)
  const t = words(),
    [title, help] = missing ? t.missing : t.problems[code]
  return { code, title, help, remedy: missing ? 'retry' : REMEDIES[code], message }
}

/**
 * Words for a corpus that could not be deleted: it is still there, and other tabs are the usual
 * reason.
 */
export function notDeleted(problem: Problem): Problem {
  return {
    ...problem,
    help: words().notDeleted,
    remedy: 'none',
  }
}

/** Words for a code that came as data, as in `status().embedding.error`. */
export function problemOfCode(code: string, message: string): Problem {
  return problemOf({ code, message })
}

export function isAborted(error: unknown): boolean {
  return readError(error).code === 'aborted'
}

function readError(error: unknown): { code: ErrorCode; message: string; missing: boolean } {
  const value =
    typeof error === 'object' && error !== null
      ? (error as {
          code?: unknown
          message?: unknown
          name?: unknown
          details?: { status?: unknown } | null
        })
      : {}
  const message = typeof value.message === 'string' ? value.message : String(error)
  if (typeof value.code === 'string' && Object.hasOwn(REMEDIES, value.code))
    return {
      code: value.code as ErrorCode,
      message,
      missing:
        value.code === 'remote/unavailable' &&
        (value.details?.status === 404 || value.details?.status === 410),
    }
  return {
    code: value.name === 'AbortError' ? 'aborted' : 'bug/invariant',
    message,
    missing: false,
  }
}
