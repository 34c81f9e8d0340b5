import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { demoConfig } from './config.ts'

const stores = new URL('../../src/compat/stores/', import.meta.url)

it('the page bundles no client of a server, whose own imports need not be installed', () => {
  const sources = readdirSync(stores, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const clients = sources.flatMap((name) =>
    [...readFileSync(new URL(name, stores), 'utf8').matchAll(/loadClient\('([^']+)'/g)].map(
      (found) => found[1],
    ),
  )
  expect(clients.length).toBeGreaterThan(0)
  expect(demoConfig.build?.rolldownOptions?.external).toEqual(expect.arrayContaining(clients))
})
