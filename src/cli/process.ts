/** The process: exit code, Ctrl-C, a closed stdout. */
import { runCommandLine } from './run.ts'

/** Runs the command line and sets the exit code. */
export async function runProcess(words: readonly string[]): Promise<void> {
  const stop = new AbortController()
  // Once: a second Ctrl-C ends the process as it would without us.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stop.abort()
    })
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
  })
  process.exitCode = await runCommandLine(words, process, stop.signal)
}
