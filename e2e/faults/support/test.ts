/**
 * What fault tests share: a build and a server of their own, a profile that can be killed, and how
 * many rounds there are.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '../../support/test.ts'
import type { Page } from '@playwright/test'
import type { TestServer } from '../../support/server.ts'
import { faultBuild, serveFaults } from './build.ts'
import { Profile } from './profile.ts'

/** All rounds, by `npm run test:faults -- --full`. */
export const FULL = process.env['HUBMESH_FAULTS_FULL'] === '1'
/** Moments of the faults follow from it; printed by each test that uses it. */
export const SEED = Number(process.env['HUBMESH_FAULTS_SEED'] ?? 1)

interface WorkerFixtures {
  readonly build: string
  readonly site: TestServer
}

interface TestFixtures {
  readonly profile: Profile
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  build: [
    async ({}, use) => {
      await use(await faultBuild())
    },
    { scope: 'worker', timeout: 300_000 },
  ],

  site: [
    async ({ build }, use) => {
      const server = await serveFaults(build)
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],

  profile: async ({ watch, site }, use) => {
    watch.trust(site)
    // Not among the test results: the next run of any tests here clears those, also under a browser
    // that is open.
    const folder = mkdtempSync(join(tmpdir(), 'hubmesh-profile-'))
    const profile = new Profile(folder)
    await use(profile)
    await profile.end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  },
})

export { expect } from '../../support/test.ts'

export async function openInside(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/faults/`)
  await page.waitForFunction(() => globalThis.insideReady === true)
}
