import { describe, expect, it } from 'vitest'
import { nameOfArchive, readLink, writeLink } from './links.ts'

const PAGE = 'https://docs.example/demo/'

describe('links that open an archive', () => {
  it('are read as they were written', () => {
    for (const link of [
      {
        url: 'https://docs.example/files/hand%20book.hubmesh?v=2',
        question: 'Who & what = 1 + 1?',
      },
      { url: 'https://other.example/a.hubmesh', question: '' },
    ])
      expect(readLink(writeLink(PAGE, link))).toEqual(link)
    expect(writeLink(`${PAGE}#old`, { url: './a.hubmesh', question: '' })).toBe(
      'https://docs.example/demo/#open=%2Fdemo%2Fa.hubmesh',
    )
  })

  it('are none where nothing is to be opened', () => {
    for (const hash of ['', '#', '#source-3', '#open=', '#ask=hello', `#ask=${'y'.repeat(9000)}`])
      expect(readLink(PAGE + hash), hash).toBeNull()
  })

  it('are refused where no archive of the web is named, or more than a link of this page holds', () => {
    for (const address of [
      'javascript:alert(1)',
      'data:text/plain,x',
      'file:///etc/passwd',
      'blob:https://docs.example/1',
      'https://',
      'https://me:secret@docs.example/a.hubmesh',
    ])
      expect(
        readLink(`${PAGE}#${new URLSearchParams({ open: address }).toString()}`),
        address,
      ).toEqual({ refused: 'address' })
    for (const hash of [
      `#open=${'a'.repeat(10_000)}.hubmesh`,
      `#ask=hello&open=a&x=${'y'.repeat(9000)}`,
    ])
      expect(readLink(PAGE + hash)).toEqual({ refused: 'length' })
  })

  it('do not leave their origin by going up', () => {
    expect(readLink(`${PAGE}#open=..%2F..%2F..%2F..%2Fetc%2Fa.hubmesh`)).toEqual({
      url: 'https://docs.example/etc/a.hubmesh',
      question: '',
    })
  })

  it('give a corpus the name of the file', () => {
    expect([
      nameOfArchive('https://a.example/x/hand%20book.hubmesh'),
      nameOfArchive('films.HUBMESH'),
      nameOfArchive('https://a.example/'),
      nameOfArchive('%zz.hubmesh'),
    ]).toEqual(['hand book', 'films', 'a.example', '%zz'])
  })
})
