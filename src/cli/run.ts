/** Dispatch of commands, help and exit codes, apart from the process so that tests need none. */
import { packageVersion } from '../registry/package_files.ts'
import { isHubmeshError } from '../base/errors.ts'
import type { Command } from './command.ts'
import { createTerminal, type Streams } from './terminal.ts'

interface Entry {
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** Loaded on demand: a question needs no server, and help needs nothing. */
const COMMANDS: ReadonlyMap<string, Entry> = new Map([
  entry('index', 'make a corpus or an archive of files', async () => {
    return (await import('./index_command.ts')).INDEX
  }),
  entry('sync', 'keep a corpus in step with a folder', async () => {
    return (await import('./sync_command.ts')).SYNC
  }),
  entry('query', 'ask a corpus or an archive', async () => {
    return (await import('./query_command.ts')).QUERY
  }),
  entry('inspect', 'say what a corpus or an archive holds', async () => {
    return (await import('./inspect_command.ts')).INSPECT
  }),
  entry('names', 'say which names of a corpus are one', async () => {
    return (await import('./names_command.ts')).NAMES
  }),
  entry('corpora', 'list, delete, import and export corpora', async () => {
    return (await import('./corpora_command.ts')).CORPORA
  }),
  entry('mcp', 'serve corpora to MCP clients', async () => (await import('./mcp_command.ts')).MCP),
  entry('assets', 'copy the model and the runtime for a page', async () => {
    return (await import('./assets_command.ts')).ASSETS
  }),
  entry('bench', 'measure retrieval and packing on question sets', benchCommand),
])

function entry(name: string, summary: string, load: Entry['load']): [string, Entry] {
  return [name, { summary, load }]
}

const HELP = `hubmesh COMMAND [options]

${[...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(9)}${summary}`).join('\n')}

hubmesh COMMAND --help says more. Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.`

/** Runs a command line; throws never. */
export async function runCommandLine(
  words: readonly string[],
  streams: Streams,
  signal: AbortSignal,
): Promise<number> {
  const [name, ...rest] = words,
    terminal = createTerminal(streams, signal)
  if (name === undefined) {
    terminal.note(HELP)
    return 2
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    terminal.print(HELP)
    return 0
  }
  if (name === '--version' || name === '-v') {
    terminal.print(packageVersion())
    return 0
  }
  const found = COMMANDS.get(name)
  if (found === undefined) {
    terminal.note(`hubmesh knows no command ${JSON.stringify(name.slice(0, 40))}.\n\n${HELP}`)
    return 2
  }
  let work: ReturnType<Command['prepare']>
  try {
    const command = await found.load(),
      end = rest.indexOf('--')
    if (
      rest.slice(0, end < 0 ? rest.length : end).some((word) => word === '--help' || word === '-h')
    ) {
      terminal.print(command.help)
      return 0
    }
    work = command.prepare(rest)
  } catch (error) {
    terminal.note(messageOf(error))
    return isHubmeshError(error) ? 2 : 1
  }
  try {
    return (await work(terminal)) ?? 0
  } catch (error) {
    terminal.note(messageOf(error))
    return isHubmeshError(error) && error.details['usage'] === true
      ? 2
      : isHubmeshError(error) && error.code === 'aborted'
        ? 130
        : 1
  } finally {
    terminal.clear()
  }
}

/** The message of a HubmeshError; of a bug the stack. */
function messageOf(error: unknown): string {
  if (isHubmeshError(error)) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

async function benchCommand(): Promise<Command> {
  const { BENCH_HELP, parseBench, runBench } = await import('./bench.ts')
  return {
    help: BENCH_HELP,
    prepare(words) {
      const options = parseBench(words)
      return async (terminal) => {
        await runBench(options, {
          print: (text) => {
            terminal.print(text)
          },
          progress: (line) => {
            terminal.progress(line)
          },
          signal: terminal.signal,
        })
        return undefined
      }
    },
  }
}
