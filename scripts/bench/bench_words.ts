/**
 * Words as people write them: how often the one right document of a hundred stands first, here and
 * in MiniSearch, Orama and FlexSearch. `npm run bench:words`; cases are made from a seed.
 */
import { create, insertMultiple, search as searchOrama } from '@orama/orama'
import { stemmer as germanStemmer } from '@orama/stemmers/german'
import FlexSearch from 'flexsearch'
import MiniSearch from 'minisearch'
import { LocalEngine } from '../../src/engine/engine.ts'

interface Case {
  readonly text: string
  readonly question: string
}
interface Doc {
  readonly id: string
  readonly text: string
}
/** Gives the id of the best document, '' for none. */
type System = (docs: readonly Doc[], questions: readonly string[]) => Promise<string[]>

/** Cases of a kind, each the only right document of its own question. */
const CASES = 100
const seeded =
  (seed: number) =>
  (most: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return Math.floor((seed / 2 ** 32) * most)
  }
const next = seeded(20)
const pick = <T>(from: readonly T[]): T => from[next(from.length)]!
const letters = (count: number): string =>
  Array.from({ length: count }, () => pick([...'bdfgklmnprstvz']) + pick([...'aeiou'])).join('')
const digits = (count: number): string => Array.from({ length: count }, () => next(10)).join('')
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** A text and a question of each kind. */
const KINDS: Readonly<Record<string, () => Case>> = {
  'accents left out': () => {
    const [plain, marked] = pick([
      ['a', 'á'],
      ['e', 'é'],
      ['o', 'ø'],
      ['u', 'ů'],
    ])
    const [front, back] = [letters(2), letters(1)]
    return {
      text: `${capital(front)}${marked}${back} repairs the boats`,
      question: `${front}${plain}${back}`,
    }
  },
  'German ä as ae': () => {
    const [front, back] = [letters(2), letters(1)],
      [mark, pair] = pick([
        ['ä', 'ae'],
        ['ö', 'oe'],
        ['ü', 'ue'],
        ['ß', 'ss'],
      ])
    return { text: `${capital(front)}${mark}${back} keeps the key`, question: front + pair + back }
  },
  'versions among neighbours': () => {
    const version = `${1 + next(4)}.${next(12)}.${next(12)}.${digits(1)}`
    return {
      text: `Release ${version} fixes a fault`,
      question: `What does release ${version} fix?`,
    }
  },
  'camelCase by its words': () => {
    const [a, b] = [letters(2), letters(2)]
    return { text: `calls ${a}${capital(b)}() of the encoder`, question: `${a} ${b}` }
  },
  'snake_case as camelCase': () => {
    const [a, b] = [letters(2), letters(2)]
    return { text: `sets ${a}_${b} of the encoder`, question: `${a}${capital(b)}` }
  },
  'numbers with marks': () => {
    const [a, b, c] = [1 + next(9), digits(3), digits(3)]
    return { text: `The budget is ${a},${b},${c} crowns`, question: `${a}${b}${c}` }
  },
  'phone numbers': () => {
    const [area, number] = [digits(3), digits(6)]
    return {
      text: `Call +49 (${area}) ${number.slice(0, 3)}-${number.slice(3)} for help`,
      question: `+49${area}${number}`,
    }
  },
  'units without a blank': () => {
    const size = 10 + next(9000)
    return { text: `a disk of ${size}GB is enough`, question: `${size} GB` }
  },
  'dates written otherwise': () => {
    const [year, month, day] = [1900 + next(120), 1 + next(12), 1 + next(28)],
      two = (value: number): string => String(value).padStart(2, '0')
    const name = new Date(Date.UTC(2000, month - 1)).toLocaleString('en', {
      month: 'long',
      timeZone: 'UTC',
    })
    return {
      text: `The meeting of ${year}-${two(month)}-${two(day)} was long`,
      question: `${day} ${name} ${year}`,
    }
  },
  'German plurals': () => {
    const word = capital(letters(2)) + pick(['ung', 'heit', 'schaft'])
    return {
      text: `Die ${word}en sind nicht auf der Liste und werden auch nicht verkauft`,
      question: word,
    }
  },
  'German compounds': () => {
    const [a, b] = [capital(letters(3)), letters(3)]
    return { text: `Der ${a}${b} ist nicht im Haus und wird auch nicht kommen`, question: a }
  },
  'Japanese questions': () => {
    const name = Array.from({ length: 4 }, () => String.fromCharCode(0x30a2 + next(70))).join('')
    return { text: `${name}は倉庫に記録を保存する道具です。`, question: `${name}とは何ですか？` }
  },
}

const SYSTEMS: Readonly<Record<string, System>> = {
  'hubmesh text': async (docs, questions) => {
    const engine = await LocalEngine.open({ corpus: 'b', storage: 'memory', embedder: null })
    await engine.add([...docs])
    await engine.ready('settled')
    const out: string[] = []
    for (const question of questions) {
      const [first] = await engine.search(question, { mode: 'lexical', topK: 1 })
      out.push(first?.documentId ?? '')
    }
    await engine.close()
    return out
  },
  MiniSearch: async (docs, questions) => {
    const index = new MiniSearch<Doc>({
      fields: ['text'],
      searchOptions: { prefix: true, fuzzy: 0.2 },
    })
    index.addAll(docs)
    return questions.map((question) => String(index.search(question)[0]?.id ?? ''))
  },
  Orama: (docs, questions) => askOrama({}, docs, questions),
  'Orama, German': (docs, questions) =>
    askOrama(
      { components: { tokenizer: { language: 'german', stemming: true, stemmer: germanStemmer } } },
      docs,
      questions,
    ),
  FlexSearch: async (docs, questions) => {
    const index = new FlexSearch.Index({
      tokenize: 'forward',
      encoder: FlexSearch.Charset.LatinBalance,
    })
    docs.forEach(({ text }, i) => index.add(i, text))
    return questions.map((question) => {
      const [first] = index.search(question, { limit: 1, suggest: true })
      return first === undefined ? '' : docs[Number(first)]!.id
    })
  },
}

async function askOrama(
  options: object,
  docs: readonly Doc[],
  questions: readonly string[],
): Promise<string[]> {
  const index = create({ schema: { text: 'string' } as const, ...options })
  await insertMultiple(index, [...docs])
  const out: string[] = []
  for (const term of questions) {
    const { hits } = await searchOrama(index, { term, limit: 1 })
    out.push(String(hits[0]?.id ?? ''))
  }
  return out
}

const names = Object.keys(SYSTEMS)
console.log(`| the right document first, of ${CASES} | ${names.join(' | ')} |`)
console.log(`|---|${names.map(() => '--:').join('|')}|`)
for (const [kind, make] of Object.entries(KINDS)) {
  const cases = new Map<string, Case>()
  while (cases.size < CASES) {
    const one = make()
    cases.set(one.question.toLowerCase(), one)
  }
  const all = [...cases.values()],
    docs = all.map(({ text }, i) => ({ id: `d${i}`, text }))
  const row: number[] = []
  for (const system of Object.values(SYSTEMS)) {
    const found = await system(
      docs,
      all.map(({ question }) => question),
    )
    row.push(found.filter((id, i) => id === `d${i}`).length)
  }
  console.log(`| ${kind} | ${row.join(' | ')} |`)
}
