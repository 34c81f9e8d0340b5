/**
 * Owns what the page says for every way to fail. Refuses: a code without words, and words that hide
 * what was kept.
 */
import type { ErrorCode } from '../../src/index.ts'

/** What a person can do about it from the page. */
export type Remedy = 'retry' | 'reload' | 'memory' | 'resume' | 'forget' | 'none'

export interface Problem {
  readonly code: ErrorCode
  readonly title: string
  /** What was kept and what to do. */
  readonly help: string
  readonly remedy: Remedy
  /** The engine's own message, for those who want the details. */
  readonly message: string
}

type Words = readonly [title: string, help: string, remedy: Remedy]

const WORDS: Readonly<Record<ErrorCode, Words>> = {
  'input/invalid': [
    'This could not be taken',
    'Nothing was added. The details say which part was refused and why.',
    'none',
  ],
  'input/too-large': [
    'This is larger than the page can take',
    'Nothing was added. Split it and add the parts.',
    'none',
  ],
  'input/conflict': [
    'A document of that name holds another text',
    'The stored text was kept.',
    'none',
  ],
  'store/unavailable': [
    'This browser refuses to save',
    'Private windows and blocked site data do that. You can go on in memory; the corpus is ' +
      'then gone when the tab closes.',
    'memory',
  ],
  'store/blocked': [
    'Another tab holds an older version of this corpus',
    'Close the other tabs of this page, then try again. Nothing was lost.',
    'retry',
  ],
  'store/newer-schema': [
    'This corpus was written by a newer version',
    'It was left untouched. Reload the page to get the newer version.',
    'reload',
  ],
  'store/closed': [
    'The corpus was closed',
    'What was confirmed is saved. Open it again to go on.',
    'retry',
  ],
  'store/quota': [
    'There is no room left on this device',
    'What was confirmed before is saved. Delete a corpus or free some space, then try again.',
    'retry',
  ],
  'store/corrupt': [
    'Part of the saved corpus is damaged',
    'What could be read was kept. Delete the corpus and add its documents again to have all of it.',
    'retry',
  ],
  'store/evicted': [
    'The saved data of this corpus are gone',
    'A browser clears them when space runs short, and when site data are deleted. Remove the ' +
      'corpus from the list, then add its documents again.',
    'forget',
  ],
  'store/indeterminate': [
    'It is not known whether the last change was saved',
    'Open the corpus again: it shows the state before the change or after it, never a mix.',
    'retry',
  ],
  'store/locked': [
    'This corpus is encrypted',
    'It opens with its passphrase only, in the app that made it. Nothing was changed.',
    'none',
  ],
  'writer/not-leader': [
    'Another tab is writing to this corpus',
    'You can ask here. Close the other tab and try again: what you just added here is then ' +
      'taken without dropping it anew.',
    'retry',
  ],
  'writer/lost': [
    'Another tab took over writing',
    'What was confirmed is saved. Go on in the other tab, or close it and try again.',
    'retry',
  ],
  'worker/start-failed': [
    'The engine could not start',
    'Its script did not load; offline, this needs one earlier visit. Try again when there is a ' +
      'network: what you just added is then taken. If that does not help, reload the page.',
    'retry',
  ],
  'worker/crashed': [
    'The engine stopped unexpectedly',
    'What was confirmed is saved. Try again to start it anew.',
    'retry',
  ],
  'worker/timeout': [
    'The engine does not answer',
    'What was confirmed is saved. Try again to start it anew.',
    'retry',
  ],
  'model/fetch': [
    'The language model could not be loaded',
    'Names and words still rank; meaning is missing until the model is there.',
    'resume',
  ],
  'model/integrity': [
    'The language model is damaged',
    'Its files are not the ones expected, so it is not used. Names and words still rank.',
    'resume',
  ],
  'model/incompatible': [
    'The language model cannot be used here',
    'Its files do not belong together, or do not fit this browser or corpus. Names and words still rank.',
    'resume',
  ],
  'model/memory': [
    'There is not enough memory for the language model',
    'Close other tabs and resume. Names and words still rank.',
    'resume',
  ],
  'model/device-lost': [
    'The graphics device went away',
    'Resume to go on without it. Names and words still rank.',
    'resume',
  ],
  'index/stale': [
    'The index is older than the documents',
    'It is built again from the documents. Try again in a moment.',
    'retry',
  ],
  'index/corrupt': [
    'The index is damaged',
    'It is built again from the documents, which are safe.',
    'retry',
  ],
  'archive/version': [
    'This archive was written by a newer version',
    'Nothing was imported.',
    'none',
  ],
  'archive/too-large': [
    'This archive is larger than the page can take',
    'Nothing was imported.',
    'none',
  ],
  'archive/invalid': [
    'This is not a hubmesh archive, or it is damaged',
    'Nothing was imported.',
    'none',
  ],
  'corpus/not-found': [
    'This corpus no longer exists',
    'It was deleted, perhaps in another tab.',
    'forget',
  ],
  'remote/unavailable': [
    'A server does not answer',
    'Nothing was changed. Try again when it is there.',
    'retry',
  ],
  'remote/auth': ['A server refused the key', 'Nothing was changed.', 'none'],
  'remote/timeout': [
    'A server took too long',
    'Nothing is known to have changed. Try again.',
    'retry',
  ],
  'remote/invalid': [
    'A server answered something that cannot be used',
    'Nothing was changed. The details say what it was.',
    'retry',
  ],
  aborted: ['Cancelled', 'What was confirmed before is saved.', 'none'],
  'bug/invariant': [
    'The engine met a fault of its own',
    'What was confirmed is saved. Please report the details.',
    'reload',
  ],
}

/** A server that answers that it has no such thing does answer. */
const MISSING: Words = [
  'A server does not have what it was asked for',
  'Nothing was changed. Check the address; the details say which it was.',
  'retry',
]

/** Words for anything thrown; what is no error of the engine is a fault of the page. */
export function problemOf(error: unknown): Problem {
  const { code, message, missing } = readError(error)
  const [title, help, remedy] = missing ? MISSING : WORDS[code]
  return { code, title, help, remedy, message }
}

/**
 * Words for a corpus that could not be deleted: it is still there, and other tabs are the usual
 * reason.
 */
export function notDeleted(problem: Problem): Problem {
  return {
    ...problem,
    help: 'It was not deleted. Close the other tabs of this page, then delete it again.',
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
  if (typeof value.code === 'string' && Object.hasOwn(WORDS, value.code))
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
