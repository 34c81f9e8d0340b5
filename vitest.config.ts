import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'workers/**/*.test.ts',
      'demo/**/*.test.ts',
      'scripts/**/*.test.ts',
      'e2e/run/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    testTimeout: 60_000,
    maxWorkers: 2,
  },
})
