/**
 * The entry `hubmesh/vite`: a plugin that serves and copies the files a page needs, and keeps what
 * the workers load later in files of their own.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HubmeshError } from '../base/errors.ts'
import { ONNX_RUNTIME } from '../embed/manifests.ts'
import { onnxRuntimeFolder } from '../embed/node_runtimes.ts'
import { modelFolder } from '../registry/package_files.ts'

export interface HubmeshViteOptions {
  /** A model that comes with the package, or a folder; null for none. Default all-MiniLM-L6-v2. */
  readonly model?: string | null
}

interface Request {
  readonly url?: string | undefined
}
interface Response {
  setHeader(name: string, value: string): unknown
  end(body: Uint8Array): unknown
}
type Handler = (request: Request, response: Response, next: () => void) => void

/** The part of Vite's plugin that is used here, so that the types need no Vite. */
export interface HubmeshVitePlugin {
  readonly name: string
  config(): { readonly worker: { readonly format: 'es' } }
  configResolved(config: { readonly base: string; readonly build: { readonly ssr: unknown } }): void
  configureServer(server: { readonly middlewares: { use(handler: Handler): unknown } }): void
  generateBundle(this: {
    emitFile(file: { type: 'asset'; fileName: string; source: Uint8Array }): unknown
  }): void
}

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  mjs: 'text/javascript',
  wasm: 'application/wasm',
}

/**
 * `plugins: [hubmesh()]`: the model is at `models/NAME/` and ONNX Runtime at `ort/` below the base,
 * in development and in the build. Throws `input/invalid` where the model is not there.
 */
export function hubmesh({
  model = 'all-MiniLM-L6-v2',
}: HubmeshViteOptions = {}): HubmeshVitePlugin {
  if (model !== null && typeof model !== 'string')
    throw new HubmeshError(
      'input/invalid',
      'The option model of hubmesh/vite is the name of a model, a folder, or null for none.',
      { details: { option: 'model' } },
    )
  const files = model === null ? new Map<string, string>() : assetFiles(model)
  let base = '/',
    ssr = false
  return {
    name: 'hubmesh',
    config: () => ({ worker: { format: 'es' } }),
    configResolved(config) {
      base = config.base
      ssr = Boolean(config.build.ssr)
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const path = decodeURI((request.url ?? '').split(/[?#]/, 1)[0]!)
        const file = path.startsWith(base) ? files.get(path.slice(base.length)) : undefined
        if (file === undefined) {
          next()
          return
        }
        const type = TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
        response.setHeader('Content-Type', type)
        response.end(readFileSync(file))
      })
    },
    generateBundle() {
      if (ssr) return
      for (const [fileName, file] of files)
        this.emitFile({ type: 'asset', fileName, source: readFileSync(file) })
    },
  }
}

/** Address below the base, and the file that is served there. */
function assetFiles(model: string): Map<string, string> {
  const folder = modelFolder(model),
    name = folder.split(/[\\/]/).findLast((part) => part !== '')!,
    runtime = onnxRuntimeFolder()
  const ofModel = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => join(parentPath, file))
  return new Map([
    ...ofModel.map(
      (file) =>
        [
          `models/${name}${file.slice(folder.replace(/[\\/]$/, '').length)}`.replaceAll('\\', '/'),
          file,
        ] as const,
    ),
    ...ONNX_RUNTIME.files.map(({ path }) => [`ort/${path}`, join(runtime, path)] as const),
  ])
}

export default hubmesh
