/**
 * The package as others receive it: what is in the tarball, its types under two compilers, its
 * import on a server, its weight. `npm run test:package`.
 */
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleSizes } from '../../scripts/build/package/bundle_sizes.mjs'
import { entryNames } from '../../scripts/build/package/entry_names.mjs'
import { install, pack, ROOT, run, runChecks } from '../../scripts/build/package/pack.mjs'
import { sideEffects } from '../../scripts/build/package/side_effects.mjs'

const folder = mkdtempSync(join(tmpdir(), 'hubmesh-package-'))
const app = join(folder, 'app'),
  bin = (path) => join(ROOT, 'node_modules', path)
/** The newest compiler there is, and the one of two years before. */
const COMPILERS = [
  ['newest', 'typescript-newest', 'npm:typescript@latest'],
  ['two years old', 'typescript-old', 'npm:typescript@5.6.3'],
]
/** How an app resolves modules, and whether it looks into the declarations of others. */
const SETTINGS = [
  ['bundler', 'ESNext', false],
  ['bundler', 'ESNext', true],
  ['nodenext', 'NodeNext', false],
  ['nodenext', 'NodeNext', true],
]
/** An install of the package alone: what it may bring. */
const MOST_PACKAGES = 12,
  MOST_BYTES = 60e6
/** One page with one line; a reader finds its objects without a table of them. */
const LINE = 'BT /F1 12 Tf 72 700 Td (Ada Lovelace wrote a program for Babbage.) Tj ET'
const PDF = [
  '%PDF-1.4',
  '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
  '2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj',
  '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R',
  '/Resources<</Font<</F1 5 0 R>>>>>> endobj',
  `4 0 obj <</Length ${String(LINE.length)}>> stream`,
  LINE,
  'endstream endobj',
  '5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj',
  'trailer <</Size 6/Root 1 0 R>>',
  '%%EOF',
].join('\n')
let tarball = ''

/** An install of the package alone; throws where it brings more than it may. */
function weigh(modules) {
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')),
    packages = Object.values(lock.packages)
  const bytes = readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  if (packages.length > MOST_PACKAGES || bytes > MOST_BYTES)
    throw new Error(`The install is ${packages.length} packages of ${bytes} bytes.`)
  const scripts = packages.filter(({ hasInstallScript }) => hasInstallScript)
  if (scripts.length > 0) throw new Error('A package of the install has an install script.')
  return `${packages.length} package, ${(bytes / 1e6).toFixed(1)} MB`
}

function compile(compiler, moduleResolution, module, skipLibCheck) {
  writeFileSync(
    join(app, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        target: 'ES2022',
        lib: ['ES2022', 'DOM', 'DOM.Iterable'],
        types: ['node'],
        module,
        moduleResolution,
        skipLibCheck,
      },
      files: ['page.ts', 'node.ts'],
    }),
  )
  const { version } = JSON.parse(
    readFileSync(join(app, 'node_modules', compiler, 'package.json'), 'utf8'),
  )
  run(process.execPath, [join(app, 'node_modules', compiler, 'bin/tsc'), '-p', app], app)
  return `TypeScript ${version}`
}

await runChecks([
  [
    'the package is packed',
    () => {
      tarball = pack(folder)
    },
  ],
  [
    'publint --strict finds nothing',
    () => {
      run(process.execPath, [bin('publint/src/cli.js'), tarball, '--strict'], ROOT)
    },
  ],
  [
    'attw finds nothing',
    () => {
      run(process.execPath, [bin('@arethetypeswrong/cli/dist/index.js'), tarball], ROOT)
    },
  ],
  [
    'the tarball installs without install scripts',
    () => {
      install(app, [
        tarball,
        '@types/node@20',
        ...COMPILERS.map(([, name, from]) => `${name}@${from}`),
      ])
      for (const file of ['page.ts', 'node.ts'])
        cpSync(join(ROOT, 'e2e/consumers/types', file), join(app, file))
    },
  ],
  [
    'each entry exports the names of its types, and no others',
    () => entryNames(join(app, 'node_modules/hubmesh')),
  ],
  [
    'an install of it alone works without a network, is light and runs no script',
    () => {
      const again = join(folder, 'offline')
      install(again, ['--offline', tarball])
      return weigh(join(again, 'node_modules'))
    },
  ],
  [
    'the installed command reads a PDF, whose parser is a file of the package',
    () => {
      writeFileSync(join(app, 'page.pdf'), PDF)
      const command = join(app, 'node_modules/hubmesh/dist/node/cli.js'),
        args = ['index', 'page.pdf', '-o', 'page.hubmesh', '--text-only', '--strict']
      const said = run(process.execPath, [command, ...args, '--json'], app)
      if (!/"passages": ?1\b/.test(said)) throw new Error(`It said: ${said}`)
    },
  ],
  ...COMPILERS.flatMap(([age, name]) =>
    SETTINGS.map(([resolution, module, skipLibCheck]) => [
      `types hold for the ${age} TypeScript, ${resolution}, skipLibCheck ${String(skipLibCheck)}`,
      () => compile(name, resolution, module, skipLibCheck),
    ]),
  ),
  ...[
    'hubmesh',
    'hubmesh/engine',
    'hubmesh/inline',
    'hubmesh/chat',
    'hubmesh/stores',
    'hubmesh/browser',
    'hubmesh/browser/inline',
    'hubmesh/browser/chat',
  ].map((entry) => [
    `a server imports ${entry} without a side effect, a window or anything else of a page`,
    () => sideEffects(app, entry),
  ]),
  [
    'each bundle keeps its budget',
    async () => {
      await bundleSizes(app, join(ROOT, '.cache/size'))
      return run(process.execPath, [bin('size-limit/bin.js')], ROOT).trim()
    },
  ],
])
rmSync(folder, { recursive: true, force: true })
