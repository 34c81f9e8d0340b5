/**
 * Owns which build is which: the page (no mode), and the package's trees by `--mode library |
 * browser | node`. Refuses: how either is done.
 */
import { defineConfig } from 'vite'
import { demoConfig } from './demo/build/config.ts'
import { LIBRARY } from './scripts/build/build_library.ts'

export default defineConfig(({ mode }) => LIBRARY.get(mode) ?? demoConfig)
