/** How a database is opened, and what is told of it meanwhile. */
import type { FaultHook } from './fault_hook.ts'
import type { Migration } from './schema.ts'

/** What happened to an open connection that was not asked for. */
export type ConnectionEvent =
  /** Another tab upgrades or deletes the database; ours was closed to let it. */
  | 'versionchange'
  /** The browser closed it: site data cleared, or its storage failed. */
  | 'terminated'

export interface ConnectionOptions {
  /** Full name of the database. */
  readonly name: string
  /** Schema to open with; tests give their own. */
  readonly migrations?: readonly Migration[]
  /** Milliseconds until an unanswered request is tried once more, then given up. */
  readonly openMs?: number
  /** Milliseconds to wait for tabs that hold an older version. */
  readonly blockedMs?: number
  /** Pauses before the second, third … attempt after an internal error of the browser. */
  readonly retryDelaysMs?: readonly number[]
  /** Called when other tabs keep us from upgrading; the wait goes on. */
  readonly onBlocked?: () => void
  readonly onEvent?: (event: ConnectionEvent) => void
  readonly faults?: FaultHook
}
