/**
 * Question sets on disk: corpus.jsonl with queries.jsonl, or a BEIR folder with qrels (Thakur et
 * al. 2021).
 */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { HubmeshError } from '../base/errors.ts'

export interface BenchPassage {
  readonly id: string
  readonly title: string
  readonly text: string
}

export interface BenchQuestion {
  readonly id: string
  readonly question: string
  /** Ids of the passages of the corpus that answer it; never empty. */
  readonly gold: readonly string[]
  /** The answer string and its other forms; empty where unknown. */
  readonly answers: readonly string[]
  readonly type: string | null
  readonly hops: number | null
  /** Answers of the hops before the last, where the set has them. */
  readonly hopAnswers: readonly string[]
}

export interface Dataset {
  readonly name: string
  readonly passages: readonly BenchPassage[]
  readonly questions: readonly BenchQuestion[]
  /** Questions left out because none of their gold passages is in the corpus. */
  readonly withoutGold: number
}

/** Rejects with `input/invalid`, naming file and line. */
export async function readDataset(directory: string): Promise<Dataset> {
  const names = await readdir(directory).catch((cause: unknown) => {
    throw new HubmeshError('input/invalid', `${directory} cannot be read as a folder.`, { cause })
  })
  const corpus = await readLines(directory, 'corpus.jsonl'),
    queries = await readLines(directory, 'queries.jsonl')
  const qrels = names.includes('qrels') ? await readQrels(join(directory, 'qrels')) : null
  return decodeDataset(basename(resolve(directory)), corpus, queries, qrels)
}

/** The lines of both files, and for a BEIR set the gold ids of each question. */
export function decodeDataset(
  name: string,
  corpus: readonly string[],
  queries: readonly string[],
  qrels: ReadonlyMap<string, readonly string[]> | null,
): Dataset {
  const passages: BenchPassage[] = [],
    known = new Set<string>()
  for (const [record, where] of records(corpus, `${name}/corpus.jsonl`)) {
    const id = text(record, 'id', where) ?? text(record, '_id', where)
    const body = text(record, 'text', where)
    if (id === null || body === null) throw invalid(where, 'has no "id" (or "_id") or no "text"')
    if (known.has(id)) throw invalid(where, 'repeats an id')
    known.add(id)
    passages.push({ id, title: text(record, 'title', where) ?? '', text: body })
  }
  const questions: BenchQuestion[] = []
  let withoutGold = 0
  for (const [record, where] of records(queries, `${name}/queries.jsonl`)) {
    const id = text(record, 'id', where) ?? text(record, '_id', where)
    const question = text(record, 'question', where) ?? text(record, 'text', where)
    if (id === null || question === null)
      throw invalid(where, 'has no "id" (or "_id") or no "question" (or "text")')
    // A BEIR query of another split.
    if (qrels !== null && !record.has('gold') && !qrels.has(id)) continue
    const gold = [
      ...new Set(record.has('gold') ? list(record, 'gold', where) : (qrels?.get(id) ?? [])),
    ].filter((passage) => known.has(passage))
    if (gold.length === 0) {
      withoutGold++
      continue
    }
    const answer = text(record, 'answer', where),
      hops = record.get('hops')
    questions.push({
      id,
      question,
      gold,
      answers:
        answer === null || answer === ''
          ? []
          : [
              answer,
              ...(record.has('answer_aliases') ? list(record, 'answer_aliases', where) : []),
            ],
      type: text(record, 'type', where),
      hops: typeof hops === 'number' && Number.isFinite(hops) ? hops : null,
      hopAnswers: answersOnTheWay(record.get('decomposition')),
    })
  }
  return { name, passages, questions, withoutGold }
}

/** Question id -> gold ids, of lines `query-id<TAB>corpus-id<TAB>score` with a score above 0. */
export function decodeQrels(
  lines: readonly string[],
  into = new Map<string, string[]>(),
): Map<string, string[]> {
  for (const line of lines) {
    const [query, passage, score] = line.split('\t')
    if (query === undefined || passage === undefined || !(Number(score) > 0)) continue
    const gold = into.get(query)
    if (gold) gold.push(passage)
    else into.set(query, [passage])
  }
  return into
}

async function readQrels(directory: string): Promise<Map<string, string[]>> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.tsv')).sort()
  if (files.length === 0) throw new HubmeshError('input/invalid', `${directory} has no .tsv file.`)
  // BEIR measures on the test split.
  const chosen = files.includes('test.tsv') ? ['test.tsv'] : files
  const out = new Map<string, string[]>()
  for (const file of chosen) decodeQrels(await readLines(directory, file), out)
  return out
}

async function readLines(directory: string, file: string): Promise<string[]> {
  const content = await readFile(join(directory, file), 'utf8').catch((cause: unknown) => {
    throw new HubmeshError(
      'input/invalid',
      `${join(directory, file)} cannot be read; a set is a folder with corpus.jsonl and ` +
        `queries.jsonl (and qrels/*.tsv in BEIR's form).`,
      { cause },
    )
  })
  return content
    .replace(/^\ufeff/, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

function* records(
  lines: readonly string[],
  file: string,
): Generator<[Map<string, unknown>, string]> {
  for (const [i, line] of lines.entries()) {
    const where = `${file} line ${i + 1}`
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch (cause) {
      throw new HubmeshError('input/invalid', `${where} is not JSON.`, { cause })
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw invalid(where, 'is not an object')
    yield [new Map(Object.entries(value)), where]
  }
}

function text(record: ReadonlyMap<string, unknown>, field: string, where: string): string | null {
  const value = record.get(field)
  if (value === undefined || value === null) return null
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') throw invalid(where, `has a "${field}" that is no string`)
  return value
}

function list(record: ReadonlyMap<string, unknown>, field: string, where: string): string[] {
  const value = record.get(field)
  if (!Array.isArray(value)) throw invalid(where, `has a "${field}" that is no list`)
  return value.map(String)
}

function invalid(where: string, what: string): HubmeshError {
  return new HubmeshError('input/invalid', `${where} ${what}.`)
}

/** `decomposition`: a list of { question, answer }, one a hop, the last the question's own. */
function answersOnTheWay(decomposition: unknown): string[] {
  if (!Array.isArray(decomposition)) return []
  return decomposition.slice(0, -1).flatMap((hop: unknown) => {
    const answer = typeof hop === 'object' && hop !== null && 'answer' in hop ? hop.answer : null
    return typeof answer === 'string' && answer.trim() !== '' ? [answer] : []
  })
}
