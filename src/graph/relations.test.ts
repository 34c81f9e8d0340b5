/** Relations from layout. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { relationsOf } from './relations.ts'

/** The relations as lines, once it is sure that their spans hold what they say. */
function told(title: string, text: string): string[] {
  return relationsOf(title, text).map(({ subject, predicate, object, start, end }) => {
    expect(text.slice(start, end)).toBe(predicate === 'links to' ? object : subject)
    return `${subject} | ${predicate} | ${object}`
  })
}

it('puts headings under their parents, and the first under the title', () => {
  expect(
    told(
      'Guide',
      '# Guide\n\nText.\n\n## Install ##\n### Linux\n### Mac OS\n## **Use**\n# Appendix\n#### ' +
        'C#\n####### no heading\n#nor this',
    ),
  ).toEqual([
    'Install | under heading | Guide',
    'Linux | under heading | Install',
    'Mac OS | under heading | Install',
    'Use | under heading | Guide',
    'Appendix | under heading | Guide',
    'C# | under heading | Appendix',
  ])
  expect(told('', 'Top\n===\n\nPart\n---\n\nprose\n\n## [Linked part](x.md)')).toEqual([
    'Part | under heading | Top',
    'Part | links to | Linked part',
    'Linked part | under heading | Top',
  ])
})

it('puts list items under their item, their heading or the title', () => {
  const text = [
    '- Alpha',
    '- Beta:',
    '  - Beta One',
    '    - **Deep** is deep',
    '  - Beta Two.',
    '- Gamma — a letter',
    '',
    '## People',
    '1. [Ada Lovelace](ada.md), who wrote',
    '2) [x] Charles Babbage',
    '* `code name`: does things',
    '* This item is a whole sentence and it has far too many words to be a name.',
    '    * Child of the sentence',
    '+ _Grace Hopper_ and more',
    '- [ ]',
    '- --',
    '',
    'Prose at the margin.',
    '',
    '- After',
  ].join('\n')
  expect(told('Letters', text).filter((line) => line.includes('listed'))).toEqual([
    'Alpha | listed under | Letters',
    'Beta | listed under | Letters',
    'Beta One | listed under | Beta',
    'Deep | listed under | Beta One',
    'Beta Two | listed under | Beta',
    'Gamma | listed under | Letters',
    'Ada Lovelace | listed under | People',
    'Charles Babbage | listed under | People',
    'code name | listed under | People',
    'Child of the sentence | listed under | People',
    'Grace Hopper | listed under | People',
    'After | listed under | People',
  ])
})

it('reads links, and not what only looks like one', () => {
  const links = (text: string): string[] =>
    relationsOf('T', text)
      .filter((relation) => relation.predicate === 'links to')
      .map((relation) => relation.object)
  expect(
    links('See [Ada Lovelace](ada.md "her"), [**Bob**](b(1).md) and [C][ref], [D][].'),
  ).toEqual(['Ada Lovelace', 'Bob', 'C', 'D'])
  expect(links('[[Page One]], [[Page Two|shown]], [[Page Three#part]] and > [[x')).toEqual([
    'Page One',
    'Page Two',
    'Page Three',
  ])
  expect(
    links(
      '![image](i.png) [![badge](b.svg)](c) `[code](x)` ``[co`de](x)`` \\[escaped](x) [no ' +
        'target] [spaced] (x) [^1] <http://a.b> [](empty) [---](x)',
    ),
  ).toEqual([])
  expect(links('`code` and [Real](x), an odd ` tick and [[outer [Inner](y)]')).toEqual([
    'Real',
    'Inner',
  ])
  expect(links(`[${'word '.repeat(11)}](x) [ok](y)`)).toEqual(['ok'])
  expect(links('> quoted [Quoted](x)\n> - [Item](y)\n| [Cell](z) |')).toEqual([
    'Quoted',
    'Item',
    'Cell',
  ])
  expect(links('[T](self.md)')).toEqual([])
})

it('reads nothing out of code, comments and front matter', () => {
  expect(
    told(
      'T',
      '---\ntitle: x\n- a\n---\n```md\n# no\n- no\n[no](x)\n```\n\n    - no\n    ' +
        '[no](x)\n\n<!-- # no\n[no](x) -->\n~~~~\n~~~\n[no](x)\n~~~~\n- Yes',
    ),
  ).toEqual(['Yes | listed under | T'])
  expect(told('T', '<!-- one line -->\n- Yes\n<!-- never closed\n- no')).toEqual([
    'Yes | listed under | T',
  ])
  expect(told('T', '---\n- Rule above, no front matter')).toEqual([
    'Rule above, no front matter | listed under | T',
  ])
})

it('works in scripts without capitals and spaces, and with any line end', () => {
  expect(told('東京', '# 歴史\r\n- 江戸：昔の名\r\n- [皇居](k.md)。\r\n')).toEqual([
    '歴史 | under heading | 東京',
    '江戸 | listed under | 歴史',
    '皇居 | listed under | 歴史',
    '東京 | links to | 皇居',
  ])
})

it('takes any text, and tells only what stands there', () => {
  const piece = fc.constantFrom(
    '# ',
    '## ',
    '- ',
    '  - ',
    '1. ',
    '[',
    ']',
    '(',
    ')',
    '[[',
    ']]',
    '![',
    '`',
    '```',
    '\n',
    '\n\n',
    '---\n',
    '===\n',
    '**',
    ':',
    ' ',
    'Ada',
    'Bob',
    '\\',
    '<!--',
    '-->',
    '\t',
    '>',
    '😀',
    '\ud800',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('')
      let before = -1
      for (const { subject, predicate, object, start, end } of relationsOf('Title', text)) {
        expect(text.slice(start, end)).toBe(predicate === 'links to' ? object : subject)
        expect(end).toBeGreaterThan(start)
        if (predicate === 'under heading') {
          expect(start).toBeGreaterThan(before)
          before = start
        }
      }
    }),
    { numRuns: 1000 },
  )
})

it('takes time that grows with the length of the text', () => {
  for (const piece of [
    '[',
    '[[',
    '[a](',
    '[a][',
    '[a]',
    '`',
    '``` `',
    '- [',
    '- a\n',
    '# a\n',
    '    ',
    '(',
    '[[a',
    ']]',
    '<!--',
    '> ',
    '**',
    '[a](b)',
    '---\n',
    '`a',
    '`` ` ',
    '  '.repeat(20) + '- a\n',
    '[a](b(',
    '- [a',
    '[a]([[b]]',
    '- `a',
    '- **a\n',
  ]) {
    const text = `${piece.repeat(Math.floor(100_000 / piece.length))})]] \`\`\`\``,
      started = performance.now()
    relationsOf('T', text)
    expect(performance.now() - started, JSON.stringify(piece)).toBeLessThan(3000)
  }
})
