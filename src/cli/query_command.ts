/** `hubmesh query`: a question to its sources on the terminal. */
import { FLAG, MANY, readWords, TEXT, usage, wholeFlag, type Command } from './command.ts'
import {
  MODEL_FLAGS,
  MODEL_HELP,
  modelChoice,
  openCorpus,
  PLACE_FLAGS,
  PLACE_HELP,
} from './open_corpus.ts'
import { oneLine, plain, type Terminal } from './terminal.ts'
import { LIMITS } from '../base/limits.ts'
import type { Answer, Place, RetrieveResult } from '../types.ts'

const HELP = `hubmesh query QUESTION (FILE.hubmesh | --corpus NAME) [options]
The sentences that answer a question, the passages they stand in, and the way that leads to each.

${PLACE_HELP}
  -k, --top N          sources (default: 5)
  --per-document N     passages of one document at most (default: any number)
  --budget N           tokens of the packed context (default: 2000)
  --fill               fills the budget with what is hardly about the question too
  --seed NAME          a name to start from; may be repeated
  --exclude ID         a document that takes no part; may be repeated
  --after TEXT         an earlier question or answer that this one leans on; may be repeated
  --context            prints the packed context and nothing else
${MODEL_HELP}
  --json               the whole answer as JSON`

export const QUERY: Command = {
  help: HELP,
  prepare(words) {
    const { values, positionals } = readWords('query', words, {
      ...PLACE_FLAGS,
      ...MODEL_FLAGS,
      top: { ...TEXT, short: 'k' },
      'per-document': TEXT,
      budget: TEXT,
      fill: FLAG,
      seed: MANY,
      exclude: MANY,
      after: MANY,
      context: FLAG,
      json: FLAG,
    })
    const { question, file } = askedOf(positionals, values.corpus)
    const most = values['per-document'],
      perDocument = wholeFlag('query', 'per-document', most, 0, 1, LIMITS.topK),
      topK = wholeFlag('query', 'top', values.top, 5, 1, LIMITS.topK),
      budgetTokens = wholeFlag('query', 'budget', values.budget, 2000, 1, LIMITS.budgetTokens),
      choice = modelChoice('query', values)
    return async (terminal) => {
      const { engine, close } = await openCorpus(
        { file, corpus: values.corpus, root: values.root },
        choice,
        terminal,
      )
      try {
        const ready = (await engine.status()).embedding.state !== 'off' && !choice.textOnly
        if (ready) await engine.ready('vectors', { signal: terminal.signal })
        const result = await engine.retrieve(question, {
          topK,
          ...(perDocument === 0 ? {} : { perDocument }),
          budgetTokens,
          fill: values.fill ?? false,
          seedEntities: values.seed ?? [],
          excludeDocs: values.exclude ?? [],
          history: values.after ?? [],
          tier: ready ? 'full' : 'text',
          signal: terminal.signal,
        })
        if (values.json) terminal.print(JSON.stringify(result))
        else if (values.context) terminal.print(plain(result.context))
        else {
          printAnswer(result.answer, terminal)
          printSources(result, terminal)
          for (const warning of result.debug.warnings) terminal.note(oneLine(warning, 300))
        }
      } finally {
        terminal.clear()
        await close()
      }
      return undefined
    }
  },
}

/** The question and the file to ask, null for a corpus by name. */
function askedOf(
  positionals: readonly string[],
  corpus: string | undefined,
): { readonly question: string; readonly file: string | null } {
  const [question, file = null, ...rest] = positionals
  if (question === undefined || question.trim() === '')
    throw usage('query', 'Ask a question, in quotes.')
  if (rest.length > 0)
    throw usage('query', `${positionals.length} words were given; put the question in quotes.`)
  if ((file === null) === (corpus === undefined))
    throw usage('query', 'Say whom to ask: either FILE.hubmesh or --corpus NAME.')
  return { question, file }
}

function printSources({ sources, reasoning, debug }: RetrieveResult, terminal: Terminal): void {
  for (const source of sources) {
    const { rank, documentId, score, text, start, end } = source
    terminal.print(
      `${String(rank).padStart(2)}  ${score.toFixed(3)}  ` +
        `${placeOf(source)}  (${oneLine(documentId, 60)} ` +
        `${start}-${end})\n    ${oneLine(text, 240)}`,
    )
  }
  for (const { sentence } of reasoning) terminal.print(`    path: ${oneLine(sentence, 240)}`)
  if (debug.noReasoning !== null) terminal.print(`    no path: ${debug.noReasoning}`)
  if (sources.length === 0) terminal.print('no source')
}

const STATES = {
  found: 'Answer',
  unsure: 'Perhaps',
  none: 'Probably not in these documents; the nearest',
} as const

function printAnswer({ state, confidence, quotes }: Answer, terminal: Terminal): void {
  terminal.print(`${STATES[state]} (${confidence.toFixed(2)}):`)
  for (const quote of quotes) {
    const { text, start, highlight } = quote
    const at = highlight.start - start,
      marked = `${text.slice(0, at)}[${text.slice(at, highlight.end - start)}]${text.slice(highlight.end - start)}`
    terminal.print(`  "${oneLine(marked, 500)}"\n    ${placeOf(quote)}`)
  }
  terminal.print('')
}

/** `Title > Section, page 3`. */
function placeOf(at: Place & { readonly title: string; readonly documentId: string }): string {
  const { title, documentId, section, page } = at,
    path = [title || documentId, ...(section === undefined ? [] : [section])].join(' > ')
  return `${oneLine(path, 90)}${page === undefined ? '' : `, page ${page}`}`
}
