import { describe, expect, it } from 'vitest'
import { aboveAt, labelsOf, outlineOf } from './outline.ts'

const TEXT = `# Harbour rules

Quiet after ten.

## Fees

Guests
------

Paid at the desk.

| Berth | Fee |
|---|---|
| Ambrel | 20 |
| Bostad | 22 |

Ask for a receipt.

## Dogs

\`\`\`sh
# not a heading
\`\`\`

On a lead.
`

function above(needle: string, title = ''): [string, string] {
  const { section, header } = aboveAt(outlineOf(TEXT), title, TEXT.indexOf(needle))
  return [section, header]
}

describe('what stands over a place', () => {
  it('is the path of headings, without the title and without the heading itself', () => {
    expect(above('Quiet')).toEqual(['Harbour rules', ''])
    expect(above('## Fees')).toEqual(['Harbour rules', ''])
    expect(above('Paid', 'Harbour rules')).toEqual(['Guests', ''])
    expect(above('On a lead')).toEqual(['Harbour rules > Dogs', ''])
    expect(above('not a heading')).toEqual(['Harbour rules > Dogs', ''])
  })

  it('is the header of a table for its rows, and for nothing behind it', () => {
    expect(above('| Ambrel')[1]).toBe('Berth | Fee')
    expect(above('| Bostad')[1]).toBe('Berth | Fee')
    expect(above('| Berth')[1]).toBe('')
    expect(above('Ask for')[1]).toBe('')
  })

  it('changes inside a span where a heading or a table begins or ends', () => {
    const labels = labelsOf(outlineOf(TEXT), '', { start: 0, end: TEXT.length })
    expect(labels.map(({ section, header }) => `${section}|${header}`)).toEqual([
      '|',
      'Harbour rules|',
      'Harbour rules > Fees|',
      'Harbour rules|',
      'Harbour rules > Guests|',
      'Harbour rules > Guests|Berth | Fee',
      'Harbour rules > Guests|',
      'Harbour rules|',
      'Harbour rules > Dogs|',
    ])
    expect(labelsOf(outlineOf('One line.\nTwo.'), '', { start: 0, end: 14 })).toEqual([])
  })

  it('takes no comment under code, no rule and no long line for a heading', () => {
    for (const text of [
      'value = 1\n# a comment\nother = 2',
      'One.\n\n---\n\nTwo.',
      `# ${'w'.repeat(400)}\n\ntext`,
    ])
      expect(outlineOf(text)?.headings ?? []).toEqual([])
  })
})
