/** `hubmesh sync`: keeps a corpus in step with a folder. */
import { defaultCorporaRoot } from '../registry/corpus_manager.ts'
import { createEngine } from '../node.ts'
import type { SyncResult } from '../types.ts'
import { FLAG, readWords, TEXT, usage, type Command } from './command.ts'
import { refusePython, vectorsOf } from './index_command.ts'
import { MODEL_FLAGS, MODEL_HELP, modelChoice, openChosenModel, PLACE_HELP } from './open_corpus.ts'
import { oneLine, progressBar, type Terminal } from './terminal.ts'

const HELP = `hubmesh sync DIR --corpus NAME [options]
Brings a corpus in step with a folder: adds what is new, replaces what changed, removes what went.
Leaves documents of elsewhere alone, and reads no file of the size and time it had.

${PLACE_HELP}
${MODEL_HELP}
  --json               what was done as JSON

Files as for index, without what git ignores. Ctrl-C keeps what is done; start again to go on.`

/** Names listed of what was not read. */
const MOST_LISTED = 20

export const SYNC: Command = {
  help: HELP,
  prepare(words) {
    const { values, positionals } = readWords('sync', words, {
      corpus: TEXT,
      root: TEXT,
      json: FLAG,
      ...MODEL_FLAGS,
    })
    const [folder, ...more] = positionals,
      { corpus, root = defaultCorporaRoot(), json } = values
    if (folder === undefined || more.length > 0) throw usage('sync', 'Name one folder.')
    if (corpus === undefined) throw usage('sync', 'Name a corpus with --corpus NAME.')
    const choice = modelChoice('sync', values)
    return async (terminal) => {
      await refusePython(root, corpus)
      const model = await openChosenModel(choice)
      const engine = await createEngine({ corpus, model, storage: { directory: root } }).catch(
        async (error: unknown) => {
          await model?.close()
          throw error
        },
      )
      try {
        if (model !== null) await engine.pauseEmbedding()
        const result = await engine.sync(folder, {
          signal: terminal.signal,
          onProgress: (progress) => {
            terminal.progress(progressBar('reading', progress))
          },
        })
        if (model !== null) {
          await engine.resumeEmbedding()
          await vectorsOf(engine, terminal)
        }
        tell(result, json, terminal)
      } finally {
        terminal.clear()
        await engine.close()
      }
      return undefined
    }
  },
}

function tell(result: SyncResult, json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.print(JSON.stringify(result))
    return
  }
  const { added, replaced, removed, unchanged, rejected, warnings, skipped } = result
  const list = (lines: readonly string[], what: string): void => {
    for (const line of lines.slice(0, MOST_LISTED)) terminal.note(`${what}: ${line}`)
    if (lines.length > MOST_LISTED) terminal.note(`${what}: ${lines.length - MOST_LISTED} more`)
  }
  list(
    rejected.map(({ name, reason }) => `${oneLine(name, 80)}: ${oneLine(reason, 300)}`),
    'not read',
  )
  list(
    warnings.map(({ name, message }) => `${oneLine(name, 80)}: ${oneLine(message, 300)}`),
    'assumed',
  )
  list(
    skipped.map((path) => oneLine(path, 120)),
    'of another kind',
  )
  terminal.print(
    `${added.length} added, ${replaced.length} replaced, ${removed.length} removed, ` +
      `${unchanged.length} unchanged; ${result.filesRead} of ${result.files} files were read.`,
  )
}
