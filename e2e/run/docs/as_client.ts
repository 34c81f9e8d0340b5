/**
 * Connecting as an MCP client does that was given a block as its settings: by a program that it
 * starts, or by an address.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { serve, type Place } from './place.ts'

interface Settings {
  readonly command?: string
  readonly args?: readonly string[]
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The names of the tools that the client is offered. */
export async function toolsAsClient(code: string, place: Place): Promise<readonly string[]> {
  const { mcpServers, servers } = JSON.parse(code) as {
    readonly mcpServers?: Record<string, Settings>
    readonly servers?: Record<string, Settings>
  }
  const [settings, ...others] = Object.values(mcpServers ?? servers ?? {})
  if (settings === undefined || others.length > 0) throw new Error('it does not name one server')
  const { command, args = [], url, headers = {} } = settings
  if (command !== undefined) {
    const env = Object.fromEntries(
      Object.entries(place.env).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    )
    const words = args.map((word) => word.replaceAll('${workspaceFolder}', place.folder))
    return await toolsOf(
      new StdioClientTransport({ command, args: words, env, cwd: place.folder, stderr: 'ignore' }),
    )
  }
  if (url === undefined) throw new Error('it names neither a command nor a url')
  const key = headers['Authorization']?.replace('Bearer ', '')
  const close = await serve(
    `hubmesh mcp --transport http --port ${new URL(url).port}`,
    key === undefined ? place : { ...place, env: { ...place.env, HUBMESH_API_KEY: key } },
    url,
  )
  try {
    return await toolsAt(url, headers)
  } finally {
    await close()
  }
}

export function toolsAt(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  return toolsOf(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
}

async function toolsOf(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
): Promise<readonly string[]> {
  const client = new Client({ name: 'docs', version: '1.0.0' })
  // The transport declares its session as string | undefined, which strict optional properties tell
  // from the protocol's own type.
  await client.connect(transport as Parameters<Client['connect']>[0])
  try {
    return (await client.listTools()).tools.map(({ name }) => name)
  } finally {
    await client.close()
  }
}
