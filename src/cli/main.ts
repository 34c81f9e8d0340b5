#!/usr/bin/env node
/** Owns the command line's first word, its exit code and Ctrl-C. Refuses: the work of a command. */
import { isHubmeshError } from '../errors.ts'

const HELP = `hubmesh COMMAND [options]

  bench DIR...   measure retrieval and packing on question sets

hubmesh COMMAND --help says more.`

async function main(words: readonly string[]): Promise<number> {
  const [command, ...rest] = words, help = rest.includes('--help') || rest.includes('-h')
  if (command === undefined || command === '--help' || command === '-h' || command === 'help') {
    process.stdout.write(`${HELP}\n`)
    return command === undefined ? 2 : 0
  }
  const stop = new AbortController()
  process.once('SIGINT', () => { stop.abort() })
  switch (command) {
    case 'bench': {
      const { BENCH_HELP, parseBench, runBench } = await import('./bench.ts')
      if (help) { process.stdout.write(`${BENCH_HELP}\n`); return 0 }
      const line = progressLine()
      try {
        await runBench(parseBench(rest), { print: (text) => { line.clear(); process.stdout.write(`${text}\n`) }, progress: line.show, signal: stop.signal })
      } finally { line.clear() }
      return 0
    }
    default:
      process.stderr.write(`hubmesh knows no command ${JSON.stringify(command)}.\n\n${HELP}\n`)
      return 2
  }
}

/** One line of progress on a terminal; nothing where the errors go to a file. */
function progressLine(): { readonly show: (text: string) => void; readonly clear: () => void } {
  const { stderr } = process
  let shown = false
  return {
    show(text) {
      if (!stderr.isTTY) return
      stderr.write(`\r\u001b[K${text.slice(0, (stderr.columns || 80) - 1)}`)
      shown = true
    },
    clear() {
      if (shown) stderr.write('\r\u001b[K')
      shown = false
    },
  }
}

main(process.argv.slice(2)).then(
  (code) => { process.exitCode = code },
  (error: unknown) => {
    if (isHubmeshError(error)) process.stderr.write(`${error.message}\n`)
    else process.stderr.write(`${error instanceof Error ? error.stack ?? error.message : String(error)}\n`)
    process.exitCode = isHubmeshError(error) ? (error.code === 'input/invalid' ? 2 : error.code === 'aborted' ? 130 : 1) : 1
  },
)
