/**
 * A browser that can be killed: Chromium with a profile of its own, in a process group of its own,
 * driven over its debugging port.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { BROWSER } from '../../playwright.config.ts'
import { BROWSER_ARGS } from '../../run/find_browser.mjs'

const START_MS = 60_000,
  POLL_MS = 10

export interface Run {
  readonly browser: Browser
  readonly context: BrowserContext
  readonly page: Page
  /**
   * SIGKILL to the whole group: browser, renderers, storage and network processes at once. Resolves
   * when none is left.
   */
  kill(): Promise<void>
  /** The orderly way. */
  close(): Promise<void>
}

export class Profile {
  private readonly running = new Set<Run>()

  constructor(readonly folder: string) {}

  /**
   * Opens the profile; it must not be open. `prepare` is called before the first page of the run is
   * used.
   */
  async open(prepare?: (context: BrowserContext) => Promise<void>): Promise<Run> {
    const port = join(this.folder, 'DevToolsActivePort')
    rmSync(port, { force: true })
    // Left by a browser that was killed; it is a symbolic link to a host and a process that are
    // gone.
    if (lstatSync(join(this.folder, 'SingletonLock'), { throwIfNoEntry: false }) !== undefined)
      rmSync(join(this.folder, 'SingletonLock'), { force: true })
    const child = spawn(
      BROWSER,
      [
        '--headless=new',
        `--user-data-dir=${this.folder}`,
        '--remote-debugging-port=0',
        ...BROWSER_ARGS,
        '--no-default-browser-check',
        '--disable-default-apps',
        '--disable-extensions',
        '--disable-breakpad',
        '--mute-audio',
        '--no-startup-window',
      ],
      { detached: true, stdio: 'ignore' },
    )
    const group = child.pid
    if (group === undefined) throw new Error(`${BROWSER} could not be started.`)
    try {
      await until(
        () => existsSync(port) && readFileSync(port, 'utf8').split('\n').length >= 2,
        child,
      )
      const [number, path] = readFileSync(port, 'utf8').split('\n') as [string, string]
      const browser = await chromium.connectOverCDP(`ws://127.0.0.1:${number}${path}`)
      const context = browser.contexts()[0]!
      await prepare?.(context)
      const page = await context.newPage()
      const run: Run = {
        browser,
        context,
        page,
        kill: async () => {
          this.running.delete(run)
          await killGroup(group)
          await browser.close().catch(() => undefined)
        },
        close: async () => {
          this.running.delete(run)
          const session = await browser.newBrowserCDPSession()
          await session.send('Browser.close').catch(() => undefined)
          await until(() => child.exitCode !== null || child.signalCode !== null)
          await killGroup(group)
          await browser.close().catch(() => undefined)
        },
      }
      this.running.add(run)
      return run
    } catch (error) {
      await killGroup(group)
      throw error
    }
  }

  /** Ends what is still open. */
  async end(): Promise<void> {
    for (const run of [...this.running]) await run.kill()
  }
}

async function killGroup(group: number): Promise<void> {
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-group, name)
    } catch {
      return false
    }
  }
  signal('SIGKILL')
  await until(() => !signal(0))
}

async function until(holds: () => boolean, child?: ChildProcess): Promise<void> {
  const started = performance.now()
  while (!holds()) {
    if (child !== undefined && child.exitCode !== null)
      throw new Error(`The browser ended with code ${String(child.exitCode)} while it started.`)
    if (performance.now() - started > START_MS)
      throw new Error(`The browser did not do as it was told within ${String(START_MS)} ms.`)
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS)
    })
  }
}
