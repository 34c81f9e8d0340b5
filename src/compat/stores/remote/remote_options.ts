/** The check of what every remote store is told, and the loading of its optional client. */
import { HubmeshError } from '../../../base/errors.ts'

/** Throws `input/invalid` for anything but an http(s) address. */
export function readAddress(value: string): URL {
  let url: URL | null = null
  try {
    url = new URL(value)
  } catch {
    // Told below.
  }
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new HubmeshError(
      'input/invalid',
      `The address of the server is '${String(value).slice(0, 200)}'; pass one that begins with http:// or https://.`,
      { details: { field: 'url' } },
    )
  }
  return url
}

/** Throws `input/invalid` for anything but a positive number that a timer can wait for. */
export function readTimeout(value: number): number {
  if (!(value > 0 && value < 2 ** 31))
    throw new HubmeshError(
      'input/invalid',
      `timeoutMs is ${value}; it must be above 0 and below 2147483648.`,
      { details: { field: 'timeoutMs' } },
    )
  return value
}

/** An optional dependency; rejects with `store/unavailable` where it is not installed. */
export async function loadClient<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new HubmeshError(
      'store/unavailable',
      `The client ${name} could not be loaded; install it beside hubmesh (npm install ${name}).`,
      { cause, details: { module: name } },
    )
  }
}

/** Lists of at most `size`. */
export function batches<T>(items: readonly T[], size: number): T[][] {
  const lists: T[][] = []
  for (let from = 0; from < items.length; from += size) lists.push(items.slice(from, from + size))
  return lists
}
