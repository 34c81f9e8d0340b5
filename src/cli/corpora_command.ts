/**
 * Owns `hubmesh corpora`: listing, deleting, and bringing corpora from and to hubmesh for Python.
 * Refuses: deleting without being told so twice.
 */
import { basename, resolve } from 'node:path'
import { HubmeshError } from '../base/errors.ts'
import { FLAG, readWords, TEXT, usage, type Command } from './command.ts'
import { writeArchive } from './index_command.ts'
import { managerOf, MODEL_FLAGS, MODEL_HELP, modelChoice, type ModelChoice } from './open_corpus.ts'
import { megabytes, oneLine, progressBar, type Terminal } from './terminal.ts'
import type { CorpusManager } from '../registry/corpus_manager.ts'

const HELP = `hubmesh corpora [list]                        the corpora of the root folder
hubmesh corpora delete NAME --yes             deletes one for good
hubmesh corpora import DIR [--name NAME]      makes a corpus of a corpus folder of hubmesh for Python, and replaces one of that name
hubmesh corpora export NAME FILE.hubmesh      writes an archive
hubmesh corpora export NAME DIR --python      writes a folder that hubmesh for Python 0.4 loads

  --root DIR           folder of corpora (default: $HUBMESH_CORPORA_ROOT, else ~/.hubmesh/corpora)
  --name NAME          of an import (default: the folder's name)
  --keep-vectors       of an import: the folder's vectors stay; questions then need vectors of that model
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
  summary: 'list, delete, import and export corpora',
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
      { needsModel, work } = plan(verb, names, values)
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

function plan(
  verb: string,
  names: readonly string[],
  values: Values,
): { readonly needsModel: boolean; readonly work: Work } {
  const [first, second] = names,
    expects = (count: number, what: string): void => {
      if (names.length !== count) throw usage('corpora', `${verb} takes ${what}.`)
    }
  const say = (terminal: Terminal, text: string): void => {
    if (!values.json) terminal.print(text)
  }
  switch (verb) {
    case 'list':
      expects(0, 'no name')
      return {
        needsModel: false,
        work: async (manager, terminal) => {
          const entries = await manager.list()
          for (const { name, documents, bytes, format } of entries)
            say(
              terminal,
              `${name.padEnd(24)} ` +
                `${documents === null ? 'damaged' : `${documents} documents`}${bytes === null ? '' : `  ${megabytes(bytes)}`}${format === 'python' ? '  (hubmesh for Python)' : ''}`,
            )
          if (entries.length === 0) terminal.note(`no corpus in ${manager.root}`)
          return entries
        },
      }
    case 'delete':
      expects(1, 'the name of one corpus')
      if (!values.yes) throw usage('corpora', `This deletes "${first!}" for good. Add --yes.`)
      return {
        needsModel: false,
        work: async (manager, terminal) => {
          await manager.delete(first!)
          say(terminal, `deleted ${first!}`)
          return { deleted: first! }
        },
      }
    case 'import':
      expects(1, 'one folder')
      return {
        needsModel: !values['keep-vectors'],
        work: async (manager, terminal) => {
          const name = values.name ?? basename(resolve(first!)),
            { signal } = terminal
          const result = await manager.importPython(first!, name, {
            signal,
            vectors: values['keep-vectors'] ? 'keep' : 'own',
            onProgress: (progress) => {
              terminal.progress(progressBar(progress.phase, progress))
            },
          })
          for (const { name: id, reason } of result.rejected)
            terminal.note(`not taken: ${oneLine(id, 80)}: ${oneLine(reason, 200)}`)
          say(
            terminal,
            `corpus ${name}: ${result.documents} documents, ` +
              `${result.embedding === null ? 'no vectors' : `vectors of ${result.embedding.model} (${result.embedding.dtype})`}`,
          )
          return { name, ...result }
        },
      }
    case 'export':
      expects(2, 'the name of a corpus, and where to')
      return {
        needsModel: false,
        work: async (manager, terminal) => {
          if (values.python) {
            await manager.exportPythonTo(first!, second!)
            say(terminal, `${second!}: a corpus folder of hubmesh for Python`)
            return { corpus: first!, folder: second! }
          }
          if (!second!.endsWith('.hubmesh'))
            throw new HubmeshError(
              'input/invalid',
              `${JSON.stringify(second!)} does not end in .hubmesh. For a folder of hubmesh for Python add --python.`,
            )
          const archive = await writeArchive(
            await manager.load(first!),
            second!,
            { vectors: 'f32', index: true },
            terminal,
          )
          say(terminal, `${second!}: ${megabytes(archive.bytes)}, SHA-256 ${archive.sha256}`)
          return { corpus: first!, file: second!, ...archive }
        },
      }
    default:
      throw usage(
        'corpora',
        `corpora has no ${JSON.stringify(verb.slice(0, 40))}; it has list, delete, import and export.`,
      )
  }
}
