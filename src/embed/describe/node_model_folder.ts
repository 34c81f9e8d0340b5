/** A model's folder on disk: its manifest, read or written. Node only. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HubmeshError } from '../../base/errors.ts'
import { describeModel, type DescribeModelOptions, type ModelFiles } from './describe_model.ts'
import { checkManifest, knownManifest, manifestFor, type ModelManifest } from '../manifests.ts'

const MANIFEST = 'manifest.json'

/**
 * The manifest of a model's place: the shipped one of a known name, else that which
 * `hubmesh model add` wrote into a folder on this disk. Rejects with `input/invalid`.
 */
export async function manifestOf(location: string | URL): Promise<ModelManifest> {
  const known = knownManifest(location)
  if (known !== null) return known
  const folder = localFolder(location)
  if (folder !== null) {
    const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
    if (text !== null) return parsed(text, join(folder, MANIFEST))
  }
  return manifestFor(location)
}

/**
 * Writes `manifest.json` into a folder of model files as transformers.js has them, and gives it:
 * `NodeEmbedder`, `createEngine`, the command line and MCP then take the folder as a model. Rejects
 * as `describeModel` does, or with `store/unavailable` where the folder cannot be written to.
 */
export async function addModel(
  folder: string,
  options: DescribeModelOptions = {},
): Promise<ModelManifest> {
  const place = resolve(folder),
    manifest = await describeModel(filesIn(place), options),
    target = join(place, MANIFEST)
  try {
    await writeFile(`${target}.next`, `${JSON.stringify(manifest, null, 2)}\n`)
    await rename(`${target}.next`, target)
  } catch (cause) {
    throw new HubmeshError(
      'store/unavailable',
      `${target} cannot be written (${(cause as NodeJS.ErrnoException).code ?? 'unknown'}). Copy the ` +
        'model to a folder that may be written to.',
      { cause },
    )
  }
  return manifest
}

function filesIn(folder: string): ModelFiles {
  return {
    name: basename(folder),
    async read(path) {
      try {
        return new Uint8Array(await readFile(join(folder, path)))
      } catch (cause) {
        const { code = 'unknown' } = cause as NodeJS.ErrnoException
        if (code === 'ENOENT' || code === 'ENOTDIR') return null
        throw new HubmeshError('model/fetch', `${join(folder, path)} cannot be read (${code}).`, {
          cause,
        })
      }
    },
  }
}

function localFolder(location: string | URL): string | null {
  const text = String(location)
  if (text.startsWith('file:')) return fileURLToPath(text)
  return location instanceof URL || /^[a-z][a-z0-9+.-]+:\/\//i.test(text) ? null : text
}

function parsed(text: string, file: string): ModelManifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new HubmeshError(
      'input/invalid',
      `${file} is not JSON. Write it again by \`hubmesh model add\`.`,
      { cause, details: { file } },
    )
  }
  checkManifest(file, value)
  return value as ModelManifest
}
