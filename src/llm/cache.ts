/** Answers that need not be paid for twice. */
import { HubmeshError } from '../base/errors.ts'
import { nodeBuiltin } from '../base/platform.ts'

/** A Map will do. Rejections of it end the build. */
export interface LLMCache {
  get(key: string): string | undefined | Promise<string | undefined>
  set(key: string, value: string): unknown
}

/** Ends with the process or page. */
export function memoryLLMCache(): LLMCache {
  return new Map<string, string>()
}

/**
 * A file of Node's, one line of JSON for each answer, added as it comes, so that a build that was
 * killed goes on where it stopped. A line that was cut off by that is passed over; for a key that
 * stands twice the later one counts. Rejects with `store/unavailable` outside of Node or where the
 * file cannot be read, with `input/conflict` where it holds something else, such as the cache of
 * hubmesh for Python, whose entries have neither types nor this package's keys; it is not written
 * into.
 */
export async function fileLLMCache(path: string): Promise<LLMCache> {
  const files = nodeBuiltin<typeof import('node:fs/promises')>('node:fs/promises')
  if (!files)
    throw new HubmeshError(
      'store/unavailable',
      'Only Node can keep answers in a file; pass a Map or a cache of your own in a page.',
    )
  const known = new Map<string, string>()
  let text = ''
  try {
    text = await files.readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code !== 'ENOENT')
      throw unusable(path, 'read', cause)
  }
  if (!isOurs(text)) throw foreign(path)
  for (const line of text.split('\n')) {
    const entry = parsed(line)
    if (entry) known.set(...entry)
  }
  // A cut line gets an end of its own, so that it does not swallow the next.
  let turn: Promise<void> =
    text === '' || text.endsWith('\n') ? Promise.resolve() : files.appendFile(path, '\n')
  return {
    get: (key) => known.get(key),
    set: async (key, value) => {
      known.set(key, value)
      turn = turn.then(() => files.appendFile(path, `${JSON.stringify([key, value])}\n`))
      try {
        await turn
      } catch (cause) {
        turn = Promise.resolve()
        throw unusable(path, 'written', cause)
      }
    },
  }
}

/** Whether every line is an answer, or the beginning of one that was cut off. */
function isOurs(text: string): boolean {
  const lines = text.split('\n').filter((line) => line !== '')
  // one line without an end may be any JSON: then its key tells
  if (lines.length === 1 && !text.endsWith('\n')) return /^\["[0-9a-f]{1,64}(?:"|$)/.test(text)
  return lines.every((line) => line.startsWith('["'))
}

function foreign(path: string): HubmeshError {
  return new HubmeshError(
    'input/conflict',
    `'${path}' is no file of answers of this package, and nothing was written into it: hubmesh for ` +
      'Python keeps its own in another form. Give another path.',
    { details: { path } },
  )
}

function parsed(line: string): [string, string] | null {
  try {
    const entry: unknown = JSON.parse(line)
    return Array.isArray(entry) &&
      entry.length === 2 &&
      typeof entry[0] === 'string' &&
      typeof entry[1] === 'string'
      ? [entry[0], entry[1]]
      : null
  } catch {
    return null
  }
}

function unusable(path: string, verb: string, cause: unknown): HubmeshError {
  return new HubmeshError(
    'store/unavailable',
    `The file of answers '${path}' cannot be ${verb}; check the folder and its rights.`,
    { cause, details: { path } },
  )
}
