import { describe, expect, it } from 'vitest'
import { readFiles } from '../../src/document/readers/read_files.ts'
import { refusalOf } from './refusals.ts'
import { speak } from './words.ts'

const file = (name: string, text: string): File => new File([text], name)

describe('a refused file', () => {
  it('says why and what helps, for what the readers refuse', async () => {
    const { rejected } = await readFiles([
      file('old.doc', 'x'),
      file('photo.png', 'x'),
      file('empty.txt', ''),
      file('blank.html', '<script>1</script>'),
      file('none', 'x'),
      file('broken.docx', 'no zip'),
      file('bytes.txt', 'a\0b'),
    ])
    const told = rejected.map((rejection) => ({ name: rejection.name, ...refusalOf(rejection) }))
    expect(told.map(({ name }) => name)).toHaveLength(7)
    for (const { name, why, remedy } of told) {
      expect(why, name).not.toContain(name)
      expect(why.length, name).toBeGreaterThan(5)
      expect(remedy, name).not.toBeNull()
    }
    expect(told[0]).toMatchObject({ remedy: 'Save it as docx or pdf.' })
    expect(told[1]!.remedy).toMatch(/character recognition/)
  })

  it('is told in the language of the page where it has words for the kind', async () => {
    const { rejected } = await readFiles([file('old.doc', 'x'), file('empty.md', '')])
    await speak('zh')
    const told = rejected.map(refusalOf)
    await speak('en')
    for (const { why, remedy } of told) expect(`${why}${String(remedy)}`).not.toMatch(/[a-z]{4}/)
  })

  it('goes by the reason, never by the name of the file', () => {
    expect(
      refusalOf({ name: 'scan.txt', reason: '"scan.txt": byte 0 is NUL; save it as UTF-8 text.' }),
    ).toEqual({ why: 'Byte 0 is NUL.', remedy: 'Save it as UTF-8 text.' })
    expect(
      refusalOf({ name: 'a "b".txt', reason: '"a \\"b\\".txt": the file is empty; leave it out.' }),
    ).toEqual({ why: 'The file is empty.', remedy: 'Leave it out.' })
    expect(
      refusalOf({ name: 'x', reason: 'document "x": text is empty; leave the document out.' }),
    ).toEqual({ why: 'Text is empty.', remedy: 'Leave the document out.' })
    const odd = 'The vector of document "x" has 2 components.'
    expect(refusalOf({ name: 'x', reason: odd })).toEqual({ why: odd, remedy: null })
  })
})
