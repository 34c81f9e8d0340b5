import { defineConfig } from 'vite'
import { demoConfig } from './demo/build/config.ts'

export default defineConfig(() => demoConfig)
