import { describe, expect, it } from 'vitest'
import { blocksOf, contains, fencesOf, fits } from './fences.ts'

const fence = (info: string, code = 'x', ticks = '```'): string => {
  const [, language, marks] = /^([a-z]*) ?(.*)$/.exec(info)!
  return `${marks === '' ? '' : `<!-- test: ${marks!} -->\n`}${ticks}${language!}\n${code}\n${ticks}\n`
}
const faults = (...fences: string[]): readonly string[] =>
  blocksOf('page.md', fences.join('\n')).faults

describe('a block of documentation', () => {
  it('is run as its mark says, with what stands around it', () => {
    const page = [
        'words\n',
        fence('js page given=engine,films under=trusted', 'a()'),
        fence('text', '1'),
        fence('sh run says="1 of \\"2\\"\\n3"', 'b'),
      ],
      { blocks, faults } = blocksOf('page.md', page.join('\n'))
    expect(faults).toEqual([])
    expect(
      blocks.map(({ name, way, given, code, prints, says }) => ({
        name,
        way,
        given,
        code,
        prints,
        says,
      })),
    ).toEqual([
      {
        name: 'page.md:4',
        way: 'page',
        given: ['engine', 'films'],
        code: 'a()',
        prints: '1',
        says: null,
      },
      { name: 'page.md:13', way: 'run', given: [], code: 'b', prints: null, says: '1 of "2"\n3' },
    ])
    expect(blocks[0]!.marks.get('under')).toBe('trusted')
  })

  it('that cannot run is left out for a reason', () => {
    expect(blocksOf('page.md', fence('sh shown="serves until it is told to end"'))).toEqual({
      blocks: [],
      faults: [],
    })
    for (const reason of ['shown', 'shown=""', 'shown=slow', 'shown="too slow" run'])
      expect(faults(fence(`sh ${reason}`)), reason).toHaveLength(1)
  })

  it('is refused without a mark, with one of another language, and with one that nobody knows', () => {
    for (const info of [
      '',
      'js',
      'sh',
      'json',
      'html',
      'js run',
      'sh page says=1',
      'ts page',
      'js node once',
      'js page at=clone',
      'json client says=1',
    ])
      expect(faults(fence(info)), info).toHaveLength(1)
    expect(faults(fence('js'))[0]).toBe(
      'page.md:1 is not marked: a js block takes page, node, shown="why it cannot run"',
    )
  })

  it('of a shell is refused where nothing says what it prints, and any where it is said twice', () => {
    expect(faults(fence('sh run'))).toHaveLength(1)
    expect(faults(fence('sh run'), fence('text'))).toEqual([])
    expect(faults(fence('js node prints="1"'), fence('text'))).toEqual([
      'page.md:2 says twice what it prints',
    ])
  })

  it('of text is an output only behind a block that runs', () => {
    expect(faults(fence('js node'), fence('text'), fence('text'))).toEqual([
      'page.md:10 is not marked: a text block takes shown="why it cannot run"',
    ])
    expect(faults(fence('js shown="a part of it"'), fence('text'))).toHaveLength(1)
  })

  it('is refused where readers of Markdown could take it otherwise', () => {
    expect(faults(`- item\n\n  ${fence('js page')}`).length).toBeGreaterThan(0)
    expect(faults(fence('js page', 'x', '````')).length).toBeGreaterThan(0)
    expect(faults(fence('js page', 'x', '~~~')).length).toBeGreaterThan(0)
    expect(faults('```js\nx')).toEqual(['page.md:1 opens a block that nothing closes'])
    expect(faults('```js page\nx\n```')).toEqual(['page.md:1 says more than its language: js page'])
    expect(faults('<!-- test: page -->\n\n```js\nx\n```')).toHaveLength(2)
    for (const info of ['js page page', 'js page prints="1', 'js page prints=a"b"'])
      expect(faults(fence(info)), info).toHaveLength(1)
  })

  it('holds its code as it stands', () => {
    expect(fencesOf(fence('js page', 'a\n\n  b `c`')).fences).toEqual([
      { line: 2, language: 'js', marks: new Map([['page', '']]), code: 'a\n\n  b `c`' },
    ])
  })
})

describe('what is printed', () => {
  it('is what the page says, where … stands for anything', () => {
    expect(fits('a 12 b\nc', 'a … b\nc')).toBe(true)
    expect(fits('a b', 'a b')).toBe(true)
    expect(fits('ab', 'a…b…')).toBe(true)
    for (const [text, pattern] of [
      ['a b', 'a'],
      ['a 12 c', 'a … b'],
      ['xa', 'a…'],
      ['ax', '…a'],
      ['aba', 'ab…ba'],
      ['a 1 b', 'a…2…b'],
    ] as const)
      expect(fits(text, pattern), pattern).toBe(false)
  })

  it('has the parts of what is told of it, in their order', () => {
    expect(contains('one two three', 'one…three')).toBe(true)
    expect(contains('three one', 'one…three')).toBe(false)
  })
})
