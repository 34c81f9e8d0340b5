/** What `hubmesh index` was asked for and did, and how it says so. */
import type { EngineStatus, ReadWarning, Rejection } from '../types.ts'
import type { ModelChoice } from './open_corpus.ts'
import { megabytes, oneLine, type Terminal } from './terminal.ts'
import type { Walked } from '../registry/walk_folder.ts'

export interface Plan {
  readonly paths: readonly string[]
  readonly output: string | null
  readonly corpus: string | null
  readonly root: string
  readonly prune: boolean
  readonly strict: boolean
  readonly all: boolean
  readonly vectors: 'f32' | 'int8' | 'none'
  readonly index: boolean
  readonly tokens: number
  readonly json: boolean
  readonly choice: ModelChoice
}

export interface Counts {
  added: number
  replaced: number
  unchanged: number
  removed: number
  readonly rejected: Rejection[]
  readonly warnings: ReadWarning[]
}

export function report(
  plan: Plan,
  walked: Walked,
  counts: Counts,
  status: EngineStatus,
  archive: { readonly bytes: number; readonly sha256: string } | null,
  terminal: Terminal,
): void {
  const { documents, passages, passagesWithVectors, entities } = status
  if (plan.json) {
    terminal.print(
      JSON.stringify({
        ...counts,
        documents,
        passages,
        passagesWithVectors,
        entities,
        otherFiles: walked.otherFiles,
        otherNames: walked.otherNames,
        ignored: walked.ignored,
        corpus: plan.corpus,
        output: plan.output,
        ...archive,
      }),
    )
    return
  }
  for (const { name, reason } of counts.rejected.slice(0, 20))
    terminal.note(`not read: ${oneLine(name, 80)}: ${oneLine(reason, 300)}`)
  if (counts.rejected.length > 20)
    terminal.note(`not read: ${counts.rejected.length - 20} more (--json lists all)`)
  for (const { name, message } of counts.warnings.slice(0, 20))
    terminal.note(`${oneLine(name, 80)}: ${oneLine(message, 200)}`)
  for (const name of walked.otherNames.slice(0, 20))
    terminal.print(`left out, no reader for its kind: ${oneLine(name, 120)}`)
  terminal.print(
    `${documents} documents (${counts.added} new, ${counts.replaced} changed, ` +
      `${counts.unchanged} unchanged, ${counts.removed} removed), ${passages} passages, ` +
      `${passagesWithVectors} with vectors, ${entities} names`,
  )
  if (walked.otherFiles + walked.ignored > 0)
    terminal.print(`left out: ${walked.otherFiles} files of other kinds, ${walked.ignored} ignored`)
  terminal.print(
    archive === null
      ? `corpus ${plan.corpus ?? ''} in ${plan.root}`
      : `${plan.output ?? ''}: ${megabytes(archive.bytes)}, SHA-256 ${archive.sha256}`,
  )
}
