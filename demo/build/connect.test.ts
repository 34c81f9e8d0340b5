import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { connectOrigins, EMPTY, told } from './connect.ts'
import { strictPolicy } from './csp.ts'

describe('other origins of a build', () => {
  it('are none unless who builds it names them, and then those alone', () => {
    expect(connectOrigins(undefined)).toEqual([])
    expect(strictPolicy(connectOrigins(''))).toBe(strictPolicy())
    const named = connectOrigins('http://127.0.0.1:11434, https://models.example/')
    expect(strictPolicy(named)).toBe(
      strictPolicy().replace(
        "connect-src 'self'",
        "connect-src 'self' http://127.0.0.1:11434 https://models.example",
      ),
    )
  })

  it('are refused where they would widen the policy further', () => {
    for (const bad of [
      '*',
      'https://*.example',
      'https:',
      'data:',
      "'unsafe-eval'",
      'https://a.example/path',
      'http://a.example;script-src',
      'ftp://a.example',
    ])
      expect(() => connectOrigins(bad), bad).toThrow('no origin')
  })

  it('are told to the page, and allowed by its own policy, once it is built', () => {
    const html = readFileSync(new URL('../index.html', import.meta.url), 'utf8')
    expect(html.split(EMPTY)).toHaveLength(2)
    const built = told(html, ['http://127.0.0.1:9'])
    expect(built).toContain('<meta name="hubmesh-connect" content="http://127.0.0.1:9">')
    expect(built).toContain("connect-src 'self' http://127.0.0.1:9;")
    expect(built).not.toContain('frame-ancestors')
    expect(built.indexOf('Content-Security-Policy')).toBeLessThan(built.indexOf('<script'))
    expect(told(built, [])).toBe(told(html, []))
    expect(told(html, [], false)).toBe(html)
  })
})
