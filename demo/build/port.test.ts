import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { PORT, portOf, portProblem } from './port.mjs'

describe('the port of the demo', () => {
  it('is the usual one, or the one that is named', () => {
    expect(
      [
        [],
        ['--open'],
        ['--port', '5000'],
        ['--port=5001', '--open'],
        ['--port', '1', '--port', '65535'],
      ].map((args) => portOf(args)),
    ).toEqual([PORT, PORT, 5000, 5001, 65535])
  })

  it('is refused in words where it is none', () => {
    for (const args of [
      ['--port'],
      ['--port='],
      ['--port', '0'],
      ['--port', '65536'],
      ['--port', '80a'],
      ['--port', '-1'],
      ['--port', '1e3'],
      ['--port', '--open'],
    ])
      expect(() => portOf(args), args.join(' ')).toThrow(
        /takes a whole number from 1 to 65535.*npm run demo -- --port \d+/,
      )
  })

  it('where it is taken, is named with the remedy before anything is built, and without a stack', async () => {
    const holder = createServer()
    await new Promise<void>((resolve) => {
      holder.listen(0, '127.0.0.1', resolve)
    })
    const { port } = holder.address() as AddressInfo
    expect(await portProblem(port)).toMatch(
      new RegExp(
        `^Port ${String(port)} of this machine is taken.*\\n {2}npm run demo -- --port ${String(PORT)}\\n`,
      ),
    )
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [fileURLToPath(new URL('../serve.mjs', import.meta.url)), '--port', String(port)],
      { encoding: 'utf8' },
    )
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`Port ${String(port)} of this machine is taken`)
    expect(stderr).not.toMatch(/\n\s+at /)
    await new Promise((resolve) => {
      holder.close(resolve)
    })
    expect(await portProblem(port)).toBeNull()
  })
})
