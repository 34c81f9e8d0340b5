/** Registers the storage contract with the test runner. */
import { describe, it } from 'vitest'
import { STORAGE_CASES, type StoragePlace } from './testing/storage_contract.ts'

/** Runs the contract over a storage; `make` gives a fresh place for each case. */
export function describeStorage(
  name: string,
  make: () => StoragePlace | Promise<StoragePlace>,
): void {
  describe(`${name} keeps the contract of a storage`, () => {
    it.each(STORAGE_CASES.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
      await one.run(await make())
    })
  })
}
