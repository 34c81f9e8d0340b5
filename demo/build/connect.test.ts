import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { connectOrigins, EMPTY, tellOrigins } from './connect.ts'
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

  it('are told to the page', () => {
    const html = readFileSync(new URL('../index.html', import.meta.url), 'utf8'),
      tell = tellOrigins(['http://127.0.0.1:9']).transformIndexHtml as (html: string) => string
    expect(html.split(EMPTY)).toHaveLength(2)
    expect(tell(html)).toContain('<meta name="hubmesh-connect" content="http://127.0.0.1:9">')
  })
})
