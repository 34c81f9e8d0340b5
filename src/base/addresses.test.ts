import { describe, expect, it } from 'vitest'
import { isPlace, originOf } from './addresses.ts'

describe('addresses', () => {
  it.each([
    'https://example.org/a',
    'http://127.0.0.1:8000/a',
    'tauri://localhost/a',
    'capacitor://localhost/a',
    'ionic://localhost/a',
    'app://-/a',
    'chrome-extension://abc/a',
    'moz-extension://0-1/a',
  ])('files can lie at %s', (address) => {
    const url = new URL(address)
    expect(isPlace(url)).toBe(true)
    expect(address).toBe(`${originOf(url)}/a`)
  })

  it.each([
    'javascript:alert(1)',
    'data:,x',
    'file:///etc/passwd',
    'blob:https://a/b',
    'about:blank',
  ])('nothing is fetched from %s', (address) => {
    expect(isPlace(new URL(address))).toBe(false)
  })
})
