/** The committed kernel is what its source compiles to. */
import { readFile } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { loadScanKernel, PlainKernel } from './scan_kernel.ts'
// @ts-expect-error A build script, without types.
import { buildKernel } from '../../scripts/build/build_kernel.mjs'

it('is what its source compiles to', async () => {
  expect(await (buildKernel as () => Promise<string>)()).toBe(
    await readFile(new URL('./kernel_wasm.ts', import.meta.url), 'utf8'),
  )
})

it('sums the extremes exactly as the plain loop does', async () => {
  const width = 96
  const { kernel } = await loadScanKernel(width)
  const plain = new PlainKernel(width)
  expect(kernel.simd).toBe(true)
  for (const each of [kernel, plain]) {
    each.reserve(5)
    ;[127, -127, 0, 1, -128].forEach((value, row) => {
      const { array, start } = each.place(row)
      array.fill(value, start, start + width)
    })
  }
  for (const value of [32767, -32767, 1]) {
    const query = new Int16Array(width).fill(value)
    kernel.setQuery(query)
    plain.setQuery(query)
    expect([...kernel.scan(0, 5).slice(0, 5)]).toEqual(
      [127, -127, 0, 1, -128].map((x) => x * value * width + 0),
    )
    expect(kernel.scan(0, 5).slice(0, 5)).toEqual(plain.scan(0, 5).slice(0, 5))
    expect(kernel.scan(3, 1)[0]).toBe(value * width)
  }
})

it('falls back to the plain loop where the page may not compile wasm, and says why', async () => {
  const compile = vi
    .spyOn(WebAssembly, 'instantiate')
    .mockRejectedValue(new WebAssembly.CompileError('refused by policy'))
  const { kernel, reason } = await loadScanKernel(16)
  compile.mockRestore()
  expect([kernel.simd, reason]).toEqual([
    false,
    "the page's Content-Security-Policy lacks 'wasm-unsafe-eval'",
  ])
})

it('falls back to the plain loop in an engine without wasm SIMD', async () => {
  const check = vi.spyOn(WebAssembly, 'validate').mockReturnValue(false)
  const { kernel, reason } = await loadScanKernel(16)
  check.mockRestore()
  expect([kernel.simd, reason]).toEqual([false, 'this engine has no wasm SIMD'])
})
