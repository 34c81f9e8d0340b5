/** Where the installed package and its files lie. Node only. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HubmeshError } from '../base/errors.ts'

/** The folder of hubmesh's own package.json, from the sources as from a build. */
export function packageRoot(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    if (
      existsSync(file) &&
      (JSON.parse(readFileSync(file, 'utf8')) as { readonly name?: unknown }).name === 'hubmesh'
    )
      return folder
    if (dirname(folder) === folder)
      throw new HubmeshError(
        'input/invalid',
        "The files of the hubmesh package are not beside this program. Install hubmesh, or name the model's folder.",
      )
  }
}

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    readonly version: string
  }
  return version
}

/**
 * The folder of a model: the name of one that comes with the package, or a path. Throws
 * `input/invalid` where neither is there.
 */
export function modelFolder(nameOrPath: string): string {
  for (const folder of [join(packageRoot(), 'public/models', nameOrPath), nameOrPath])
    if (existsSync(join(folder, 'tokenizer.json'))) return folder
  throw new HubmeshError(
    'input/invalid',
    `No model lies at ${JSON.stringify(nameOrPath.slice(0, 200))}, and the package brings none ` +
      `of that name. Name a folder with a model's files.`,
    { details: { field: 'model' } },
  )
}
