/** `hubmesh assets`: copies and verifies the files a page serves. */
import { append } from '../base/grown.ts'
import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { modelFolder } from '../registry/package_files.ts'
import { onnxRuntimeFolder } from '../embed/node_runtimes.ts'
import { manifestFor, ONNX_RUNTIME, type FileManifest } from '../embed/manifests.ts'
import { HubmeshError, throwIfAborted } from '../base/errors.ts'
import { FLAG, readWords, TEXT, usage, type Command } from './command.ts'
import { megabytes, type Terminal } from './terminal.ts'

const HELP = `hubmesh assets DIR [options]
Copies what a page needs for vectors: the model to DIR/models/NAME, ONNX Runtime's wasm to DIR/ort.
Serve DIR and open the engine with { model: '/models/all-MiniLM-L6-v2/' }. Files already there are
left alone.

  --model NAME|DIR     the model (default: all-MiniLM-L6-v2, which comes with the package)
  --no-ort             the model alone
  --json               what was copied, as JSON`

interface Copied {
  readonly path: string
  readonly bytes: number
  readonly copied: boolean
}

export const ASSETS: Command = {
  help: HELP,
  prepare(words) {
    const { values, positionals } = readWords('assets', words, {
      model: { ...TEXT, default: 'all-MiniLM-L6-v2' },
      'no-ort': FLAG,
      json: FLAG,
    })
    const [directory, ...rest] = positionals
    if (directory === undefined || rest.length > 0)
      throw usage('assets', 'Name the one folder to copy to.')
    return async (terminal) => {
      const folder = modelFolder(values.model),
        manifest = manifestFor(folder),
        target = resolve(directory)
      const copied = [
        ...(await copyChecked(manifest, folder, join(target, 'models', manifest.name), terminal)),
        ...(await copyBeside(manifest, folder, join(target, 'models', manifest.name))),
      ]
      if (!values['no-ort'])
        append(
          copied,
          await copyChecked(ONNX_RUNTIME, onnxRuntimeFolder(), join(target, 'ort'), terminal),
        )
      terminal.clear()
      if (values.json) terminal.print(JSON.stringify(copied))
      else
        for (const { path, bytes, copied: fresh } of copied)
          terminal.print(`${path}  ${megabytes(bytes)}${fresh ? '' : '  (was there)'}`)
      return undefined
    }
  },
}

async function copyChecked(
  { name, files }: FileManifest,
  from: string,
  to: string,
  terminal: Terminal,
): Promise<Copied[]> {
  const out: Copied[] = []
  for (const { path, bytes, sha256 } of files) {
    throwIfAborted(terminal.signal)
    terminal.progress(`copying ${path}`)
    const content = await readFile(join(from, path)).catch((cause: unknown) => {
      throw new HubmeshError(
        'model/fetch',
        `${join(from, path)} of ${name} cannot be read. Install the package again.`,
        { cause },
      )
    })
    const found = createHash('sha256').update(content).digest('hex')
    if (content.length !== bytes || found !== sha256)
      throw new HubmeshError(
        'model/integrity',
        `${join(from, path)} is not the file of ${name}: it has ${content.length} bytes and ` +
          `SHA-256 ${found}, not ${bytes} and ${sha256}. Install the versions of the lock file.`,
      )
    out.push(await place(join(to, path), content))
  }
  return out
}

/** The licence and the manifest for people. */
async function copyBeside(manifest: FileManifest, from: string, to: string): Promise<Copied[]> {
  const out: Copied[] = [],
    checked = new Set(manifest.files.map(({ path }) => path))
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (entry.isFile() && !checked.has(entry.name))
      out.push(await place(join(to, entry.name), await readFile(join(from, entry.name))))
  }
  return out
}

async function place(path: string, content: Uint8Array): Promise<Copied> {
  const there = await readFile(path).catch(() => null)
  if (there?.equals(content) === true) return { path, bytes: content.length, copied: false }
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(`${path}.next`, content)
    await rename(`${path}.next`, path)
  } catch (cause) {
    throw new HubmeshError(
      'store/unavailable',
      `${path} cannot be written (${(cause as { readonly code?: string }).code ?? 'unknown'}). ` +
        'Check that the folder may be written to.',
      { cause },
    )
  }
  return { path, bytes: content.length, copied: true }
}
