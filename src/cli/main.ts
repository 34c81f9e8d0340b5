#!/usr/bin/env node
/**
 * Owns the process: the command line's first word, exit codes, Ctrl-C, and a reader of stdout that
 * has gone. Refuses: the work of a command.
 */
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
