import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/base/errors.ts'
import type { EngineStatus, RetrieveResult } from '../../src/types.ts'
import { isAborted, problemOf, problemOfCode } from './problems.ts'
import {
  addedPercent,
  agentWords,
  answerNotes,
  couldImprove,
  offlineWords,
  progressFigures,
  quarterWords,
  storageWords,
  vectorNews,
  vectorWords,
} from './states.ts'

const status = (over: Partial<EngineStatus>): EngineStatus => ({
  corpus: 'c',
  documents: 3,
  passages: 10,
  passagesWithVectors: 4,
  entities: 5,
  generation: 1,
  embedding: { state: 'running', rate: 12.4, secondsLeft: 62, identity: null, error: null },
  storage: { kind: 'indexeddb', persisted: true, usageBytes: 1, quotaBytes: 100 },
  index: { kind: 'exact', simd: true, reason: '' },
  text: { bytes: 0, read: 0, unread: 0 },
  settled: true,
  warnings: [],
  ...over,
})

const result = (over: Partial<RetrieveResult['debug']>, sources: number): RetrieveResult => ({
  answer: { state: 'found', confidence: 1, quotes: [] },
  context: '',
  contextTokens: 0,
  blocks: [],
  omitted: [],
  reasoning: [],
  sources: Array.from({ length: sources }, (_, i) => ({
    rank: i + 1,
    documentId: `d${i}`,
    title: '',
    passage: 0,
    start: 0,
    end: 1,
    text: 'a',
    score: 1,
    contributions: { meaning: 0, words: 1, graph: 0, title: 0, bridge: 0 },
    cosine: null,
    evidence: [],
    metadata: {},
  })),
  debug: {
    question: 'a',
    tier: 'full',
    mode: 'graph',
    passages: 10,
    passagesWithVectors: 10,
    seeds: [{ name: 'a', label: 'A', passages: 1, origin: 'question', weight: 1 }],
    unknownSeeds: [],
    excludedDocuments: [],
    gate: 1,
    walk: { pushes: 1, touchedEdges: 1, residual: 0, candidates: 0 },
    timings: {},
    warnings: [],
    noReasoning: null,
    generation: 1,
    ...over,
  },
})

describe('problems', () => {
  it('have a title and help for every code of the engine', () => {
    for (const code of ERROR_CODES) {
      const problem = problemOf({ code, message: 'details' })
      expect(problem.code).toBe(code)
      expect(problem.title.length).toBeGreaterThan(5)
      expect(problem.help.length).toBeGreaterThan(10)
    }
  })

  it('call what is no error of the engine a fault, keeping its message', () => {
    expect(problemOf(new TypeError('x is undefined'))).toMatchObject({
      code: 'bug/invariant',
      message: 'x is undefined',
    })
    expect(problemOfCode('__proto__', 'm').code).toBe('bug/invariant')
    expect(
      [404, 410, 500, undefined].map((status) =>
        problemOf({ code: 'remote/unavailable', message: 'm', details: { status } }).title.includes(
          'does not have',
        ),
      ),
    ).toEqual([true, true, false, false])
  })

  it('know a cancelled call from a failed one', () => {
    expect([
      isAborted({ code: 'aborted', message: '' }),
      isAborted(new DOMException('x', 'AbortError')),
      isAborted(new Error('x')),
    ]).toEqual([true, true, false])
  })
})

describe('words of storage', () => {
  it('never call best effort or memory safe', () => {
    expect(
      storageWords({ kind: 'indexeddb', persisted: true, usageBytes: null, quotaBytes: null })[0]
        ?.tone,
    ).toBe('good')
    expect(
      storageWords({ kind: 'indexeddb', persisted: false, usageBytes: null, quotaBytes: null })[0]
        ?.text,
    ).toContain('best effort')
    expect(
      storageWords({ kind: 'memory', persisted: null, usageBytes: null, quotaBytes: null })[0]
        ?.tone,
    ).toBe('warn')
  })

  it('warn when the quota is nearly full', () => {
    expect(
      storageWords({ kind: 'indexeddb', persisted: true, usageBytes: 91, quotaBytes: 100 })[1]
        ?.tone,
    ).toBe('warn')
    expect(
      storageWords({ kind: 'indexeddb', persisted: true, usageBytes: 50, quotaBytes: 100 })[1],
    ).toEqual({ tone: 'plain', text: '50 bytes used of 100 bytes.' })
  })
})

describe('words of progress', () => {
  it('give rate and time left while vectors stream in', () => {
    expect(vectorWords(status({})).text).toBe('12 a second, 62 seconds left')
    expect(
      vectorWords(
        status({
          embedding: { state: 'running', rate: 0, secondsLeft: null, identity: null, error: null },
        }),
      ).text,
    ).toBe('The first passages are being computed')
  })

  it('say what stands still and that the rest is saved', () => {
    const embedding = { rate: 0, secondsLeft: null, identity: null, error: null }
    expect(vectorWords(status({ embedding: { ...embedding, state: 'paused' } })).text).toContain(
      'saved',
    )
    expect(vectorWords(status({ embedding: { ...embedding, state: 'failed' } }))).toEqual({
      tone: 'warn',
      text: 'Stopped. What is done is saved.',
    })
    expect(
      vectorWords(
        status({
          embedding: {
            ...embedding,
            state: 'failed',
            error: { code: 'store/evicted', message: '' },
          },
        }),
      ).text,
    ).not.toContain('saved')
    expect(vectorWords(status({ passagesWithVectors: 10 })).tone).toBe('good')
  })

  it('do not say that meaning counts before there is a model to read the question', () => {
    const embedding = { rate: 0, secondsLeft: null, identity: null, error: null }
    for (const state of ['loading', 'failed'] as const)
      expect(
        vectorWords(status({ passagesWithVectors: 10, embedding: { ...embedding, state } })).text,
        state,
      ).not.toMatch(/meaning counts/i)
  })

  it('never let the first bar go back when a phase ends', () => {
    const at = (phase: 'fetching' | 'reading' | 'saving' | 'text', done: number): number =>
      addedPercent({ phase, done, total: 10, rate: 0, secondsLeft: null })
    const seen = [
      at('reading', 0),
      at('reading', 10),
      at('saving', 0),
      at('text', 5),
      at('saving', 5),
      at('text', 10),
    ]
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect([seen[0], seen.at(-1)]).toEqual([0, 100])
    expect([at('fetching', 0), at('fetching', 10), at('reading', 10)]).toEqual([0, 20, 20])
  })

  it('count what is fetched in bytes, and files and documents by the piece', () => {
    const figures = (phase: 'fetching' | 'reading', done: number, total: number): string =>
      progressFigures({ phase, done, total, rate: 12.4, secondsLeft: null })
    expect([
      figures('fetching', 1_200_000, 9_000_000),
      figures('fetching', 640_000, 640_000),
      figures('reading', 3, 10),
    ]).toEqual(['1.2 MB of 9.0 MB', '640 kB', '3 of 10, 12 a second'])
  })

  it('tell a listener of each quarter once, and of the end', () => {
    expect(
      [
        [0, 24],
        [24, 25],
        [25, 49],
        [40, 80],
        [80, 100],
        [30, 20],
      ].map(([before, now]) => quarterWords('Adding 3 files', before!, now!)),
    ).toEqual([
      null,
      'Adding 3 files: 25 percent.',
      null,
      'Adding 3 files: 75 percent.',
      null,
      null,
    ])
    const at = (passagesWithVectors: number, passages = 10) =>
      status({ passages, passagesWithVectors })
    expect([
      vectorNews(null, at(10)),
      vectorNews(at(4), at(5)),
      vectorNews(at(5), at(6)),
      vectorNews(at(6), at(10)),
      vectorNews(at(10), at(10)),
      vectorNews(at(10), at(10, 20)),
    ]).toEqual([null, 'Meaning: 50 percent.', null, 'Meaning counts everywhere.', null, null])
  })

  it('promise offline use only when every file is kept', () => {
    expect(offlineWords({ state: 'keeping', kept: 3, total: 9 }, true)).toEqual({
      tone: 'plain',
      text: 'Getting ready for offline use: 3 of 9 files.',
    })
    expect(offlineWords({ state: 'ready' }, false).text).toBe('You are offline; everything works.')
    expect(offlineWords({ state: 'failed' }, false).tone).toBe('warn')
  })
})

describe('notes of an answer', () => {
  it('are none when names, words and meaning all took part', () => {
    expect(answerNotes(result({}, 3))).toEqual([])
  })

  it('say that no name was known, and by what was ranked instead', () => {
    expect(answerNotes(result({ seeds: [] }, 3))[0]?.text).toContain(
      'ranked by words and meaning only',
    )
    expect(answerNotes(result({ seeds: [], tier: 'text' }, 3))[0]?.text).toContain(
      'ranked by words only',
    )
  })

  it('say how far meaning is when it took no part', () => {
    expect(
      answerNotes(result({ passagesWithVectors: 4, tier: 'text' }, 3)).map((n) => n.text),
    ).toEqual(['Meaning is computed for 4 of 10 passages so far.'])
  })

  it('pass on what the engine says, as it says it', () => {
    expect(answerNotes(result({ warnings: ['The walk was cut at its work limit.'] }, 3))).toEqual([
      { tone: 'plain', text: 'The walk was cut at its work limit.' },
    ])
  })

  it('say in plain words that the model failed, without its addresses', () => {
    const [note] = answerNotes(
      result(
        {
          tier: 'text',
          warnings: [
            'Ranked by names and words only: The model file ' +
              'http://127.0.0.1/models/x/tokenizer.json answered 404; check the address.',
          ],
        },
        3,
      ),
    )
    expect(note!.text).toBe(
      'Ranked by names and words only: the meaning model is not there. Its bar says why.',
    )
    expect(
      answerNotes(
        result({ warnings: ['Ranked by names and words only: meaning is not ready yet.'] }, 3),
      )[0]!.text,
    ).toContain('not ready yet')
  })

  it('warn when no source speaks for itself', () => {
    const all = result({ seeds: [] }, 3)
    expect(
      answerNotes({ ...all, sources: all.sources.map((source) => ({ ...source, score: 0 })) }).map(
        (n) => n.text,
      ),
    ).toEqual([
      'Nothing here matches the question: what follows is no answer, only the first documents.',
    ])
  })

  it('warn when nothing was found and name unknown names', () => {
    const notes = answerNotes(result({ unknownSeeds: ['Xyzzy'] }, 0))
    expect(notes.map((n) => n.tone)).toEqual(['warn', 'warn'])
    expect(notes[1]?.text).toContain('“Xyzzy”')
  })
})

describe('asking again by itself', () => {
  const at = (
    state: EngineStatus['embedding']['state'],
    passagesWithVectors: number,
  ): EngineStatus =>
    status({
      passagesWithVectors,
      embedding: { state, rate: 0, secondsLeft: null, identity: null, error: null },
    })

  it('is worth it where the answer was of names and words alone and meaning is there now', () => {
    const early = result({ tier: 'text', passagesWithVectors: 10 }, 3)
    expect(couldImprove(early, at('idle', 10))).toBe(true)
    for (const state of ['loading', 'failed', 'off', 'paused'] as const)
      expect(couldImprove(early, at(state, 10)), state).toBe(false)
    expect(
      couldImprove(result({ tier: 'text', passagesWithVectors: 0 }, 3), at('running', 0)),
    ).toBe(false)
  })

  it('is worth it once more when meaning is complete, and not at every passage', () => {
    const partly = result({ passagesWithVectors: 3 }, 3)
    expect([4, 9, 10].map((count) => couldImprove(partly, at('running', count)))).toEqual([
      false,
      false,
      true,
    ])
    expect(couldImprove(result({ passagesWithVectors: 10 }, 3), at('idle', 10))).toBe(false)
  })
})

describe('agents in the browser', () => {
  it('are told of as available or not, and that what they read may go elsewhere', () => {
    expect(agentWords({ state: 'offered', tools: 7 }).text).toMatch(
      /7 tools that read the open documents.*may pass on/,
    )
    for (const state of ['missing', 'off', 'closed', 'failed'] as const)
      expect(agentWords({ state }).text, state).toMatch(
        /^(Not in|No agent|Offered as soon|The browser did not)/,
      )
  })
})
