/** `hubmesh inspect`: what a corpus, an archive or a folder of hubmesh for Python holds. */
import { stat } from 'node:fs/promises'
import { folderReader } from '../registry/directory_place.ts'
import { readPythonCorpus } from '../registry/python_corpus.ts'
import { HubmeshError } from '../base/errors.ts'
import { FLAG, readWords, TEXT, usage, wholeFlag, type Command } from './command.ts'
import { archiveAt, archiveSettings, openCorpus, PLACE_FLAGS, PLACE_HELP } from './open_corpus.ts'
import { megabytes, oneLine, plain, type Terminal } from './terminal.ts'

const HELP = `hubmesh inspect (FILE.hubmesh | DIR | --corpus NAME) [options]
What a corpus holds. DIR is a corpus folder of hubmesh for Python.

${PLACE_HELP}
  --documents N        lists the first N documents
  --document ID        prints one document
  --json               as JSON`

/** Facts in the order they are shown. */
type Facts = Readonly<Record<string, unknown>>

export const INSPECT: Command = {
  help: HELP,
  prepare(words) {
    const { values, positionals } = readWords('inspect', words, {
      ...PLACE_FLAGS,
      documents: TEXT,
      document: TEXT,
      json: FLAG,
    })
    const [place, ...rest] = positionals
    if (rest.length > 0 || (place === undefined) === (values.corpus === undefined))
      throw usage('inspect', 'Name one thing: FILE.hubmesh, DIR or --corpus NAME.')
    const listed = wholeFlag('inspect', 'documents', values.documents, 0, 1, 10_000)
    return async (terminal) => {
      const isFolder =
        place !== undefined && (await stat(place).catch(() => null))?.isDirectory() === true
      if (isFolder) show(await pythonFacts(place), values.json, terminal)
      else
        await inspectEngine(
          { file: place ?? null, corpus: values.corpus, root: values.root },
          { listed, document: values.document ?? null, json: values.json },
          terminal,
        )
      return undefined
    }
  },
}

async function pythonFacts(folder: string): Promise<Facts> {
  const { formatVersion, generation, embedding, dims, documents, rejected, graph } =
    await readPythonCorpus(folderReader(folder))
  const size = (field: 'nodes' | 'edges'): number | null => {
    const list: unknown =
      typeof graph === 'object' && graph !== null ? (graph as Record<string, unknown>)[field] : null
    return Array.isArray(list) ? list.length : null
  }
  return {
    format: `hubmesh for Python ${formatVersion}`,
    generation,
    documents: documents.length,
    rejected: rejected.length,
    model: embedding,
    dims,
    graphNodes: size('nodes'),
    graphEdges: size('edges'),
  }
}

async function inspectEngine(
  place: {
    readonly file: string | null
    readonly corpus: string | undefined
    readonly root: string | undefined
  },
  wanted: { readonly listed: number; readonly document: string | null; readonly json: boolean },
  terminal: Terminal,
): Promise<void> {
  const archive = place.file === null ? null : await archiveAt(place.file),
    settings = archive === null ? null : await archiveSettings(archive)
  const { engine, close } = await openCorpus(
    place,
    { model: undefined, runtime: 'wasm', textOnly: true, reembed: false },
    terminal,
  )
  try {
    if (wanted.document !== null) {
      const document = await engine.getDocument(wanted.document)
      if (document === null)
        throw new HubmeshError(
          'input/invalid',
          `There is no document ${JSON.stringify(wanted.document.slice(0, 80))}. --documents N lists the first.`,
        )
      terminal.print(
        wanted.json
          ? JSON.stringify(document)
          : `${plain(document.title)}\n\n${plain(document.text)}`,
      )
      return
    }
    const status = await engine.status(),
      stats = await engine.graphStats(),
      listing = wanted.listed === 0 ? null : await engine.listDocuments({ limit: wanted.listed })
    // reads those that are stored; the status says how many
    if (archive === null) await engine.ready('vectors').catch(() => undefined)
    const identity = settings === null ? status.embedding.identity : settings.settings.embedder
    const facts = {
      format: settings === null ? 'corpus' : 'archive',
      bytes: archive?.size ?? status.storage.usageBytes,
      documents: status.documents,
      passages: status.passages,
      vectors: settings === null ? (await engine.status()).passagesWithVectors : settings.vectors,
      model: identity === null ? null : `${identity.model} ${identity.dtype} ${identity.dims}`,
      names: stats.entities,
      edges: stats.edges,
      generation: status.generation,
      hubs: stats.hubs.map(({ label, degree }) => `${label} ${degree}`),
      warnings: status.warnings,
      ...(listing === null ? {} : { listed: listing.documents }),
    }
    show(facts, wanted.json, terminal)
  } finally {
    terminal.clear()
    await close()
  }
}

function show(facts: Facts, json: boolean, terminal: Terminal): void {
  if (json) {
    terminal.print(JSON.stringify(facts))
    return
  }
  for (const [name, value] of Object.entries(facts)) {
    if (name === 'listed')
      for (const { id, title, passages } of value as readonly {
        readonly id: string
        readonly title: string
        readonly passages: number
      }[])
        terminal.print(
          `  ${oneLine(id, 60).padEnd(30)}  ${oneLine(title, 60)}  ${passages} passages`,
        )
    else if (Array.isArray(value) ? value.length > 0 : value !== null) {
      const text = Array.isArray(value) ? value.join(', ') : String(value)
      const shown = name === 'bytes' ? megabytes(value as number) : oneLine(text, 300)
      terminal.print(`${name.padEnd(12)}  ${shown}`)
    }
  }
}
