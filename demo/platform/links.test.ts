import { describe, expect, it } from 'vitest'
import { nameOfArchive, readLink, writeLink } from './links.ts'

const PAGE = 'https://docs.example/demo/'

describe('links that open an archive', () => {
  it('are read as they were written', () => {
    for (const link of [{ url: 'https://docs.example/files/hand%20book.hubmesh?v=2', question: 'Who & what = 1 + 1?' }, { url: 'https://other.example/a.hubmesh', question: '' }]) expect(readLink(writeLink(PAGE, link))).toEqual(link)
    expect(writeLink(`${PAGE}#old`, { url: './a.hubmesh', question: '' })).toBe('https://docs.example/demo/#open=%2Fdemo%2Fa.hubmesh')
  })

  it('are none where no archive of the web is named', () => {
    for (const hash of ['', '#', '#source-3', '#open=', '#open=javascript%3Aalert(1)', '#open=data%3Atext%2Fplain%2Cx', '#ask=hello', `#open=a&x=${'y'.repeat(9000)}`]) expect(readLink(PAGE + hash), hash).toBeNull()
  })

  it('give a corpus the name of the file', () => {
    expect([nameOfArchive('https://a.example/x/hand%20book.hubmesh'), nameOfArchive('films.HUBMESH'), nameOfArchive('https://a.example/'), nameOfArchive('%zz.hubmesh')]).toEqual(['hand book', 'films', 'a.example', '%zz'])
  })
})
