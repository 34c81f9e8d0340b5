/** The conversation with hubmesh for Python: a process that answers one question a line. */
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { ROOT } from '../bench_scale/corpora.ts'

const SCRIPT = join(ROOT, 'scripts/bench/bench_hubmesh/ask.py')

export interface PythonQuestion {
  readonly question: string
  /**
   * What the corpus' names in the question are, as it is not the reading of names that is timed.
   */
  readonly names: readonly string[]
  readonly vector: readonly number[]
  readonly topK: number
  readonly budget: number
}

export interface PythonGraph {
  readonly passages: number
  readonly nodes: number
  readonly edges: number
}

/** The version of hubmesh that an interpreter has, or null. */
export function hubmeshVersion(python: string): string | null {
  const { status, stdout } = spawnSync(
    python,
    [
      '-c',
      'from importlib.metadata import version; import hubmesh.corpus; print(version("hubmesh"))',
    ],
    { encoding: 'utf8' },
  )
  return status === 0 ? stdout.trim() : null
}

export class PythonPlanner {
  private readonly process: ChildProcessWithoutNullStreams
  private readonly lines: AsyncIterator<string>

  private constructor(
    process: ChildProcessWithoutNullStreams,
    lines: AsyncIterator<string>,
    readonly graph: PythonGraph,
  ) {
    this.process = process
    this.lines = lines
  }

  /** Loads a corpus of `root`; rejects with what Python printed where it ends before that. */
  static async start(
    python: string,
    root: string,
    corpus: string,
    identity: string,
  ): Promise<PythonPlanner> {
    const process = spawn(python, [SCRIPT, root, corpus, identity]),
      lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]()
    let printed = ''
    process.stderr.on('data', (part: Buffer) => {
      printed += part.toString()
    })
    const { value, done } = await lines.next()
    if (done) throw new Error(`${python} ended: ${printed}`)
    return new PythonPlanner(process, lines, JSON.parse(value) as PythonGraph)
  }

  /** Milliseconds that the planner took, without the way here and back. */
  async ask(question: PythonQuestion): Promise<number> {
    this.process.stdin.write(`${JSON.stringify(question)}\n`)
    const { value, done } = await this.lines.next()
    if (done) throw new Error(`Python ended at ${JSON.stringify(question.question)}.`)
    return (JSON.parse(value) as { ms: number }).ms
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('close', resolve))
    this.process.stdin.end()
    await ended
  }
}
