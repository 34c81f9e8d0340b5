import { describe, expect, it } from 'vitest'
import { CSP_DIRECTIVES, developmentPolicy, strictPolicy } from './csp.ts'

describe('the content security policy of the page', () => {
  it('allows no inline code, no inline style, no eval and no other origin', () => {
    const policy = strictPolicy()
    expect(policy).not.toContain('unsafe-inline')
    expect(policy).not.toContain("'unsafe-eval'")
    expect(policy).not.toMatch(/https?:|\*/)
    expect(
      policy.startsWith(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; " +
          "connect-src 'self'; style-src 'self'; img-src 'self' data:;",
      ),
    ).toBe(true)
    expect(policy.endsWith("require-trusted-types-for 'script'; trusted-types hubmesh")).toBe(true)
  })

  it('is widened for development only in the named directives', () => {
    const changed = [...CSP_DIRECTIVES]
      .filter(([name, value]) => !developmentPolicy().split('; ').includes(`${name} ${value}`))
      .map(([name]) => name)
    expect(changed).toEqual([
      'script-src',
      'connect-src',
      'style-src',
      'require-trusted-types-for',
      'trusted-types',
    ])
  })
})
