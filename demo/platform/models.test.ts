import { describe, expect, it } from 'vitest'
import { mayFetch, modelName, modelTrouble, readAddress } from './models.ts'
import { DEFAULTS, type ModelChoice } from './settings.ts'

const BASE = 'https://docs.example/demo/'
const server = (url: string): ModelChoice => ({ ...DEFAULTS.model, kind: 'server', url, name: 'm' })

describe('the choice of a language model', () => {
  it('is off at first', () => {
    expect(DEFAULTS.model.kind).toBe('off')
    expect(modelTrouble(DEFAULTS.model, BASE, [], false)).toBeNull()
  })

  it("stays with the page's own address unless the build names another", () => {
    expect(modelTrouble(server('/v1'), BASE, [], false)).toBeNull()
    expect(modelTrouble(server('http://127.0.0.1:11434/v1'), BASE, [], false)).toContain(
      'its own address only',
    )
    expect(
      modelTrouble(server('http://127.0.0.1:11434/v1'), BASE, ['https://other.example'], false),
    ).toContain('--connect http://127.0.0.1:11434')
    expect(
      modelTrouble(server('http://127.0.0.1:11434/v1'), BASE, ['http://127.0.0.1:11434'], false),
    ).toBeNull()
  })

  it('says what is missing', () => {
    expect(modelTrouble(server(''), BASE, [], false)).toContain('address')
    expect(modelTrouble(server('javascript:alert(1)'), BASE, [], false)).toContain('address')
    expect(modelTrouble({ ...server('/v1'), name: ' ' }, BASE, [], false)).toContain(
      'name of the model',
    )
    expect(modelTrouble({ ...DEFAULTS.model, kind: 'browser' }, BASE, [], false)).toContain(
      'Chrome',
    )
    expect(modelTrouble({ ...DEFAULTS.model, kind: 'browser' }, BASE, [], true)).toBeNull()
  })

  it('is named by model and host', () => {
    expect(modelName(server('/v1'), BASE)).toBe('m at docs.example')
  })
})

describe('addresses', () => {
  it('are of the web, and compared by origin', () => {
    expect(readAddress('a.hubmesh', BASE)?.href).toBe('https://docs.example/demo/a.hubmesh')
    for (const bad of ['data:text/plain,x', 'file:///a', 'http://'])
      expect(readAddress(bad, BASE), bad).toBeNull()
    expect(mayFetch(new URL('https://docs.example.evil/'), 'https://docs.example', [])).toBe(false)
  })
})
