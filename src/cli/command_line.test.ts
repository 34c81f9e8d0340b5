import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine } from '../node.ts'
import { runCommandLine } from './run.ts'
import { oneLine, plain, progressBar } from './terminal.ts'
import { walkPaths } from '../registry/walk_folder.ts'

const DEMO = new URL('../../../shared/fixtures/hubmesh/corpus/demo', import.meta.url).pathname
const hasDemo = existsSync(DEMO)
if (!hasDemo) console.info('skipped: ../shared/fixtures/hubmesh/corpus/demo is not here')

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hubmesh-cli-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function run(
  words: readonly string[],
  signal: AbortSignal = new AbortController().signal,
  onProgress?: (text: string) => void,
): Promise<{ code: number; out: string; err: string }> {
  let out = '',
    err = ''
  const code = await runCommandLine(
    words,
    {
      stdout: {
        write: (text) => {
          out += text
        },
      },
      stderr: {
        write: (text) => {
          err += text
          onProgress?.(text)
        },
        isTTY: onProgress !== undefined,
      },
    },
    signal,
  )
  return { code, out, err }
}

async function docs(files: Readonly<Record<string, string>>): Promise<string> {
  const root = join(folder, 'docs')
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(root, name, '..'), { recursive: true })
    await writeFile(join(root, name), text)
  }
  return root
}

const FILES = {
  'a.md': '# Ada Quist\n\nAda Quist met Bela Trom in Aarhus.',
  'sub/b.txt': 'Bela Trom wrote to Dora Wex.',
  'c.bin': 'x',
  'list.jsonl':
    '{"id": "j1", "text": "Emil Zand stayed."}\n{"id": "j2", "text": "Dora Wex left."}\n',
}

describe('the words', () => {
  it('have help, and exit codes that tell how it went', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, err: '' })
    for (const command of [
      'index',
      'sync',
      'query',
      'inspect',
      'corpora',
      'mcp',
      'assets',
      'bench',
    ]) {
      const { code, out } = await run([command, '--help'])
      expect(code).toBe(0)
      expect(out).toContain(`hubmesh ${command}`)
    }
    for (const words of [
      [],
      ['nothing'],
      ['index'],
      ['index', 'x'],
      ['index', 'x', '-o', 'y', '--corpus', 'z'],
      ['query', '--nope'],
      ['query', 'a', 'b', 'c'],
      ['inspect'],
      ['corpora', 'delete', 'x'],
      ['mcp', 'word'],
      ['mcp', '--port', '70000'],
      ['mcp', '--read-only', '--allow-writes'],
      ['assets'],
      ['bench'],
    ]) {
      expect({ words, code: (await run(words)).code }).toEqual({ words, code: 2 })
    }
    expect((await run(['query', 'Who?', join(folder, 'none.hubmesh')])).code).toBe(1)
    expect(
      (await run(['query', 'Who?', '--corpus', 'none', '--root', folder, '--text-only'])).err,
    ).toContain('no corpus')
  })

  it('are heard at the version', async () => {
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+/)
  })
})

describe('hubmesh index', () => {
  it('makes an archive of a folder, which query and inspect open', async () => {
    const file = join(folder, 'x.hubmesh'),
      made = await run(['index', await docs(FILES), '-o', file, '--text-only', '--json'])
    expect(made.code).toBe(0)
    expect(JSON.parse(made.out)).toMatchObject({
      added: 4,
      documents: 4,
      otherFiles: 1,
      rejected: [],
    })
    const asked = await run(['query', 'Who met in Aarhus?', file, '--text-only', '--json'])
    expect(
      (JSON.parse(asked.out) as { sources: { documentId: string }[] }).sources[0]?.documentId,
    ).toBe('a.md')
    const foreign = await run(['query', 'Which enzyme unwinds a helix?', file, '--text-only'])
    expect(foreign.out).toMatch(/^Probably not in these documents; the nearest \(0\.\d\d\):/)
    expect(foreign.out).not.toMatch(/^ *path:/m)
    expect(JSON.parse((await run(['inspect', file, '--json'])).out)).toMatchObject({
      format: 'archive',
      documents: 4,
      vectors: 'none',
    })
    expect((await run(['inspect', file, '--document', 'sub/b.txt'])).out).toContain(
      'Bela Trom wrote',
    )
  })

  it('keeps a corpus in step with a folder', async () => {
    const root = join(folder, 'corpora'),
      place = ['--corpus', 'notes', '--root', root, '--text-only', '--json'],
      source = await docs(FILES)
    await run(['index', source, ...place])
    await writeFile(join(source, 'sub/b.txt'), 'Bela Trom wrote to nobody.')
    await rm(join(source, 'a.md'))
    expect(JSON.parse((await run(['index', source, ...place, '--prune'])).out)).toMatchObject({
      added: 0,
      replaced: 1,
      unchanged: 2,
      removed: 1,
      documents: 3,
    })
    expect((await run(['corpora', '--root', root])).out).toContain('3 documents')
    expect((await run(['corpora', 'delete', 'notes', '--yes', '--root', root])).code).toBe(0)
    expect(JSON.parse((await run(['corpora', 'list', '--root', root, '--json'])).out)).toEqual([])
  })

  it('syncs a folder into a corpus beside other documents, and says what it did', async () => {
    const place = ['--corpus', 'notes', '--root', join(folder, 'corpora'), '--text-only'],
      source = await docs(FILES),
      other = join(folder, 'other.md')
    await writeFile(other, 'Of elsewhere.')
    await run(['index', other, ...place])
    const first = await run(['sync', source, ...place])
    expect(first.out).toContain('4 added, 0 replaced, 0 removed, 0 unchanged; 3 of 3 files')
    expect(first.err).toContain('of another kind: docs/c.bin')
    await rm(join(source, 'a.md'))
    await writeFile(join(source, 'new.txt'), 'Emil Zand came back.')
    expect(JSON.parse((await run(['sync', source, ...place, '--json'])).out)).toMatchObject({
      added: ['docs/new.txt'],
      removed: ['docs/a.md'],
      filesRead: 1,
      files: 3,
    })
    expect((await run(['query', 'Of elsewhere', ...place])).out).toContain('elsewhere')
    expect((await run(['sync', ...place])).code).toBe(2)
  })

  it('takes what it can of bad files, and nothing with --strict', async () => {
    const source = await docs({
        'good.txt': 'Ada Quist.',
        'bad.json': '{"text": ',
        'empty.txt': ' ',
      }),
      file = join(folder, 'x.hubmesh')
    expect(await run(['index', source, '-o', file, '--text-only', '--strict'])).toMatchObject({
      code: 1,
    })
    expect(existsSync(file)).toBe(false)
    const { code, err, out } = await run(['index', source, '-o', file, '--text-only'])
    expect(code).toBe(0)
    expect(out).toContain('1 documents (1 new')
    expect(err).toContain('not read: bad.json')
    expect(err).not.toContain('"text"')
  })

  it('takes the first of two documents with one id, wherever the second is', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 250 }, (_, i) => [
        `n${String(i).padStart(3, '0')}.txt`,
        `Ada Quist ${i}.`,
      ]),
    )
    const source = await docs({
        ...many,
        'a.jsonl': '{"id": "same", "text": "first"}\n{"id": "same", "text": "second"}\n',
        'z.jsonl': '{"id": "same", "text": "third"}\n',
      }),
      place = ['--corpus', 'notes', '--root', join(folder, 'corpora'), '--text-only', '--json']
    for (const unchanged of [0, 251]) {
      const result = JSON.parse((await run(['index', source, ...place])).out) as {
        unchanged: number
        replaced: number
        rejected: { name: string; code: string }[]
      }
      expect(result).toMatchObject({ documents: 251, unchanged, replaced: 0 })
      expect(result.rejected).toMatchObject([
        { name: 'same', code: 'input/conflict' },
        { name: 'same', code: 'input/conflict' },
      ])
    }
  })

  it('interrupted, leaves the old archive, a whole corpus, and 130', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 450 }, (_, i) => [
        `n${String(i).padStart(3, '0')}.txt`,
        `Ada Quist ${i} met Bela Trom.`,
      ]),
    )
    const source = await docs(many),
      file = join(folder, 'x.hubmesh'),
      root = join(folder, 'corpora')
    await writeFile(file, 'the old one')
    const interrupted = async (
      where: readonly string[],
    ): Promise<{ code: number; err: string }> => {
      const stop = new AbortController()
      return run(['index', source, ...where, '--text-only'], stop.signal, (text) => {
        if (text.includes('200 of 450')) stop.abort()
      })
    }
    expect(await interrupted(['-o', file])).toMatchObject({
      code: 130,
      err: expect.stringContaining('is as it was') as string,
    })
    expect(await readFile(file, 'utf8')).toBe('the old one')
    expect((await readdir(folder)).sort()).toEqual(['docs', 'x.hubmesh'])
    expect(await interrupted(['--corpus', 'notes', '--root', root])).toMatchObject({
      code: 130,
      err: expect.stringContaining('has 200 documents, each whole') as string,
    })
    const engine = await createEngine({ corpus: 'notes', storage: { directory: root } })
    const { documents } = await engine.status()
    await engine.close()
    expect(documents).toBe(200)
    expect(
      JSON.parse(
        (await run(['index', source, '--corpus', 'notes', '--root', root, '--text-only', '--json']))
          .out,
      ),
    ).toMatchObject({ added: 250, unchanged: 200 })
  })
})

describe('the files of a folder', () => {
  it('are those that git keeps and a reader knows, in order of name', async () => {
    const source = await docs({
      '.git/config': '',
      '.gitignore': 'build/\n*.log.txt\n/top.txt\n',
      'top.txt': 'x',
      'sub/top.txt': 'x',
      'build/out.txt': 'x',
      'a.log.txt': 'x',
      'B.md': 'x',
      'a.md': 'x',
      '.hidden.txt': 'x',
      'node_modules/m.md': 'x',
      'pic.png': 'x',
      'sub/.gitignore': '!keep.log.txt\nprivate\n',
      'sub/keep.log.txt': 'x',
      'sub/private/p.txt': 'x',
    })
    const walked = await walkPaths([source])
    expect(walked.files.map(({ name }) => name)).toEqual([
      'B.md',
      'a.md',
      'sub/keep.log.txt',
      'sub/top.txt',
    ])
    expect(walked).toMatchObject({ otherFiles: 1, ignored: 4 })
    expect((await walkPaths([join(source, 'sub')])).files.map(({ name }) => name)).toEqual([
      'keep.log.txt',
      'top.txt',
    ])
    expect((await walkPaths([source], { all: true })).files.length).toBe(10)
  })

  it('are told apart by their folder where there are several', async () => {
    await docs({ 'one/a.txt': 'x', 'two/a.txt': 'x' })
    expect(
      (await walkPaths([join(folder, 'docs/one'), join(folder, 'docs/two')])).files.map(
        ({ name }) => name,
      ),
    ).toEqual(['one/a.txt', 'two/a.txt'])
  })

  it('must be there', async () => {
    await expect(walkPaths([join(folder, 'nowhere')])).rejects.toMatchObject({
      code: 'input/invalid',
    })
  })
})

describe('hubmesh assets', () => {
  it('copies model and runtime once, each file checked', async () => {
    const target = join(folder, 'public'),
      first = await run(['assets', target, '--json'])
    expect(first.code).toBe(0)
    const paths = (JSON.parse(first.out) as { path: string; copied: boolean }[])
      .filter(({ copied }) => copied)
      .map(({ path }) => path.slice(target.length + 1))
    expect(paths).toEqual(
      expect.arrayContaining([
        'models/all-MiniLM-L6-v2/onnx/model_quantized.onnx',
        'models/all-MiniLM-L6-v2/tokenizer.json',
        'ort/ort-wasm-simd-threaded.wasm',
        'ort/ort-wasm-simd-threaded.mjs',
      ]),
    )
    const again = JSON.parse((await run(['assets', target, '--json'])).out) as { copied: boolean }[]
    expect(again.every(({ copied }) => !copied)).toBe(true)
  })

  it('refuses a model whose file is another', async () => {
    const model = join(folder, 'all-MiniLM-L6-v2')
    await mkdir(join(model, 'onnx'), { recursive: true })
    for (const name of [
      'onnx/model_quantized.onnx',
      'tokenizer.json',
      'tokenizer_config.json',
      'config.json',
    ])
      await writeFile(join(model, name), 'not it')
    const { code, err } = await run(['assets', join(folder, 'out'), '--model', model])
    expect(code).toBe(1)
    expect(err).toContain('is not the file')
    expect(existsSync(join(folder, 'out', 'models'))).toBe(false)
  })
})

describe.skipIf(!hasDemo)('hubmesh corpora', () => {
  it('brings a corpus of hubmesh for Python over and back', async () => {
    const root = join(folder, 'corpora')
    expect((await run(['inspect', DEMO])).out).toContain('hubmesh for Python 2')
    expect(
      (await run(['corpora', 'import', DEMO, '--name', 'mine', '--keep-vectors', '--root', root]))
        .out,
    ).toContain('120 documents, vectors of all-MiniLM-L6-v2 (float32)')
    expect(
      (await run(['corpora', 'export', 'mine', join(folder, 'back'), '--python', '--root', root]))
        .code,
    ).toBe(0)
    expect((await run(['inspect', join(folder, 'back')])).out).toMatch(/documents +120/)
    expect(
      (await run(['corpora', 'export', 'mine', join(folder, 'mine.hubmesh'), '--root', root])).code,
    ).toBe(0)
    expect((await run(['inspect', join(folder, 'mine.hubmesh')])).out).toMatch(/vectors +f32/)
  })
})

describe('the process', () => {
  it('gives the exit code, and ends a server well at Ctrl-C', async () => {
    const start = (words: readonly string[]): ReturnType<typeof spawn> =>
      spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', ...words], {
        cwd: new URL('../..', import.meta.url).pathname,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    const ended = (child: ReturnType<typeof spawn>): Promise<number | null> =>
      new Promise((resolve) => {
        child.once('exit', (code) => {
          resolve(code)
        })
      })
    const server = start([
        'mcp',
        '--transport',
        'http',
        '--port',
        '0',
        '--root',
        folder,
        '--text-only',
      ]),
      code = ended(server)
    let said = ''
    await new Promise<void>((resolve) => {
      server.stderr!.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes('/mcp')) resolve()
      })
    })
    const url = /http:\S+\/mcp/.exec(said)![0]
    expect(
      (
        await fetch(url, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
          },
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
        })
      ).status,
    ).toBe(200)
    server.kill('SIGINT')
    expect(await code).toBe(0)
    expect(await ended(start(['nothing']))).toBe(2)
  })

  it('leaves a whole corpus at Ctrl-C in the middle of an index, and the same command goes on', async () => {
    // more to embed than any machine does in the moment between the first commit and the signal
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, i) => [
        `n${String(i).padStart(3, '0')}.txt`,
        `Ada Quist ${i} met Bela Trom. ${'A sentence of some length follows, and another. '.repeat(12)}`,
      ]),
    )
    const source = await docs(many),
      root = join(folder, 'corpora')
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', 'src/cli/main.ts', 'index', source, '--corpus', 'notes', '--root', root],
      { cwd: new URL('../..', import.meta.url).pathname, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const code = new Promise<number | null>((resolve) => {
      child.once('exit', resolve)
    })
    await expect
      .poll(() => existsSync(join(root, 'notes', 'CURRENT')), { timeout: 170_000 })
      .toBe(true)
    child.kill('SIGINT')
    expect({ code: await code, said }).toMatchObject({
      code: 130,
      said: expect.stringMatching(
        /Interrupted: corpus notes has \d+ documents, each whole/,
      ) as string,
    })
    const kept = Number(/has (\d+) documents/.exec(said)![1]),
      engine = await createEngine({ corpus: 'notes', storage: { directory: root } })
    const { documents, warnings } = await engine.status()
    await engine.close()
    expect([documents, documents % 200 === 0 || documents === 500, warnings]).toEqual([
      kept,
      true,
      [],
    ])
    expect(
      JSON.parse(
        (await run(['index', source, '--corpus', 'notes', '--root', root, '--text-only', '--json']))
          .out,
      ),
    ).toMatchObject({ documents: 500, unchanged: kept, added: 500 - kept })
  }, 300_000)
})

describe('the terminal', () => {
  it('shows progress only where somebody watches', async () => {
    const source = await docs(FILES)
    expect((await run(['index', source, '-o', join(folder, 'x.hubmesh'), '--text-only'])).err).toBe(
      '',
    )
    let seen = ''
    await run(
      ['index', source, '-o', join(folder, 'y.hubmesh'), '--text-only'],
      undefined,
      (text) => {
        seen += text
      },
    )
    expect(seen).toContain('reading [########################] 3 of 3')
    expect(progressBar('x', { done: 1, total: 4, rate: 2, secondsLeft: 1.5 })).toBe(
      'x [######------------------] 1 of 4, 2.0/s, 2 s left',
    )
  })

  it('obeys no character of a document', () => {
    expect(plain('a\u001b[2Jb\u009bc\u202ed\r\n')).toBe('a [2Jb c d \n')
    expect(oneLine('one\n\ttwo  three', 9)).toBe('one two …')
  })
})
