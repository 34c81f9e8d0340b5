/** `hubmesh corpora`: list, delete, import, export. */
import { basename, resolve } from 'node:path'
import { HubmeshError } from '../base/errors.ts'
import { FLAG, readWords, TEXT, usage, type Command } from './command.ts'
import { writeArchive } from './write_archive.ts'
import { managerOf, MODEL_FLAGS, MODEL_HELP, modelChoice, type ModelChoice } from './open_corpus.ts'
import { megabytes, oneLine, progressBar, type Terminal } from './terminal.ts'
import type { CorpusManager } from '../registry/corpus_manager.ts'

const HELP = `hubmesh corpora [list]                        the corpora of the root folder
hubmesh corpora delete NAME --yes             deletes one for good
hubmesh corpora import DIR [--name NAME]      makes a corpus of a folder of hubmesh for Python,
                                              and replaces one of that name
hubmesh corpora export NAME FILE.hubmesh      writes an archive
hubmesh corpora export NAME DIR --python      writes a folder that hubmesh for Python 0.4 loads

  --root DIR           folder of corpora (default: $HUBMESH_CORPORA_ROOT, else ~/.hubmesh/corpora)
  --name NAME          of an import (default: the folder's name)
  --keep-vectors       of an import: keeps the folder's vectors; questions then need vectors
                       of that model
${MODEL_HELP}
  --json               as JSON`

interface Values {
  readonly root?: string | undefined
  readonly name?: string | undefined
  readonly yes: boolean
  readonly python: boolean
  readonly 'keep-vectors': boolean
  readonly json: boolean
}
type Work = (manager: CorpusManager, terminal: Terminal) => Promise<unknown>

export const CORPORA: Command = {
  help: HELP,
  prepare(words) {
    const { values, positionals } = readWords('corpora', words, {
      root: TEXT,
      name: TEXT,
      yes: FLAG,
      python: FLAG,
      'keep-vectors': FLAG,
      json: FLAG,
      ...MODEL_FLAGS,
    })
    const [verb = 'list', ...names] = positionals,
      choice = modelChoice('corpora', values),
      plan = VERBS.get(verb)
    if (plan === undefined)
      throw usage(
        'corpora',
        `corpora has no ${JSON.stringify(verb.slice(0, 40))}; it has ${[...VERBS.keys()].join(', ')}.`,
      )
    const { needsModel, work } = plan(names, values)
    return async (terminal) => {
      const manager = managerOf(
        values.root,
        needsModel ? choice : ({ ...choice, textOnly: true } satisfies ModelChoice),
      )
      try {
        const result = await work(manager, terminal)
        if (values.json) terminal.print(JSON.stringify(result))
      } finally {
        terminal.clear()
        await manager.close()
      }
      return undefined
    }
  },
}

/** What a verb does once its arguments are checked. */
interface Plan {
  readonly needsModel: boolean
  readonly work: Work
}

const VERBS: ReadonlyMap<string, (names: readonly string[], values: Values) => Plan> = new Map([
  ['list', planList],
  ['delete', planDelete],
  ['import', planImport],
  ['export', planExport],
])

function planList(names: readonly string[], values: Values): Plan {
  expect('list', names, 0, 'no name')
  return {
    needsModel: false,
    work: async (manager, terminal) => {
      const entries = await manager.list()
      for (const { name, documents, bytes, format } of entries)
        say(
          values,
          terminal,
          `${name.padEnd(24)} ${documents === null ? 'damaged' : `${documents} documents`}` +
            (bytes === null ? '' : `  ${megabytes(bytes)}`) +
            (format === 'python' ? '  (hubmesh for Python)' : ''),
        )
      if (entries.length === 0) terminal.note(`no corpus in ${manager.root}`)
      return entries
    },
  }
}

function planDelete(names: readonly string[], values: Values): Plan {
  expect('delete', names, 1, 'the name of one corpus')
  const name = names[0]!
  if (!values.yes) throw usage('corpora', `This deletes "${name}" for good. Add --yes.`)
  return {
    needsModel: false,
    work: async (manager, terminal) => {
      await manager.delete(name)
      say(values, terminal, `deleted ${name}`)
      return { deleted: name }
    },
  }
}

function planImport(names: readonly string[], values: Values): Plan {
  expect('import', names, 1, 'one folder')
  const folder = names[0]!,
    name = values.name ?? basename(resolve(folder))
  return {
    needsModel: !values['keep-vectors'],
    work: async (manager, terminal) => {
      const result = await manager.importPython(folder, name, {
        signal: terminal.signal,
        vectors: values['keep-vectors'] ? 'keep' : 'own',
        onProgress: (progress) => {
          terminal.progress(progressBar(progress.phase, progress))
        },
      })
      for (const { name: id, reason } of result.rejected)
        terminal.note(`not taken: ${oneLine(id, 80)}: ${oneLine(reason, 200)}`)
      for (const warning of result.warnings) terminal.note(warning)
      const { embedding, documents } = result
      const vectors =
        embedding === null ? 'no vectors' : `vectors of ${embedding.model} (${embedding.dtype})`
      say(values, terminal, `corpus ${name}: ${documents} documents, ${vectors}`)
      return { name, ...result }
    },
  }
}

function planExport(names: readonly string[], values: Values): Plan {
  expect('export', names, 2, 'the name of a corpus, and where to')
  const [corpus, to] = names as [string, string]
  return {
    needsModel: false,
    work: async (manager, terminal) => {
      if (values.python) {
        await manager.exportPythonTo(corpus, to)
        say(values, terminal, `${to}: a corpus folder of hubmesh for Python`)
        return { corpus, folder: to }
      }
      if (!to.endsWith('.hubmesh'))
        throw new HubmeshError(
          'input/invalid',
          `${JSON.stringify(to)} does not end in .hubmesh. For a folder of hubmesh for Python ` +
            'add --python.',
        )
      const archive = await writeArchive(
        await manager.load(corpus),
        to,
        { vectors: 'f32', index: true },
        terminal,
      )
      say(values, terminal, `${to}: ${megabytes(archive.bytes)}, SHA-256 ${archive.sha256}`)
      return { corpus, file: to, ...archive }
    },
  }
}

function expect(verb: string, names: readonly string[], count: number, what: string): void {
  if (names.length !== count) throw usage('corpora', `${verb} takes ${what}.`)
}

function say(values: Values, terminal: Terminal, text: string): void {
  if (!values.json) terminal.print(text)
}
