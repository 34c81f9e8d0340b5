/** The packages whose code a build takes in, and the text of their licences. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = join(root, '.cache/licences')

/** Licences that ask for no more than their text and a name. */
const ALLOWED =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|Unlicense|CC0-1\.0|BlueOak-1\.0\.0)\b/
/** What a package carries inside its own bundle, where no module names it. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  '@xenova/transformers': ['@huggingface/jinja', '@huggingface/tokenizers'],
}
/** Packages of one project whose folders hold no licence. */
const TEXTS: Readonly<Record<string, string>> = {
  'onnxruntime-web': 'onnxruntime.txt',
  'onnxruntime-common': 'onnxruntime.txt',
}

/** Writes the names of a build's packages to .cache/licences/NAME.json. */
export function recordPackages(name: string): Plugin {
  return {
    name: 'hubmesh-licences',
    generateBundle(_options, bundle) {
      const found = new Set<string>()
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk')
          for (const id of Object.keys(chunk.modules)) {
            const place = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/'))
            if (place === null) continue
            found.add(place[0])
            for (const inside of INSIDE[place[1]!] ?? [])
              found.add(`${join(root, 'node_modules', inside)}/`)
          }
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${name}.json`), JSON.stringify([...found].sort()))
    },
  }
}

/** All that was recorded as one text. Throws where a licence is missing or asks for more. */
export function licencesText(names: readonly string[]): string {
  const folders = new Set(
    names.flatMap(
      (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as string[],
    ),
  )
  const parts = [...folders].map(licenceOf).sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    'The code of these packages is in this folder.',
    ...parts.map(([, text]) => text),
    '',
  ].join('\n\n')
}

function licenceOf(at: string): [name: string, text: string] {
  const { name, version, license, homepage } = JSON.parse(
    readFileSync(join(at, 'package.json'), 'utf8'),
  ) as Record<'name' | 'version' | 'license' | 'homepage', string | undefined>
  const head = `== ${name} ${version} (${license})${homepage === undefined ? '' : `, ${homepage}`}`
  if (!ALLOWED.test(String(license)))
    throw new Error(`${name} is under ${license}, which the package cannot carry. Leave it out.`)
  const file = readdirSync(at).find((entry) => /^(licen[cs]e|copying)/i.test(entry))
  const own = TEXTS[name!]
  const text =
    own !== undefined
      ? join(root, 'scripts/build/licences', own)
      : file === undefined
        ? ''
        : join(at, file)
  if (!existsSync(text))
    throw new Error(`${name} has no licence file; put its text into scripts/build/licences.`)
  return [`${name}@${version}`, `${head}\n\n${readFileSync(text, 'utf8').trim()}`]
}
