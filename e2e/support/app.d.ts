/** What e2e/fixtures/app.js puts on the page, for code that runs there. */
import type * as hubmesh from '../../src/index.ts'

declare global {
  interface SampleQuestion {
    readonly id: string
    readonly question: string
    readonly answer: string
    readonly gold: readonly string[]
  }
  interface Sample {
    readonly documents: readonly hubmesh.DocumentInput[]
    readonly questions: readonly SampleQuestion[]
  }
  function loadSample(): Promise<Sample>
  var hubmesh: typeof import('../../src/index.ts')
  var MODEL: string
  var made: { readonly engine: Worker[]; readonly embed: Worker[] }
  /** An address that the page's policy lets a worker have. */
  function trusted(url: string): string
  function openEngine(options?: Partial<hubmesh.CreateEngineOptions>): Promise<hubmesh.Engine>
  function caught(promise: Promise<unknown>): Promise<{
    code: string | null
    message: string
    details: unknown
    known: boolean
    isError: boolean
  }>
}
