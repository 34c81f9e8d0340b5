import { expect, it } from 'vitest'
import { createNpy, readNpy } from './npy.ts'

const fault = (reason: string): Error => new Error(reason)

it('writes the header that NumPy writes', () => {
  const { bytes, at } = createNpy('<f4', [2, 3], 24)
  expect(at).toBe(128)
  expect(new TextDecoder('latin1').decode(bytes.subarray(1, 78))).toBe(
    "NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }         ",
  )
  expect(bytes[127]).toBe(10)
})

it('reads back what it wrote', () => {
  for (const shape of [[2, 3], [5], [0, 384]])
    expect(readNpy(createNpy('<f8', shape, 0).bytes, fault)).toMatchObject({ descr: '<f8', shape })
})

it('refuses other bytes, cut headers, Fortran order and objects', () => {
  const { bytes } = createNpy('<f4', [1, 1], 4),
    changed = (from: string, to: string) =>
      Uint8Array.from(
        new TextDecoder('latin1').decode(bytes).replace(from, to),
        (c) => c.charCodeAt(0) & 255,
      )
  expect(() => readNpy(new Uint8Array(20), fault)).toThrow('magic')
  expect(() => readNpy(bytes.subarray(0, 40), fault)).toThrow('ends inside')
  expect(() => readNpy(changed('False', 'True '), fault)).toThrow('plain values')
  expect(() => readNpy(changed("'<f4'", '[obj]'), fault)).toThrow('plain values')
})
