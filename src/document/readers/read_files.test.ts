import { describe, expect, it } from 'vitest'
import { isHubmeshError, type HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import type { DocumentInput, Progress } from '../../types.ts'
import { admitAll } from '../admit.ts'
import { filePath, readFile as readWhole, readFiles } from './read_files.ts'
import type { FileLike } from './reader.ts'

const SECRET = 'secret words'
const file = (name: string, content: string | Uint8Array, path = ''): FileLike => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { name, size: bytes.length, webkitRelativePath: path, bytes: async () => bytes }
}
/** A file that gives its bytes in pieces of `size`. */
const streamed = (name: string, content: string | Uint8Array, size: number): FileLike => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return {
    name,
    size: bytes.length,
    stream: () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size)
            controller.enqueue(bytes.slice(at, at + size))
          controller.close()
        },
      }),
  }
}
/** What a reader says beyond the path, and the title of the file's name. */
const own = ({ metadata = {}, title = '', ...document }: DocumentInput): DocumentInput => {
  const { path: _, row: __, ...rest } = metadata
  return {
    ...document,
    ...(['a', 'b', 'README'].includes(title) ? {} : { title }),
    ...(Object.keys(rest).length === 0 ? {} : { metadata: rest }),
  }
}
const readFile = async (source: FileLike): Promise<DocumentInput[]> =>
  (await readWhole(source)).map(own)
async function errorOf(run: Promise<unknown>): Promise<HubmeshError> {
  try {
    await run
  } catch (error) {
    if (isHubmeshError(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('readFile', () => {
  it('reads plain text as it stands, by its path', async () => {
    expect(await readFile(file('a.txt', ' Line one.\r\nLine two.\n', 'notes/x/a.txt'))).toEqual([
      { id: 'notes/x/a.txt', text: ' Line one.\r\nLine two.\n' },
    ])
  })

  it('reads a File of the platform', async () => {
    expect(await readFile(new File(['Hello.'], 'b.TXT'))).toEqual([{ id: 'b.TXT', text: 'Hello.' }])
  })

  it('takes a Markdown title from front matter, else from the first heading, and leaves the text alone', async () => {
    const titleOf = async (text: string): Promise<string | undefined> => {
      const [document] = await readFile(file('a.md', text))
      expect(document!.text).toBe(text)
      return document!.title
    }
    expect(await titleOf('---\nlang: en\ntitle: "My page"\n---\n# Other\ntext')).toBe('My page')
    expect(await titleOf('intro\n\n```\n# no\n```\n## The *real* `one` ##\ntext')).toBe(
      'The *real* one',
    )
    expect(await titleOf('Under lined\n===\ntext')).toBe('Under lined')
    expect(await titleOf('no heading here\n#tag')).toBeUndefined()
    expect(await titleOf(`# ${'a'.repeat(5000)}\ntext`)).toBeUndefined()
  })

  it('reads the words of HTML and nothing that runs', async () => {
    const html = `<!doctype html><html><head><title> A &amp; B </title><style>p{}</style><script>alert("${SECRET}")</script></head>
      <body><h1>Top</h1><p>One <b>two</b>&nbsp;three &lt;img src=x onerror=alert(1)&gt;<br>four</p><ul><li><p>item</p><li>next</ul>
      <table><tr><th>a<th>b<tr><td>1<td>2</table><pre>let  x
  y</pre><svg><text>${SECRET}</text></svg><noscript>${SECRET}</noscript><p onclick="${SECRET}">end&#x1F600;&#0;</p></body></html>`
    expect(await readFile(file('a.html', html))).toEqual([
      {
        id: 'a.html',
        title: 'A & B',
        text:
          '# Top\n\nOne two three <img src=x onerror=alert(1)>\nfour\n\n- item\n\n- ' +
          'next\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```\nlet  x\n  y\n```\n\nend😀\ufffd',
      },
    ])
    const [untitled] = await readFile(file('a.htm', '<h2>Only <i>heading</i></h2>text'))
    expect(untitled).toEqual({
      id: 'a.htm',
      title: 'Only heading',
      text: '## Only heading\n\ntext',
    })
    expect((await errorOf(readFile(file('a.html', '<script>x</script>')))).code).toBe(
      'input/invalid',
    )
  })

  it('reads JSON lists, objects with a list, and single records', async () => {
    expect(
      await readFile(
        file(
          'a.json',
          '["one", {"_id": 7, "Title": "T", "content": "two", "lang": "en", "gone": null, "metadata": {"k": [1]}}]',
        ),
      ),
    ).toEqual([
      { id: 'a.json#0', text: 'one' },
      { id: '7', title: 'T', text: 'two\nlang: en', metadata: { lang: 'en', k: [1] } },
    ])
    expect(
      await readFile(file('a.json', '{"documents": [{"text": "x", "vector": [1, 2]}]}')),
    ).toEqual([{ id: 'a.json#0', text: 'x', vector: [1, 2] }])
    expect(await readFile(file('a.json', '{"text": "x"}'))).toEqual([{ id: 'a.json', text: 'x' }])
  })

  it('reads JSON lines in pieces of any size, BEIR corpora among them', async () => {
    const text =
      '\ufeff{"_id": "d1", "title": "Título", "text": "ü漢😀", "metadata": {}}\r\n\n{"text": "two"}'
    const expected = [
      { id: 'd1', title: 'Título', text: 'ü漢😀' },
      { id: 'a.jsonl#1', text: 'two' },
    ]
    for (const size of [1, 2, 3, 7, 1000])
      expect(await readFile(streamed('a.jsonl', text, size))).toEqual(expected)
    expect(await readFile(file('a.jsonl', text))).toEqual(expected)
  })

  it('reads tables with any usual separator; other columns become metadata', async () => {
    const expected = [
      {
        id: 'r1',
        title: 'T',
        text: 'He said "x, y"\nand left\nyear: 1999',
        metadata: { year: 1999 },
      },
      { id: 'a.csv#1', text: 'two' },
    ]
    for (const s of [',', ';', '|']) {
      const table =
        `ID${s}Title${s}Text${s}year\r\nr1${s}T${s}"He said ""x, y""\nand ` +
        `left"${s}1999\r\n\r\n${s}${s}two${s}\r\n`
      expect(await readFile(file('a.csv', table))).toEqual(expected)
    }
    expect(await readFile(file('a.tsv', 'text\t__proto__\none\tx'))).toEqual([
      {
        id: 'a.tsv#0',
        text: 'one\n__proto__: x',
        metadata: JSON.parse('{"__proto__":"x"}') as unknown,
      },
    ])
    expect(await readFile(file('b.csv', 'text\nonly one column'))).toEqual([
      { id: 'b.csv#0', text: 'only one column' },
    ])
  })

  it('decodes UTF-16 with its mark, drops a UTF-8 mark, names a guess, and refuses broken lines by byte offset', async () => {
    const utf16 = (text: string, big: boolean): Uint8Array =>
      Uint8Array.from(
        [0xfeff, ...Array.from(text, (c) => c.charCodeAt(0))].flatMap((unit) =>
          big ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8],
        ),
      )
    for (const big of [true, false])
      expect((await readFile(file('a.txt', utf16('Grüße', big))))[0]!.text).toBe('Grüße')
    expect((await readFile(file('a.txt', '\ufeffHi')))[0]!.text).toBe('Hi')
    const latin1 = Uint8Array.from([0x47, 0x72, 0xfc, 0xdf, 0x65])
    const read = await readFiles([file('dir/a.txt', latin1)])
    expect(read.documents[0]!.text).toBe('Grüße')
    expect(read.warnings).toEqual([
      { name: 'dir/a.txt', message: expect.stringMatching(/byte 2.*windows-1252/) as unknown },
    ])
    for (const size of [1, 2, 100]) {
      const bytes = new Uint8Array([...new TextEncoder().encode('{"text":"漢'), 0xff, 0x22, 0x7d])
      expect(
        (await errorOf(readFile(streamed('a.jsonl', bytes, size)))).details['offset'],
        String(size),
      ).toBe(12)
      expect(
        (
          await errorOf(
            readFile(
              streamed('a.jsonl', new TextEncoder().encode('{"text":"漢').slice(0, 11), size),
            ),
          )
        ).details['offset'],
        String(size),
      ).toBe(9)
    }
  })

  it('refuses binary, empty, blank, unknown and textless files by name', async () => {
    const cases: readonly (readonly [FileLike, RegExp])[] = [
      [file('a.txt', Uint8Array.from([80, 75, 3, 4, 0, 0, 8])), /byte 4 is NUL/],
      [file('a.doc', 'x'), /"doc" cannot be read; save it as docx or pdf/],
      [file('a.txt', Uint8Array.from([1, 2, 3, 4, 5, 65])), /control characters/],
      [file('a.txt', ''), /empty/],
      [file('a.md', ' \n'), /white space/],
      [file('a.xyz', '%PDF'), /"xyz" cannot be read; readable are txt, text, log/],
      [file('README', 'x'), /no extension/],
      [file('.txt', 'x'), /no extension/],
      [file('..', 'x'), /no name/],
      [file('a.json', '{"a": null}'), /record is empty/],
      [file('a.json', '[]'), /no documents/],
      [file('a.json', `{"text": "${SECRET}"`), /is not JSON/],
      [file('a.jsonl', '\n\n'), /no lines/],
      [file('a.csv', 'text\n"open'), /quote in row/],
      [file('a.csv', 'text'), /no rows/],
      [{ name: 'a.txt', size: 5 }, /no bytes/],
      [
        { name: 'a.txt', size: 5, bytes: () => Promise.reject(new Error(SECRET)) },
        /cannot be read any more/,
      ],
    ]
    for (const [bad, message] of cases) {
      const error = await errorOf(readFile(bad))
      expect(error.code).toBe('input/invalid')
      expect(error.message).toMatch(message)
      expect(error.message).not.toContain('secret')
    }
    expect(
      (
        await errorOf(
          readFile({
            name: 'a.txt',
            size: LIMITS.fileBytes + 1,
            bytes: async () => new Uint8Array(1),
          }),
        )
      ).code,
    ).toBe('input/too-large')
  })

  it('refuses JSON nested a million deep by name', async () => {
    const error = await errorOf(readFile(file('a.json', `{"text": ${'['.repeat(1_000_000)}`)))
    expect(error.code).toBe('input/invalid')
  })

  it('reads hostile pages and tables in linear time', async () => {
    const cases: readonly (readonly [string, string])[] = [
      ['a.html', '<div>'.repeat(300_000) + 'x'],
      ['a.html', '<'.repeat(1_000_000) + 'x'],
      ['a.html', '&'.repeat(1_000_000) + 'x'],
      ['a.html', '<svg>'.repeat(200_000) + '</svg>'.repeat(200_000) + 'x'],
      ['a.html', `x<!--${'--'.repeat(500_000)}`],
      ['a.html', `x<p ${'a="'.repeat(300_000)}`],
      ['a.csv', `text\n${'a\n'.repeat(200_000)}`],
      ['a.csv', `text\n"${'""'.repeat(500_000)}x"`],
      ['a.md', '#'.repeat(2_000_000)],
      ['a.md', '\n'.repeat(2_000_000) + 'x'],
    ]
    for (const [name, content] of cases) {
      const started = performance.now()
      expect((await readFile(file(name, content))).length).toBeGreaterThan(0)
      expect(performance.now() - started, `${name} ${content.slice(0, 9)}`).toBeLessThan(10_000)
    }
  })

  it('gives documents that are admitted as they are', async () => {
    const documents = await readFile(
      file('a.jsonl', '{"text": "x", "__proto__": {"polluted": 1}}\n{"text": "y", "n": 1}'),
    )
    expect(
      admitAll(documents).documents.map(({ id, metadata }) => [id, JSON.stringify(metadata)]),
    ).toEqual([
      ['a.jsonl#0', '{"__proto__.polluted":1}'],
      ['a.jsonl#1', '{"n":1}'],
    ])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('readFiles', () => {
  it('reads what can be read and names what cannot, line by line', async () => {
    const progress: Progress[] = []
    const { documents, rejected } = await readFiles(
      [
        file('a.txt', 'one'),
        file('b.bin', 'x'),
        file('c.jsonl', '{"text": "two"}\nnot json\n{"no": null}\n{"text": "three"}'),
      ],
      { onProgress: (step) => void progress.push(step) },
    )
    expect(documents.map(({ id }) => id)).toEqual(['a.txt', 'c.jsonl#0', 'c.jsonl#3'])
    expect(rejected.map(({ name, code }) => [name, code])).toEqual([
      ['b.bin', 'input/invalid'],
      ['c.jsonl#1', 'input/invalid'],
      ['c.jsonl#2', 'input/invalid'],
    ])
    expect(progress.map(({ done, total }) => [done, total])).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
      [3, 3],
    ])
  })

  it('rejects as aborted when its signal fires between files', async () => {
    const controller = new AbortController()
    const files = [file('a.txt', 'one'), file('b.txt', 'two')]
    const run = readFiles(files, {
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done === 1) controller.abort()
      },
    })
    expect((await errorOf(run)).code).toBe('aborted')
  })
})

describe('filePath', () => {
  it('is relative and means nothing but a name', () => {
    expect(filePath({ name: 'x.txt' })).toBe('x.txt')
    expect(filePath({ name: 'x.txt', webkitRelativePath: 'a/b/x.txt' })).toBe('a/b/x.txt')
    expect(filePath({ name: '../../etc/./passwd.txt' })).toBe('etc/passwd.txt')
    expect(filePath({ name: '\\\\host\\share\\a.txt' })).toBe('host/share/a.txt')
    expect(filePath({ name: '/a//b.txt' })).toBe('a/b.txt')
  })
})
