/** The bill of materials of a build, CycloneDX 1.5: the bundled packages with licence and hash. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundledPackages } from './licences.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>
}

/**
 * As JSON, the same bytes for the same build: no date and no serial number. `names` are the builds
 * whose packages were recorded. A package inside another's bundle has no hash of its own.
 */
export function sbomOf(names: readonly string[]): string {
  const own = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
      readonly name: string
      readonly version: string
      readonly license: string
    },
    { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as Lock
  const components = bundledPackages(names).map(({ at, name, version, license }) => {
    const integrity = packages[at.slice(root.length).replace(/\/$/, '')]?.integrity,
      purl = purlOf(name, version)
    return {
      type: 'library',
      'bom-ref': purl,
      name,
      version,
      purl,
      licenses: [{ license: { id: license } }],
      ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
    }
  })
  const purl = purlOf(own.name, own.version)
  return `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      version: 1,
      metadata: {
        component: {
          ...{ type: 'library', 'bom-ref': purl, name: own.name, version: own.version, purl },
          licenses: [{ license: { id: own.license } }],
        },
      },
      components,
      dependencies: [{ ref: purl, dependsOn: components.map((component) => component['bom-ref']) }],
    },
    null,
    1,
  )}\n`
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** The lock file's `sha512-BASE64` as CycloneDX writes it. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [alg = '', content = ''] = integrity.split('-')
  return {
    alg: alg.replace('sha', 'SHA-'),
    content: Buffer.from(content, 'base64').toString('hex'),
  }
}
