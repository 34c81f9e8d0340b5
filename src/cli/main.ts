#!/usr/bin/env node
/** The process: arguments, exit code, Ctrl-C, a closed stdout. */
import { runCommandLine } from './run.ts'

const stop = new AbortController()
// Once: a second Ctrl-C ends the process as it would without us.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stop.abort()
  })
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
})

void runCommandLine(process.argv.slice(2), process, stop.signal).then((code) => {
  process.exitCode = code
})
