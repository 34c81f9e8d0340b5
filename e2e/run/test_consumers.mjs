/**
 * The package in other people's apps: packed once, installed, built by each bundler, driven in a
 * browser. `npm run test:consumers`, with words of names to run fewer.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { background, freePort, makeApps } from '../consumers/apps.mjs'
import { driveApp, inPage, resultOf, startBrowser } from '../consumers/drive.mjs'
import { policy, serve } from '../consumers/serve.mjs'
import { ensureBrowser } from './find_browser.mjs'
import { install, pack, runChecks } from '../../scripts/build/package/pack.mjs'

/**
 * Versions are named, so that a run tells of this package, not of yesterday's release of another.
 */
const VITE = 'vite@8.4.0',
  WEBPACK = ['webpack@5.113.0', 'webpack-cli@7.3.1'],
  NEXT = ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
  ESBUILD = 'esbuild@0.28.2'
const QUIET = { NEXT_TELEMETRY_DISABLED: '1' }

ensureBrowser()
const folder = mkdtempSync(join(tmpdir(), 'hubmesh-consumers-')),
  base = join(folder, 'base')
const { app, bin, assets } = makeApps(folder, base)
const known = {}
let browser, viteApp, plainApp

/** Serves `at` while `work` drives it. */
async function served(at, options, work) {
  const server = await serve(at, options)
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}
const drive = (at, options = {}, path = '/') =>
  served(at, options, ({ origin }) => driveApp(browser, `${origin}${path}`, known, options))

async function driveNext(at, flag) {
  bin(at, 'next/dist/bin/next', ['build', ...flag], QUIET)
  const port = await freePort(),
    url = `http://127.0.0.1:${String(port)}/`
  const server = await background(
    at,
    [join(at, 'node_modules/next/dist/bin/next'), 'start', '-H', '127.0.0.1', '-p', String(port)],
    url,
    QUIET,
  )
  try {
    assert.match(
      await (await fetch(url)).text(),
      /id="server"/,
      'the page is rendered on the server',
    )
    return await driveApp(browser, url, known)
  } finally {
    server.end()
  }
}

const checks = [
  [
    'setup: the package is packed and installed, the browser starts',
    async () => {
      install(base, [pack(folder)])
      browser = await startBrowser()
    },
  ],
  [
    'script tag: dist/browser copied, under a strict policy',
    async () => {
      plainApp = app('plain')
      cpSync(join(plainApp, 'node_modules/hubmesh/dist/browser'), join(plainApp, 'www/hubmesh'), {
        recursive: true,
      })
      for (const file of ['index.html', 'main.js', 'films.js'])
        cpSync(join(plainApp, file), join(plainApp, 'www', file))
      assets(plainApp, 'www')
      return drive(join(plainApp, 'www'))
    },
  ],
  [
    "script tag: without the model's files the error names the remedy",
    () =>
      served(join(plainApp, 'www'), {}, ({ origin }) =>
        inPage(
          browser,
          `${origin}/?model=/missing/all-MiniLM-L6-v2/`,
          { expected: [/404/] },
          async (page) => {
            const { error } = await resultOf(page)
            assert.equal(error?.code, 'model/fetch')
            assert.match(error.message, /hubmesh assets/)
          },
        ),
      ),
  ],
  [
    'workers made by the page: Trusted Types with a policy of its own',
    () => {
      const at = join(plainApp, 'factories')
      cpSync(join(plainApp, 'www'), at, { recursive: true })
      copyFixture('factories', at)
      return drive(at, {
        csp: policy({ 'require-trusted-types-for': "'script'", 'trusted-types': 'hubmesh' }),
      })
    },
  ],
  [
    'another origin: script, workers and model of it, by workers of the page',
    () =>
      served(join(plainApp, 'www'), { cors: true, csp: null }, (cdn) => {
        const at = join(plainApp, 'cross_origin')
        copyFixture('cross_origin', at)
        cpSync(join(plainApp, 'films.js'), join(at, 'films.js'))
        const html = readFileSync(join(at, 'index.html'), 'utf8')
        writeFileSync(
          join(at, 'index.html'),
          html.replace('<head>', `<head><base data-hubmesh="${cdn.origin}">`),
        )
        const csp = policy({
          'script-src': `'self' ${cdn.origin} 'wasm-unsafe-eval'`,
          'worker-src': `blob: ${cdn.origin}`,
          'connect-src': cdn.origin,
        })
        return drive(at, { csp, origins: [cdn.origin] })
      }),
  ],
  [
    'another origin: without workers of the page the error names the remedy',
    () =>
      served(join(plainApp, 'www'), { cors: true, csp: null }, (cdn) =>
        served(join(plainApp, 'cross_origin'), { csp: null }, async ({ origin }) => {
          const at = join(plainApp, 'cross_origin', 'index.html')
          writeFileSync(
            at,
            readFileSync(at, 'utf8').replace(
              /data-hubmesh="[^"]*"/,
              `data-hubmesh="${cdn.origin}"`,
            ),
          )
          return inPage(
            browser,
            `${origin}/?own`,
            { origins: [cdn.origin], expected: [/./] },
            async (page) => {
              const { error } = await resultOf(page)
              assert.equal(error?.code, 'worker/start-failed')
              assert.match(error.message, /`workers`/)
            },
          )
        }),
      ),
  ],
  [
    'Vite: build',
    () => {
      viteApp = app('vite', [VITE])
      assets(viteApp, 'public')
      bin(viteApp, 'vite/bin/vite.js', ['build', '--logLevel', 'warn'])
      return drive(join(viteApp, 'dist'))
    },
  ],
  [
    'Vite: dev server',
    async () => {
      const port = await freePort(),
        url = `http://127.0.0.1:${String(port)}/`
      const server = await background(
        viteApp,
        [
          join(viteApp, 'node_modules/vite/bin/vite.js'),
          '--host',
          '127.0.0.1',
          '--port',
          String(port),
          '--strictPort',
        ],
        url,
      )
      try {
        return await driveApp(browser, url, known)
      } finally {
        server.end()
      }
    },
  ],
  [
    'Vite: below a path',
    () => {
      bin(viteApp, 'vite/bin/vite.js', [
        'build',
        '--logLevel',
        'warn',
        '--base=/some/where/',
        '--outDir=below',
      ])
      return drive(join(viteApp, 'below'), { prefix: '/some/where/' }, '/some/where/')
    },
  ],
  [
    'Vite: with worker.format es, a worker is small before its lazy parts',
    async () => {
      writeFileSync(
        join(viteApp, 'vite.config.js'),
        "export default { worker: { format: 'es' } }\n",
      )
      bin(viteApp, 'vite/bin/vite.js', ['build', '--logLevel', 'warn', '--outDir=split'])
      const file = readdirSync(join(viteApp, 'split/assets')).find((name) =>
        /^engine\.worker.*\.js$/.test(name),
      )
      const bytes = gzipSync(readFileSync(join(viteApp, 'split/assets', file))).length
      assert.ok(bytes < 145_000, `${file} has ${String(bytes)} bytes, gzipped`)
      return `${file}: ${(bytes / 1000).toFixed(1)} kB gzipped; ${await drive(join(viteApp, 'split'))}`
    },
  ],
  [
    'webpack 5',
    () => {
      const at = app('webpack', WEBPACK)
      bin(at, 'webpack-cli/bin/cli.js', ['--mode=production'])
      cpSync(join(at, 'index.html'), join(at, 'dist/index.html'))
      assets(at, 'dist')
      return drive(join(at, 'dist'))
    },
  ],
  [
    'esbuild',
    () => {
      const at = app('esbuild', [ESBUILD])
      run_esbuild(at, [
        'app=src/main.js',
        'engine.worker=hubmesh/engine.worker.js',
        'embed.worker=hubmesh/embed.worker.js',
      ])
      cpSync(join(at, 'index.html'), join(at, 'www/index.html'))
      assets(at, 'www')
      return drive(join(at, 'www'))
    },
  ],
  [
    'hubmesh/inline, built: no worker file anywhere',
    () => {
      const at = app('inline', [ESBUILD])
      run_esbuild(at, ['main=main.js'])
      cpSync(join(at, 'index.html'), join(at, 'www/index.html'))
      assets(at, 'www')
      return drive(join(at, 'www'), { csp: policy({ 'worker-src': 'blob:' }) })
    },
  ],
  ...[
    ['turbopack', []],
    ['webpack', ['--webpack']],
  ].map(([name, flag], i) => [
    `Next: ${name}`,
    () => {
      const at = i === 0 ? app('next', NEXT) : join(folder, 'next')
      if (i === 0) assets(at, 'public')
      return driveNext(at, flag)
    },
  ]),
]

/** As the README has it. */
function run_esbuild(at, entries) {
  bin(at, 'esbuild/bin/esbuild', [
    ...entries,
    '--bundle',
    '--splitting',
    '--format=esm',
    '--minify',
    '--outdir=www',
    '--log-level=error',
  ])
}

function copyFixture(name, at) {
  cpSync(new URL(`../consumers/${name}/`, import.meta.url), at, { recursive: true })
}

const words = process.argv.slice(2).map((word) => word.toLowerCase())
await runChecks(
  checks.filter(
    ([name], i) =>
      words.length === 0 || i === 0 || words.some((word) => name.toLowerCase().includes(word)),
  ),
)
await browser?.close()
rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
