/** `hubmesh index`: files to a corpus or an archive. A corpus is whole after each batch. */
import { append } from '../base/grown.ts'
import { CorpusManager, defaultCorporaRoot } from '../registry/corpus_manager.ts'
import { HubmeshError, isHubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { createEngine } from '../node.ts'
import type { Engine } from '../types.ts'
import { FLAG, oneOfFlag, readWords, TEXT, usage, wholeFlag, type Command } from './command.ts'
import { readFiles } from '../document/readers/read_files.ts'
import {
  MODEL_FLAGS,
  MODEL_HELP,
  modelChoice,
  openChosenModel,
  PLACE_FLAGS,
  PLACE_HELP,
} from './open_corpus.ts'
import { report, type Counts, type Plan } from './index_report.ts'
import { writeArchive } from './write_archive.ts'
import { progressBar, type Terminal } from './terminal.ts'
import { walkPaths, type Walked } from '../registry/walk_folder.ts'

const HELP = `hubmesh index DIR|FILE... (-o FILE.hubmesh | --corpus NAME) [options]
Reads txt, md, html, pdf, docx, xlsx, pptx, odt, epub, rtf, csv, json, jsonl, xml, ipynb, eml, mbox,
vtt, srt, zip and source code; folders without what git ignores. Lists what was left out.

  -o, --output FILE    writes one archive, which a page loads
${PLACE_HELP}
  --prune              removes documents of the corpus that are not among the files
  --strict             fails where a file cannot be read, before anything is written
  --all                hidden files, node_modules and what git ignores too
${MODEL_HELP}
  --vectors FORM       of an archive: f32 (default) | int8, a quarter of the room | none
  --no-index           leaves the index out of the archive: smaller, and its reader rebuilds it
  --tokens N           of a passage at most (default: ${LIMITS.passageTokens}); fixed when a corpus is made
  --json               the counts as JSON

A file that has changed is read again, an unchanged one is not. Ctrl-C keeps what is done; start again to go on.`

/** Files read and added at a time: what is done by then is kept. */
const BATCH = 200

export const INDEX: Command = {
  help: HELP,
  prepare(words) {
    const { values, positionals } = readWords('index', words, {
      output: { ...TEXT, short: 'o' },
      ...PLACE_FLAGS,
      ...MODEL_FLAGS,
      prune: FLAG,
      strict: FLAG,
      all: FLAG,
      vectors: { ...TEXT, default: 'f32' },
      'no-index': FLAG,
      tokens: TEXT,
      json: FLAG,
    })
    const paths = positionals
    if (paths.length === 0) throw usage('index', 'Name at least one folder or file.')
    if ((values.output === undefined) === (values.corpus === undefined))
      throw usage('index', 'Say where to: either -o FILE.hubmesh or --corpus NAME.')
    const plan: Plan = {
      paths,
      output: values.output ?? null,
      corpus: values.corpus ?? null,
      root: values.root ?? defaultCorporaRoot(),
      prune: values.prune,
      strict: values.strict,
      all: values.all,
      json: values.json,
      vectors: oneOfFlag('index', 'vectors', values.vectors, ['f32', 'int8', 'none']),
      index: !values['no-index'],
      tokens: wholeFlag('index', 'tokens', values.tokens, LIMITS.passageTokens, 8, 8192),
      choice: modelChoice('index', values),
    }
    if (plan.prune && plan.output !== null)
      throw usage('index', '--prune is for --corpus; an archive holds the files and nothing else.')
    return (terminal) => run(plan, terminal)
  },
}

async function run(plan: Plan, terminal: Terminal): Promise<undefined> {
  const walked = await walkPaths(plan.paths, { all: plan.all, signal: terminal.signal })
  if (walked.files.length === 0)
    throw new HubmeshError(
      'input/invalid',
      'No file that can be read is in ' +
        `${plan.paths.map((path) => JSON.stringify(path)).join(', ')}: ${walked.otherFiles} of ` +
        `other kinds, ${walked.ignored} ignored.`,
    )
  if (plan.strict) await checkAll(walked, terminal)
  if (plan.corpus !== null) await refusePython(plan.root, plan.corpus)
  const model = plan.vectors === 'none' ? null : await openChosenModel(plan.choice)
  const engine = await createEngine({
    corpus: plan.corpus ?? 'archive',
    model,
    storage: plan.corpus === null ? 'memory' : { directory: plan.root },
    chunk: { tokens: plan.tokens },
  }).catch(async (error: unknown) => {
    await model?.close()
    throw error
  })
  try {
    // Words and names first: embedding would slow them down, and what is read can be embedded
    // later.
    if (model !== null) await engine.pauseEmbedding()
    const counts = await addFiles(engine, walked, plan, terminal)
    if (model !== null) {
      await engine.resumeEmbedding()
      await vectorsOf(engine, terminal)
    }
    const bytes =
      plan.output === null
        ? null
        : await writeArchive(
            engine,
            plan.output,
            { vectors: plan.vectors, index: plan.index },
            terminal,
          )
    const status = await engine.status()
    report(plan, walked, counts, status, bytes, terminal)
  } catch (error) {
    if (isHubmeshError(error) && error.code === 'aborted')
      throw await interrupted(engine, plan, error)
    throw error
  } finally {
    terminal.clear()
    await engine.close()
  }
  return undefined
}

/** What an interruption left. */
async function interrupted(
  engine: Engine,
  { output, corpus }: Plan,
  cause: HubmeshError,
): Promise<HubmeshError> {
  if (output !== null)
    return new HubmeshError('aborted', `Interrupted: ${output} is as it was.`, { cause })
  const { documents, passages, passagesWithVectors } = await engine.status()
  return new HubmeshError(
    'aborted',
    `Interrupted: corpus ${corpus ?? ''} has ${documents} documents, each whole, and ` +
      `${passagesWithVectors} of ${passages} vectors. The same command goes on from there.`,
    { cause },
  )
}

export async function refusePython(root: string, corpus: string): Promise<void> {
  const manager = new CorpusManager(root, { embedder: null })
  try {
    if (await manager.isPython(corpus))
      throw new HubmeshError(
        'input/conflict',
        `"${corpus}" is a folder of hubmesh for Python, which is only read. Choose another ` +
          'name, or bring it over with: hubmesh corpora import',
      )
  } finally {
    await manager.close()
  }
}

/** Reads every file once and throws for the first that cannot be. */
async function checkAll({ files }: Walked, terminal: Terminal): Promise<void> {
  const { rejected } = await readFiles(files, { signal: terminal.signal })
  const [first] = rejected
  if (first)
    throw new HubmeshError(
      'input/invalid',
      `${first.name}: ` +
        `${first.reason}${rejected.length > 1 ? ` ${rejected.length - 1} more cannot be read either.` : ''} ` +
        'Nothing was written.',
    )
}

async function addFiles(
  engine: Engine,
  { files }: Walked,
  { prune }: Plan,
  terminal: Terminal,
): Promise<Counts> {
  const counts: Counts = {
      added: 0,
      replaced: 0,
      unchanged: 0,
      removed: 0,
      rejected: [],
      warnings: [],
    },
    seen = new Set<string>(),
    { signal } = terminal
  const started = performance.now()
  for (let from = 0; from < files.length; from += BATCH) {
    const read = await readFiles(files.slice(from, from + BATCH), { signal })
    const { documents, rejected } = read
    append(counts.warnings, read.warnings)
    // Of two documents with one id the first counts, in every batch and every run alike.
    const fresh = documents.filter(({ id }) => id === undefined || !seen.has(id))
    for (const { id = '' } of documents)
      if (seen.has(id))
        counts.rejected.push({
          name: id,
          code: 'input/conflict',
          reason: 'A document of this id was read before; give each its own.',
        })
    const result = await engine.update(fresh, { onInvalid: 'skip', signal })
    counts.added += result.added.length
    counts.replaced += result.replaced.length
    counts.unchanged += result.unchanged.length
    append(counts.rejected, rejected)
    append(counts.rejected, result.rejected)
    for (const id of [...result.added, ...result.replaced, ...result.unchanged]) seen.add(id)
    const done = Math.min(files.length, from + BATCH),
      rate = done / ((performance.now() - started) / 1000)
    terminal.progress(
      progressBar('reading', {
        done,
        total: files.length,
        rate,
        secondsLeft: (files.length - done) / rate,
      }),
    )
  }
  if (!prune) return counts
  const gone: string[] = []
  for (let offset = 0; ; offset += 10_000) {
    const { documents, total } = await engine.listDocuments({ offset, limit: 10_000 })
    for (const { id } of documents) if (!seen.has(id)) gone.push(id)
    if (offset + 10_000 >= total) break
  }
  if (gone.length > 0) counts.removed = (await engine.remove(gone, { signal })).removed.length
  return counts
}

export async function vectorsOf(engine: Engine, terminal: Terminal): Promise<void> {
  const stop = engine.onStatus(({ passages, passagesWithVectors, embedding }) => {
    terminal.progress(
      progressBar('embedding', {
        done: passagesWithVectors,
        total: passages,
        rate: embedding.rate,
        secondsLeft: embedding.secondsLeft,
      }),
    )
  })
  try {
    await engine.ready('vectors', { signal: terminal.signal })
  } finally {
    stop()
  }
}
