/** How the page is built and served. */
import { fileURLToPath } from 'node:url'
import preact from '@preact/preset-vite'
import { defaultClientConditions } from 'vite'
import type { UserConfig } from 'vite'
import { connectOrigins, tellOrigins } from './connect.ts'
import { developmentPolicy, pageHeaders, strictPolicy } from './csp.ts'
import { copyRuntime } from './runtime_assets.ts'
import { offlineList } from './offline_list.ts'
import { PORT } from './port.mjs'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** `npm run demo -- --connect ORIGIN` sets it. */
const origins = connectOrigins(process.env['HUBMESH_DEMO_CONNECT'])

/** Vite's configuration of the page; paths are absolute, so it can be used from any root. */
export const demoConfig: UserConfig = {
  root: path('..'),
  // Below any path of any host.
  base: './',
  publicDir: path('../../public'),
  cacheDir: path('../../.cache/vite-demo'),
  plugins: [
    preact({ reactAliasesEnabled: false }),
    copyRuntime(),
    tellOrigins(origins),
    offlineList(),
  ],
  resolve: {
    // The plain wasm runtime is half the size of the WebGPU one (14.3 against 26.9 MB) and faster
    // on a processor.
    alias: [{ find: 'onnxruntime-web/webgpu', replacement: 'onnxruntime-web/wasm' }],
    // Its build without embedded wasm: the worker hands over bytes that it verified, from ort/.
    conditions: ['onnxruntime-web-use-extern-wasm', ...defaultClientConditions],
  },
  worker: { format: 'es' },
  build: {
    outDir: path('../../dist-demo'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 3000,
    // Clients of servers, which this page has none of: the library imports them when a store of
    // theirs is connected.
    rolldownOptions: {
      external: ['chromadb', '@qdrant/js-client-rest'],
      checks: { pluginTimings: false },
    },
  },
  server: {
    host: '127.0.0.1',
    port: PORT,
    strictPort: true,
    headers: pageHeaders(developmentPolicy(origins)),
  },
  preview: {
    host: '127.0.0.1',
    port: PORT,
    strictPort: true,
    headers: pageHeaders(strictPolicy(origins)),
  },
}
