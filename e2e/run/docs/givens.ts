/**
 * What the words around a block speak of and its code does not make: an engine, documents, a
 * folder. Named by `given=`.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Statements before a block and after it. */
export interface GivenCode {
  readonly before: string
  readonly after?: string
}

const FILMS = JSON.stringify([
  {
    id: 'ed-wood',
    title: 'Ed Wood',
    text: 'Ed Wood is a 1994 film directed by Tim Burton about the maker of cheap films.',
  },
  {
    id: 'burton',
    title: 'Tim Burton',
    text: 'Tim Burton is an American director. He was born in Burbank, California.',
  },
  { id: 'lyon', title: 'Lyon', text: 'Lyon is a city in France, known for its silk.' },
])

/** `from` is the package's entry where the block runs. */
const CODE: ReadonlyMap<string, (from: string) => GivenCode> = new Map<
  string,
  (from: string) => GivenCode
>([
  [
    'engine',
    (from) => ({
      before:
        `const engine = await (await import('${from}')).createEngine({ corpus: 'given', ` +
        `model: null })\nawait engine.add(${FILMS})`,
      after: 'await engine.close()',
    }),
  ],
  [
    'empty',
    (from) => ({
      before: `const engine = await (await import('${from}')).createEngine({ corpus: 'empty', model: null })`,
      after: 'await engine.close()',
    }),
  ],
  ['question', () => ({ before: "const question = 'Where was the director of Ed Wood born?'" })],
  ['signal', () => ({ before: 'const { signal } = new AbortController()' })],
  [
    'callbacks',
    () => ({
      before:
        'const said = [], show = (text) => { said.push(text) }, cite = (citations, unknown) => ' +
        '{ said.push(`(${[...citations.map(({ documentId }) => documentId), ...unknown.map((n) ' +
        '=> `no ${n}`)].join(", ")})`) }',
      after: 'console.log(said.join(""))',
    }),
  ],
  ['films', () => ({ before: `const documents = ${FILMS}` })],
  [
    'corpora',
    (from) => ({
      before: `const corpora = new (await import('${from}')).CorpusManager('./corpora')`,
      after: 'await corpora.close()',
    }),
  ],
  [
    'embedder',
    (from) => ({ before: `const embedder = new (await import('${from}')).HashingEmbedder(64)` }),
  ],
  [
    'vectors',
    () => ({
      before:
        `const documents = ${FILMS}\nfor (const document of documents) document.vector = ` +
        `(await embedder.embed([document.text], { kind: 'passage' }))[0]`,
    }),
  ],
])

/**
 * What lies in the folder `place`, whose home is `place/home`; commands to run there first. `root`
 * is this repository.
 */
const FILES: ReadonlyMap<string, (place: string, root: string) => string> = new Map<
  string,
  (place: string, root: string) => string
>([
  [
    'docs',
    (place) => {
      mkdirSync(join(place, 'docs/gates'), { recursive: true })
      writeFileSync(join(place, 'docs/bakery.md'), '# Bakery\n\nThe bakery opens at six.\n')
      writeFileSync(join(place, 'docs/gates/north.txt'), 'The north gate opens at nine.')
      return ''
    },
  ],
  [
    'archive',
    (place) => {
      const lines = (JSON.parse(FILMS) as unknown[]).map((film) => JSON.stringify(film))
      writeFileSync(join(place, 'films.jsonl'), `${lines.join('\n')}\n`)
      return 'hubmesh index films.jsonl --corpus films\nhubmesh index films.jsonl -o films.hubmesh'
    },
  ],
  ['installed', () => 'npm install --ignore-scripts hubmesh'],
  [
    'python',
    (place, root) => {
      cpSync(
        join(root, 'examples/data/python_corpus'),
        join(place, 'home/.hubmesh/corpora/papers'),
        { recursive: true },
      )
      return ''
    },
  ],
  [
    'papers',
    (place, root) => {
      cpSync(join(root, 'examples/data/python_corpus'), join(place, 'papers'), { recursive: true })
      return 'hubmesh corpora import papers --root ./corpora --keep-vectors'
    },
  ],
  [
    'site',
    (place, root) =>
      `${FILES.get('docs')!(place, root)}hubmesh index docs -o site.hubmesh --vectors int8`,
  ],
  [
    'questions',
    (place, root) => {
      const sample = join(root, 'public/samples/hotpotqa_train100'),
        mine = join(place, 'my-questions')
      const lines = (name: string): { id: string; gold?: string[] }[] =>
        readFileSync(join(sample, name), 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as { id: string; gold?: string[] })
      const write = (name: string, objects: readonly unknown[]): void => {
        writeFileSync(
          join(mine, name),
          objects.map((object) => `${JSON.stringify(object)}\n`).join(''),
        )
      }
      const queries = lines('queries.jsonl').slice(0, 5),
        wanted = new Set(queries.flatMap(({ gold }) => gold ?? []))
      mkdirSync(mine, { recursive: true })
      write('queries.jsonl', queries)
      write(
        'corpus.jsonl',
        lines('corpus.jsonl').filter(({ id }, i) => wanted.has(id) || i < 20),
      )
      return ''
    },
  ],
])

export function givenCode(names: readonly string[], from: string): GivenCode {
  const given = names.filter((name) => !FILES.has(name)).map((name) => known(CODE, name)(from))
  return {
    before: given.map(({ before }) => before).join('\n'),
    after: given
      .map(({ after }) => after ?? '')
      .reverse()
      .join('\n'),
  }
}

/** Lays the files down; gives the commands to run before the block. */
export function givenFiles(names: readonly string[], place: string, root: string): string {
  return names
    .filter((name) => !CODE.has(name))
    .map((name) => known(FILES, name)(place, root))
    .filter((commands) => commands !== '')
    .join('\n')
}

function known<T>(map: ReadonlyMap<string, T>, name: string): T {
  const found = map.get(name)
  if (found === undefined)
    throw new Error(
      `nothing of the name ${name} can be given; there are ${[...CODE.keys(), ...FILES.keys()].join(', ')}`,
    )
  return found
}
