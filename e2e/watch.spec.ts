/**
 * The watch that every browser test runs under sees what it watches for: the control without which
 * a quiet suite would prove nothing.
 */
import { CSP_DIRECTIVES } from '../demo/build/csp.ts'
import { expect, test } from './support/test.ts'

test(
  'a breach of the policy in a page or in a worker, a request to elsewhere, and a changed ' +
    'Object.prototype are each noticed',
  async ({ page, api, watch }) => {
    // All that follows is provoked.
    for (const pattern of [
      /^policy: /,
      /^reported: /,
      /^console: /,
      /^request to http:\/\/127\.0\.0\.1:9\//,
      /^Object\.prototype/,
    ])
      watch.expectError(pattern)
    const all = watch.everything()
    await page.goto(`${api.origin}/`)
    await page.waitForFunction(() => (globalThis as { appReady?: boolean }).appReady === true)
    expect(all(), 'the app itself does none of it').toEqual([])

    const outcome = await page.evaluate(async () => {
      const blocked = async (run: () => unknown): Promise<string> => {
        try {
          await run()
          return 'allowed'
        } catch (error) {
          return (error as Error).name
        }
      }
      const inline = document.createElement('script')
      const assigned = await blocked(() => {
        inline.text = 'globalThis.hacked = 1'
      })
      const fetched = await blocked(() => fetch('http://127.0.0.1:9/'))
      const element = document.createElement('img')
      element.src = 'http://127.0.0.1:9/pixel'
      document.body.append(element)
      return { assigned, fetched, hacked: (globalThis as { hacked?: number }).hacked ?? null }
    })
    expect(outcome).toEqual({ assigned: 'TypeError', fetched: 'TypeError', hacked: null })
    await expect
      .poll(() =>
        all()
          .filter((problem) => problem.startsWith('policy: '))
          .map((problem) => problem.split(' ')[1])
          .sort()
          .join(),
      )
      .toMatch(/connect-src,img-src,require-trusted-types-for/)

    const reported = (): number =>
      all().filter(
        (problem) =>
          problem.startsWith('reported: ') &&
          problem.includes('connect-src') &&
          problem.includes('engine.worker'),
      ).length
    await page.evaluate(async () => {
      await openEngine()
    })
    const worker = page.workers().find((one) => one.url().includes('engine.worker'))!
    expect(
      await worker.evaluate(() =>
        fetch('http://127.0.0.1:9/').then(
          () => 'allowed',
          (error: Error) => error.name,
        ),
      ),
    ).toBe('TypeError')
    await expect.poll(reported).toBeGreaterThan(0)

    await page.evaluate(() => {
      Object.defineProperty(Object.prototype, 'polluted', { value: 1, configurable: true })
    })
    await worker.evaluate(() => {
      Object.defineProperty(Object.prototype, 'polluted', { value: 1, configurable: true })
    })
    await watch.inspect(page)
    expect(
      all()
        .filter((problem) => problem.startsWith('Object.prototype'))
        .map((problem) => problem.split(' has ')[0]),
    ).toEqual(['Object.prototype', 'Object.prototype of a worker'])
  },
)

test('every answer of the servers carries the one policy, with Trusted Types', async ({
  request,
  api,
  demo,
}) => {
  const policy = [...CSP_DIRECTIVES].map(([name, value]) => `${name} ${value}`).join('; ')
  for (const url of [
    `${demo.origin}/`,
    `${demo.origin}/sw.js`,
    `${api.origin}/hubmesh/engine.worker.js`,
    `${api.origin}/nowhere`,
  ]) {
    const response = await request.get(url)
    expect(response.headers()['content-security-policy'], url).toBe(
      `${policy}; report-uri /policy-breach`,
    )
    expect(response.headers()['x-content-type-options'], url).toBe('nosniff')
  }
})
