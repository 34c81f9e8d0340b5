/** What a new writer may be asked first: each call must rest on what another has stored by then. */
import type { Engine } from '../../types.ts'

export const SEED = [
  {
    id: 'seed',
    text: 'Tim Burton met Anna Marsh in Oslo. Orson Welles met Greta Hale in Lyon.',
  },
  { id: 'kept', text: 'Tim Burton met Anna Marsh. Orson Welles met Greta Hale.' },
] as const

const THEIRS = {
  id: 'theirs',
  text: 'Ida Holm met Orson Welles in Riga. Ida Holm met Greta Hale.',
} as const

/** What the other writer stores before it goes. */
export async function writeAsAnother(engine: Engine): Promise<void> {
  await engine.add([THEIRS, { id: 'secret', text: 'Secret words.' }])
  await engine.mergeNames(['Tim Burton', 'Anna Marsh'])
  await engine.addRelations([
    { documentId: 'seed', subject: 'Orson Welles', predicate: 'met', object: 'Greta Hale' },
  ])
}

/** What a corpus holds. */
export interface Holding {
  readonly documents: readonly string[]
  readonly merges: number
  readonly relations: number
}

export const AFTER_ANOTHER: Holding = {
  documents: ['kept', 'secret', 'seed', 'theirs'],
  merges: 1,
  relations: 1,
}

export async function holdingOf(engine: Engine): Promise<Holding> {
  const { documents } = await engine.listDocuments({ limit: 1000 })
  return {
    documents: documents.map(({ id }) => id).sort(),
    merges: (await engine.mergedNames()).length,
    relations: (await engine.relations()).relations.length,
  }
}

export interface FirstCall {
  readonly name: string
  /** What it gives, as far as it matters; the code of an error. */
  call(engine: Engine): Promise<unknown>
  readonly gives: unknown
  readonly leaves: Partial<Holding>
}

export const FIRST_CALLS: readonly FirstCall[] = [
  {
    name: 'remove',
    call: async (engine) => (await engine.remove('secret')).removed,
    gives: ['secret'],
    leaves: { documents: ['kept', 'seed', 'theirs'] },
  },
  {
    name: 'update, the others removed',
    call: async (engine) => {
      const given = await engine.update([{ id: 'only', text: 'Only one.' }], { others: 'remove' })
      return [...(given.removed ?? [])].sort()
    },
    gives: AFTER_ANOTHER.documents,
    leaves: { documents: ['only'], relations: 0 },
  },
  {
    name: 'mergeNames',
    call: async (engine) => (await engine.mergeNames(['Orson Welles', 'Ida Holm'])).names,
    gives: ['ida holm', 'orson welles'],
    leaves: { merges: 2 },
  },
  {
    name: 'splitName',
    call: async (engine) => {
      await engine.splitName('Tim Burton')
    },
    gives: undefined,
    leaves: { merges: 0 },
  },
  {
    name: 'addRelations',
    call: async (engine) =>
      (
        await engine.addRelations([
          { documentId: 'theirs', subject: 'Ida Holm', predicate: 'met', object: 'Orson Welles' },
        ])
      ).added,
    gives: 1,
    leaves: { relations: 2 },
  },
  {
    name: 'removeRelations',
    call: async (engine) => (await engine.removeRelations()).removed,
    gives: 1,
    leaves: { relations: 0 },
  },
  {
    name: 'updateMetadata',
    call: async (engine) => (await engine.updateMetadata('theirs', { read: true })).metadata,
    gives: { read: true },
    leaves: {},
  },
  {
    name: 'add, what is there already',
    call: async (engine) => (await engine.add([THEIRS])).unchanged,
    gives: ['theirs'],
    leaves: {},
  },
  {
    name: 'add, another text of an id',
    call: (engine) =>
      engine.add([{ id: 'theirs', text: 'Something else.' }]).then(
        () => 'taken',
        (error: { readonly code: string }) => error.code,
      ),
    gives: 'input/conflict',
    leaves: {},
  },
]

/** Every call that must write, of ids nobody has seen: each by itself, to a follower. */
export const UNSEEN_CALLS: readonly ((engine: Engine) => Promise<unknown>)[] = [
  (engine) => engine.remove('unseen'),
  (engine) => engine.update([{ id: 'unseen', text: 'New.' }]),
  (engine) => engine.add([{ id: 'unseen', text: 'New.' }]),
  (engine) => engine.updateMetadata('unseen', { read: true }),
  (engine) => engine.mergeNames(['Un Seen', 'No Body']),
  (engine) => engine.splitName('Un Seen'),
  (engine) => engine.undoMerge('unseen'),
  (engine) => engine.removeRelations(['unseen']),
  (engine) =>
    engine.addRelations([
      { documentId: 'unseen', subject: 'Un Seen', predicate: 'is', object: 'No Body' },
    ]),
]
