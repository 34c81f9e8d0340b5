/** Options that name a corpus and a model, and opening it. */
import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { CorpusManager, defaultCorporaRoot, openModel } from '../registry/corpus_manager.ts'
import type { Embedder } from '../embed/embedder.ts'
import { HubmeshError } from '../base/errors.ts'
import { createEngine } from '../node.ts'
import { readArchive } from '../archive/read_archive.ts'
import type { Engine, ModelRuntime } from '../types.ts'
import { oneOfFlag, TEXT, FLAG } from './command.ts'
import type { Terminal } from './terminal.ts'

export const MODEL_FLAGS = {
  model: TEXT,
  runtime: { ...TEXT, default: 'wasm' },
  'text-only': FLAG,
  reembed: FLAG,
} as const
export const PLACE_FLAGS = { corpus: TEXT, root: TEXT } as const

export const MODEL_HELP = `  --model NAME|DIR     the embedding model (default: $HUBMESH_EMBED_MODEL,
                       else all-MiniLM-L6-v2)
  --runtime NAME       wasm (default, vectors equal to a page's to the bit) |
                       native (faster; needs the package onnxruntime-node)
  --text-only          no model: words and names alone
  --reembed            drops the vectors of another model and embeds the corpus again; without it
                       such a corpus is refused`
export const PLACE_HELP = `  --corpus NAME        a corpus of the root folder
  --root DIR           folder of corpora (default: $HUBMESH_CORPORA_ROOT, else ~/.hubmesh/corpora)`

export interface ModelChoice {
  readonly model: string | undefined
  readonly runtime: ModelRuntime
  readonly textOnly: boolean
  readonly reembed: boolean
}

export function modelChoice(
  command: string,
  values: {
    readonly model?: string | undefined
    readonly runtime: string
    readonly 'text-only': boolean
    readonly reembed: boolean
  },
): ModelChoice {
  return {
    model: values.model,
    runtime: oneOfFlag(command, 'runtime', values.runtime, ['native', 'wasm']),
    textOnly: values['text-only'],
    reembed: values.reembed,
  }
}

export function openChosenModel({
  model,
  runtime,
  textOnly,
}: ModelChoice): Promise<Embedder | null> {
  return textOnly ? Promise.resolve(null) : openModel(model, runtime)
}

export function managerOf(root: string | undefined, choice: ModelChoice): CorpusManager {
  return new CorpusManager(root ?? defaultCorporaRoot(), {
    ...(choice.model === undefined ? {} : { model: choice.model }),
    runtime: choice.runtime,
    ...(choice.textOnly ? { embedder: null } : {}),
    ...(choice.reembed ? { onModelChange: 'reembed' } : {}),
  })
}

export interface OpenCorpus {
  readonly engine: Engine
  close(): Promise<void>
}

/**
 * An archive in memory, or a corpus of the root. Its vectors are used where they are the model's;
 * an archive without vectors opens no model.
 */
export async function openCorpus(
  place: {
    readonly file: string | null
    readonly corpus: string | undefined
    readonly root: string | undefined
  },
  choice: ModelChoice,
  terminal: Terminal,
): Promise<OpenCorpus> {
  if (place.file === null) {
    const manager = managerOf(place.root, choice)
    try {
      const engine = await manager.load(place.corpus ?? '')
      return { engine, close: () => manager.close() }
    } catch (error) {
      await manager.close()
      throw error
    }
  }
  const archive = await archiveAt(place.file)
  const settings = await archiveSettings(archive)
  const model = settings.vectors === 'none' ? null : await openChosenModel(choice)
  const engine = await createEngine({ corpus: 'archive', model, chunk: settings.settings.chunk })
  try {
    terminal.progress(`reading ${place.file}`)
    await engine.import(archive, { signal: terminal.signal })
    if (model !== null) await engine.ready('vectors', { signal: terminal.signal })
  } catch (error) {
    await engine.close()
    throw error
  }
  return { engine, close: () => engine.close() }
}

export async function archiveAt(file: string): Promise<Blob> {
  if (!(await stat(file).catch(() => null))?.isFile())
    throw new HubmeshError(
      'input/invalid',
      `${JSON.stringify(file)} is no file. Name a *.hubmesh archive, or a corpus with --corpus NAME.`,
      { details: { file } },
    )
  return openAsBlob(file)
}

export async function archiveSettings(
  archive: Blob,
): Promise<
  Extract<
    Awaited<ReturnType<ReturnType<typeof readArchive>['next']>>['value'],
    { kind: 'settings' }
  >
> {
  for await (const part of readArchive(archive)) if (part.kind === 'settings') return part
  throw new HubmeshError(
    'archive/invalid',
    'The archive has no settings. Get the file again from where it was made.',
  )
}
