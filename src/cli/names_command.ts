/** `hubmesh names`: merging, splitting and suggesting names, and walking their graph. */
import type { Engine, MergeSuggestion, NameMerge } from '../types.ts'
import { FLAG, readWords, TEXT, usage, wholeFlag, type Command } from './command.ts'
import { managerOf, MODEL_FLAGS, MODEL_HELP, modelChoice, PLACE_HELP } from './open_corpus.ts'
import { oneLine, type Terminal } from './terminal.ts'

const HELP = `hubmesh names [list] --corpus NAME                      the merges of names
hubmesh names merge NAME NAME... --corpus NAME          makes names one
hubmesh names split NAME --corpus NAME                  takes a name out of every merge
hubmesh names undo ID --corpus NAME                     undoes one merge
hubmesh names suggest --corpus NAME                     names that may be one, and why
hubmesh names around [NAME] --corpus NAME               the graph of names, all of it or around one
hubmesh names circles --corpus NAME                     communities by their most telling names
hubmesh names passages NAME --corpus NAME               passages that mention a name
hubmesh names complete TEXT --corpus NAME               titles, names and words that begin so

${PLACE_HELP}
  --into NAME          of a merge: by which name the others are known (default: the longest)
  --limit N            of suggestions, names, circles or passages, 1 to 200 (default: 20; complete: up to 100)
  --depth N            of around a name: steps, 1 or 2 (default: 1)
  --meaning            of suggestions: compares names by the model too
${MODEL_HELP}
  --json               as JSON`

/** Of `suggest()`. */
const MOST_SUGGESTIONS = 100

interface Values {
  readonly into?: string | undefined
  readonly json: boolean
}
type Work = (engine: Engine, terminal: Terminal) => Promise<unknown>

export const NAMES: Command = {
  help: HELP,
  prepare(words) {
    const { values, positionals } = readWords('names', words, {
      corpus: TEXT,
      root: TEXT,
      into: TEXT,
      limit: TEXT,
      depth: TEXT,
      meaning: FLAG,
      json: FLAG,
      ...MODEL_FLAGS,
    })
    const { corpus } = values,
      [verb = 'list', ...names] = positionals
    if (corpus === undefined) throw usage('names', 'Name a corpus with --corpus NAME.')
    const choice = modelChoice('names', values),
      limit = wholeFlag('names', 'limit', values.limit, 20, 1, 200),
      depth = wholeFlag('names', 'depth', values.depth, 1, 1, 2) === 2 ? 2 : 1,
      work =
        graphPlan(verb, names, values.json, { limit, depth }) ?? plan(verb, names, values, limit)
    return async (terminal) => {
      const manager = managerOf(values.root, {
        ...choice,
        textOnly: choice.textOnly || !values.meaning,
      })
      try {
        const engine = await manager.load(corpus)
        if (values.meaning) await engine.ready('vectors', { signal: terminal.signal })
        const result = await work(engine, terminal)
        if (values.json) terminal.print(JSON.stringify(result))
      } finally {
        terminal.clear()
        await manager.close()
      }
      return undefined
    }
  },
}

function plan(verb: string, names: readonly string[], { into, json }: Values, limit: number): Work {
  const only = (what: string): string => {
    if (names.length !== 1) throw usage('names', `${verb} takes ${what}.`)
    return names[0]!
  }
  const none = (): void => {
    if (names.length > 0) throw usage('names', `${verb} takes no name.`)
  }
  const told = (merges: readonly NameMerge[], terminal: Terminal): readonly NameMerge[] => {
    if (!json) for (const merge of merges) terminal.print(mergeLine(merge))
    return merges
  }
  switch (verb) {
    case 'list':
      none()
      return async (engine, terminal) => told(await engine.mergedNames(), terminal)
    case 'merge':
      if (names.length + (into === undefined ? 0 : 1) < 2)
        throw usage('names', 'merge takes at least two names.')
      return async (engine, terminal) =>
        told(
          [
            await engine.mergeNames(names, {
              signal: terminal.signal,
              ...(into === undefined ? {} : { into }),
            }),
          ],
          terminal,
        )[0]
    case 'split': {
      const name = only('one name')
      return async (engine, terminal) => {
        await engine.splitName(name)
        return told(await engine.mergedNames(), terminal)
      }
    }
    case 'undo': {
      const id = only('the id of one merge')
      return async (engine, terminal) => {
        await engine.undoMerge(id)
        return told(await engine.mergedNames(), terminal)
      }
    }
    case 'suggest':
      none()
      return async (engine, terminal) => {
        const suggestions = await engine.suggestMerges({ limit, signal: terminal.signal })
        if (!json)
          for (const suggestion of suggestions)
            for (const line of suggestionLines(suggestion)) terminal.print(line)
        return suggestions
      }
    default:
      throw usage(
        'names',
        `hubmesh names knows no ${JSON.stringify(verb.slice(0, 40))}; it has list, merge, ` +
          'split, undo, suggest, around, circles, passages and complete.',
      )
  }
}

interface Bounds {
  readonly limit: number
  readonly depth: 1 | 2
}

/** What a verb gives, and the lines it is told in. */
type Walk = (
  engine: Engine,
  name: string,
  bounds: Bounds,
  signal: AbortSignal,
) => Promise<{ readonly result: unknown; readonly lines: readonly string[] }>

const WALKS: Readonly<Record<string, Walk>> = {
  async around(engine, name, { limit, depth }, signal) {
    const part = await engine.subgraph({
      ...(name === '' ? {} : { around: name, depth }),
      ...{ limit, signal },
    })
    const labels = new Map(part.nodes.map((node) => [node.name, oneLine(node.label, 60)]))
    return {
      result: part,
      lines: [
        ...part.nodes.map(
          ({ label, kind, passages }) => `${oneLine(label, 60)}  (${kind}, ${passages} passages)`,
        ),
        ...part.edges.map(
          ({ source, target, weight }) =>
            `  ${labels.get(source)} - ${labels.get(target)}  ${weight.toFixed(1)}`,
        ),
      ],
    }
  },
  async circles(engine, _name, { limit }, signal) {
    const communities = await engine.communities({ limit, signal })
    return {
      result: communities,
      lines: communities.map(
        ({ size, names }) =>
          `${String(size).padStart(4)}  ${oneLine(names.map(({ label }) => label).join(', '), 200)}`,
      ),
    }
  },
  async passages(engine, name, { limit }) {
    const passages = await engine.passagesOf(name, { limit })
    return {
      result: passages,
      lines: passages.map(
        ({ documentId, start, end, text }) =>
          `${oneLine(documentId, 60)} ${start}-${end}: ${oneLine(text, 160)}`,
      ),
    }
  },
  async complete(engine, name, { limit }) {
    const suggestions = await engine.suggest(name, { limit: Math.min(limit, MOST_SUGGESTIONS) })
    return {
      result: suggestions,
      lines: suggestions.map(
        ({ text, kind, passages }) => `${oneLine(text, 60)}  (${kind}, ${passages} passages)`,
      ),
    }
  },
}

/** What walks the graph of names; null for other verbs. */
function graphPlan(
  verb: string,
  names: readonly string[],
  json: boolean,
  bounds: Bounds,
): Work | null {
  const walk = Object.hasOwn(WALKS, verb) ? WALKS[verb] : undefined
  if (!walk) return null
  const [name] = names
  if (verb === 'circles' && name !== undefined) throw usage('names', 'circles takes no name.')
  if (names.length > 1 || (name === undefined && (verb === 'passages' || verb === 'complete')))
    throw usage('names', `${verb} takes one name.`)
  return async (engine, terminal) => {
    const { result, lines } = await walk(engine, name ?? '', bounds, terminal.signal)
    if (!json) for (const line of lines) terminal.print(line)
    return result
  }
}

function mergeLine({ id, label, names, absent, passages }: NameMerge): string {
  return (
    `${id}  ${oneLine(label ?? 'no document holds these names now', 60)}  = ` +
    `${oneLine(names.join(', '), 200)}${absent > 0 ? ` and ${absent} that no document holds now` : ''} ` +
    ` ${passages} passages`
  )
}

function suggestionLines({ names: [first, second], reasons, shared }: MergeSuggestion): string[] {
  const places = [first, second].flatMap(({ places: [place] }) =>
    place
      ? [
          `    ${place.documentId.slice(0, 40)} ${place.start}: ${oneLine(place.sentence.text, 160)}`,
        ]
      : [],
  )
  const why = reasons.map(({ kind, value }) => `${kind} ${value.toFixed(2)}`).join(', ')
  const beside = shared.length > 0 ? `; beside both: ${oneLine(shared.join(', '), 120)}` : ''
  return [
    `${oneLine(first.label, 60)}  = ${oneLine(second.label, 60)}  (${why}${beside})`,
    ...places,
  ]
}
