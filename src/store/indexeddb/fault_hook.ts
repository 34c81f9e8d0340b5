/** Seam through which tests inject database failures; armed by an option alone. */
import { HubmeshError } from '../../base/errors.ts'

/** Where a fault can strike. `put` counts each value written by one transaction. */
export type FaultStage = 'open' | 'begin' | 'put' | 'finish' | 'read'

/**
 * What happens there: `throw` an error of our own; `abort` the transaction without naming a reason;
 * `quota` as the browser reports a full disk; `closing` the connection under us; `silence`, no
 * event ever; `unknown` as a failing backing store.
 */
export type FaultKind = 'throw' | 'abort' | 'quota' | 'closing' | 'silence' | 'unknown'

export interface FaultHook {
  /** Asked at each stage; gives the fault that strikes now. */
  strike(stage: FaultStage): FaultKind | undefined
}

/** Lets the fault of a stage strike a transaction; true where it is not to be heard of again. */
export function strikeTransaction(
  faults: FaultHook | undefined,
  stage: 'put' | 'finish',
  transaction: IDBTransaction,
): boolean {
  switch (faults?.strike(stage)) {
    case undefined:
      return false
    case 'throw':
      throw new HubmeshError('bug/invariant', `A fault armed at "${stage}" struck.`)
    case 'quota':
      throw new DOMException(
        'The current transaction exceeded its quota limitations.',
        'QuotaExceededError',
      )
    case 'unknown':
      throw new DOMException('Internal error committing transaction.', 'UnknownError')
    case 'silence':
      return true
    case 'abort':
    case 'closing':
      transaction.abort()
      return false
  }
}

/** Faults armed one by one, each of which strikes once. */
export interface FaultPlan extends FaultHook {
  /** The `after`-th coming visit of the stage fails (0: the next one). */
  failNext(stage: FaultStage, kind: FaultKind, after?: number): void
  /** Faults that have not struck yet. */
  readonly armed: number
}

export function createFaultPlan(): FaultPlan {
  const plans: { readonly stage: FaultStage; readonly kind: FaultKind; after: number }[] = []
  return {
    get armed() {
      return plans.length
    },
    failNext(stage, kind, after = 0) {
      plans.push({ stage, kind, after })
    },
    strike(stage) {
      const due = plans.findIndex((plan) => plan.stage === stage && plan.after-- === 0)
      return due < 0 ? undefined : plans.splice(due, 1)[0]!.kind
    },
  }
}
