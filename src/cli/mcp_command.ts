/** `hubmesh mcp`. Writes nothing to stdout, which belongs to the protocol. */
import { isHubmeshError } from '../base/errors.ts'
import { serveCorpora } from '../mcp/serve.ts'
import {
  FLAG,
  MANY,
  oneOfFlag,
  readWords,
  TEXT,
  wholeFlag,
  usage,
  type Command,
} from './command.ts'
import { managerOf, MODEL_FLAGS, MODEL_HELP, modelChoice } from './open_corpus.ts'
import type { Terminal } from './terminal.ts'
import type { CorpusManager } from '../registry/corpus_manager.ts'

const HELP = `hubmesh mcp [options]
Serves the corpora of the root folder to MCP clients: ten tools that read, and index_corpus with
--allow-writes.

  --transport NAME     stdio (default) | http | sse: the latter two serve streamable HTTP at /mcp
                       and SSE at /sse
  --root DIR           folder of corpora (default: $HUBMESH_CORPORA_ROOT, else ~/.hubmesh/corpora)
  --host ADDRESS       (default: 127.0.0.1)
  --port N             (default: 8000; 0 takes any free one)
  --allow-writes       offers index_corpus
  --read-only          only reads, as without --allow-writes; the two are refused together
  --api-key KEY        clients must send "Authorization: Bearer KEY"; better by $HUBMESH_API_KEY,
                       which no process list shows. Beyond 127.0.0.1 one is generated where none
                       is given, shown once and good for a day
  --write-key KEY      with it the API key only reads; better by $HUBMESH_WRITE_KEY
  --generate-key       makes a key also for 127.0.0.1
  --allow-host NAME    a host name to answer for, behind a proxy; may be repeated
  --allow-origin URL   an origin whose pages may call; may be repeated
  --allow-tunnel       answers for any host name, behind a tunnel; a key is needed
  --no-warmup          opens model and corpora at the first call
${MODEL_HELP}`

export const MCP: Command = {
  help: HELP,
  prepare(words) {
    const { values, positionals } = readWords('mcp', words, {
      transport: { ...TEXT, default: 'stdio' },
      root: TEXT,
      host: { ...TEXT, default: '127.0.0.1' },
      port: TEXT,
      'allow-writes': FLAG,
      'read-only': FLAG,
      'api-key': TEXT,
      'write-key': TEXT,
      'generate-key': FLAG,
      'allow-host': MANY,
      'allow-origin': MANY,
      'allow-tunnel': FLAG,
      'no-warmup': FLAG,
      ...MODEL_FLAGS,
    })
    if (positionals.length > 0)
      throw usage(
        'mcp',
        `mcp takes options alone, not ${JSON.stringify(positionals[0]!.slice(0, 40))}.`,
      )
    if (values['read-only'] && values['allow-writes'])
      throw usage('mcp', 'Choose --read-only or --allow-writes.')
    const transport =
      oneOfFlag('mcp', 'transport', values.transport, ['stdio', 'http', 'sse']) === 'stdio'
        ? 'stdio'
        : 'http'
    const port = wholeFlag('mcp', 'port', values.port, 8000, 0, 65_535),
      choice = modelChoice('mcp', values)
    // A key in the environment is for networks; stdio is started by who owns the corpora.
    const apiKey =
      values['api-key'] ??
      (transport === 'stdio' ? undefined : process.env['HUBMESH_API_KEY'] || undefined)
    const writeKey =
      values['write-key'] ??
      (transport === 'stdio' || !values['allow-writes']
        ? undefined
        : process.env['HUBMESH_WRITE_KEY'] || undefined)
    const options: Omit<ServeOptions, 'onFault'> = {
      transport,
      host: values.host,
      port,
      allowWrites: values['allow-writes'],
      allowTunnel: values['allow-tunnel'],
      allowHosts: values['allow-host'] ?? [],
      allowOrigins: values['allow-origin'] ?? [],
      generateKey: values['generate-key'],
      warmup: !values['no-warmup'],
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(writeKey === undefined ? {} : { writeKey }),
    }
    return (terminal) => serve(managerOf(values.root, choice), options, terminal)
  },
}

type ServeOptions = Parameters<typeof serveCorpora>[1]

async function serve(
  manager: CorpusManager,
  options: Omit<ServeOptions, 'onFault'>,
  terminal: Terminal,
): Promise<undefined> {
  const note = (text: string): void => {
    terminal.note(`hubmesh mcp: ${text}`)
  }
  try {
    const serving = await serveCorpora(manager, {
      ...options,
      onFault: (error) => {
        note(faultOf(error))
      },
    })
    let ending = false
    try {
      for (const warning of serving.warnings) note(warning)
      if (serving.url !== null) note(`${serving.url} (SSE at /sse), corpora of ${manager.root}`)
      if (serving.generated !== null) {
        const { expiresAt, key } = serving.generated
        note(`key, shown once, good until ${new Date(expiresAt).toISOString()}: ${key}`)
      }
      serving.warm.then(
        (report) => {
          // what the end itself cut short is no news
          if (ending) return
          for (const [part, state] of Object.entries(report))
            if (state !== 'ok') note(`${part} ${state}`)
        },
        () => undefined,
      )
      await Promise.race([serving.ended, stopped(terminal.signal)])
    } finally {
      ending = true
      await serving.close()
    }
  } finally {
    await manager.close().catch((error: unknown) => {
      terminal.note(isHubmeshError(error) ? error.message : 'The corpora could not be closed.')
    })
  }
  return undefined
}

/** Ctrl-C is how a server is meant to end, so it is no error. */
function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        resolve()
      },
      { once: true },
    )
    if (signal.aborted) resolve()
  })
}

/**
 * A named failure in its words; of another where it is, without its message, which could quote a
 * document.
 */
function faultOf(error: unknown): string {
  if (isHubmeshError(error)) return `${error.code}: ${error.message}`
  if (!(error instanceof Error)) return `a fault of type ${typeof error}`
  return `${error.name}\n${(error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 6)
    .join('\n')}`
}
