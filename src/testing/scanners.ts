/** The list of everything that reads foreign text, each as one call over a text of any length. */
import { drain } from '../base/slices.ts'
import type { DocumentInput } from '../types.ts'

export interface Scanner {
  readonly name: string
  /**
   * Reads all of `text`; what it refuses it refuses with an error of its own, which is not passed
   * on.
   */
  run(text: string): unknown
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Imports what is counted only now, so that a counter can be there first. */
export async function loadScanners(): Promise<Scanner[]> {
  const [
    { admit },
    { readFiles },
    { htmlToText },
    { markdownTitle },
    { segment },
    { chunkPassages },
    { chunkByChars, chunkBySentences },
    { pieceSpans },
  ] = await Promise.all([
    import('../document/admit.ts'),
    import('../document/readers/read_files.ts'),
    import('../document/readers/html.ts'),
    import('../document/readers/text.ts'),
    import('../chunk/segments.ts'),
    import('../chunk/passages.ts'),
    import('../chunk/chunkers.ts'),
    import('../pack/pieces.ts'),
  ])
  const [
    { lowerWords },
    { stem },
    { Vocabulary },
    { WordBuffer },
    { scanNameSpans, titleName },
    { TextIndex },
    { linksOf },
    { relationsOf },
    { canonicalize },
  ] = await Promise.all([
    import('../lexical/words.ts'),
    import('../lexical/stem.ts'),
    import('../lexical/vocabulary.ts'),
    import('../lexical/word_buffer.ts'),
    import('../graph/names/name_spans.ts'),
    import('../graph/text_index.ts'),
    import('../graph/markdown_links.ts'),
    import('../graph/relations.ts'),
    import('../graph/canonicalize.ts'),
  ])
  const [
    { editDistance },
    { readQuestion },
    { visibleText, visibleTitle },
    { boundaryOf },
    { packContext },
    { approximateTokens },
    { prepareText },
    { checkedJson },
    { lenientJson },
    { TextEvidence },
  ] = await Promise.all([
    import('../base/edit_distance.ts'),
    import('../retrieve/question.ts'),
    import('../pack/visible.ts'),
    import('../pack/fence.ts'),
    import('../pack/pack.ts'),
    import('../pack/token_counter.ts'),
    import('../embed/word_pieces.ts'),
    import('../registry/checked_json.ts'),
    import('../llm/lenient_json.ts'),
    import('../graph/text_evidence.ts'),
  ])
  const [{ LocalEngine }, { spellingIn }, { excerptAround, markedPieces }] = await Promise.all([
    import('../engine/engine.ts'),
    import('../explain/spelling.ts'),
    import('../../demo/words/marks.ts'),
  ])

  const file =
    (name: string) =>
    async (text: string): Promise<unknown> => {
      const bytes = encode(text)
      return await readFiles([{ name, size: bytes.length, bytes: () => Promise.resolve(bytes) }])
    }
  const named = new TextIndex(() => ({ title: '', text: '', opening: false }))
  ;['Aa Bb Cc', 'Aaaaa Bbbbb', 'A A', 'A A A A', '漢漢漢', 'O’Neill'].forEach((text, slot) => {
    named.add(slot, { title: text, text, opening: true }, false)
  })
  const mentions = new WordBuffer()
  const candidate = (documentId: string, rank: number, text: string) => ({
    rank,
    documentId,
    title: documentId,
    passage: 0,
    start: 0,
    end: text.length,
    text,
    score: 1 / rank,
  })
  const ask = async (documents: readonly DocumentInput[], question: string): Promise<unknown> => {
    const engine = await LocalEngine.open({ corpus: 'linear', storage: 'memory', embedder: null })
    try {
      await engine.add(documents, { onInvalid: 'skip' })
      await engine.ready('settled')
      return await engine.retrieve(question, { topK: 5, budgetTokens: 1000 })
    } finally {
      await engine.close()
    }
  }

  const scanners: Scanner[] = [
    { name: 'admission and hash', run: (text) => admit({ text: `a${text}` }, 0) },
    { name: 'text files', run: file('a.txt') },
    { name: 'Markdown files', run: file('a.md') },
    { name: 'Markdown title', run: markdownTitle },
    { name: 'HTML files', run: file('a.html') },
    { name: 'HTML inside an element', run: (text) => htmlToText(`<p>${text}</p>`) },
    { name: 'CSV files', run: (text) => file('a.csv')(`text,b\n${text}`) },
    { name: 'JSON files', run: file('a.json') },
    {
      name: 'JSON strings',
      run: (text) => file('a.json')(JSON.stringify([{ text, title: text, more: text }])),
    },
    { name: 'JSON Lines files', run: (text) => file('a.jsonl')(`{"text":"a"}\n${text}`) },
    { name: 'imported JSON', run: (text) => checkedJson(encode(text), 'it') },
    { name: 'JSON of a language model', run: (text) => lenientJson(`[${text}`, 0) },
    { name: 'sentences', run: segment },
    { name: 'passages', run: chunkPassages },
    {
      name: 'passages of windows',
      run: (text) => chunkPassages(text, { strategy: 'chars', tokens: 50, overlap: 20 }),
    },
    {
      name: 'chunks by sentences',
      run: (text) => chunkBySentences(text, { targetTokens: 40, overlapSentences: 2 }),
    },
    { name: 'chunks by characters', run: (text) => chunkByChars(text) },
    { name: 'pieces of a passage', run: pieceSpans },
    { name: 'words', run: lowerWords },
    { name: 'word numbers', run: (text) => new WordBuffer().read(text, new Vocabulary()) },
    { name: 'stemmer', run: stem },
    {
      name: 'name finder',
      run: (text) => {
        const words = new Vocabulary(),
          buffer = new WordBuffer().read(text, words)
        let found = 0
        scanNameSpans(text, buffer, words, () => {
          found++
        })
        return found
      },
    },
    {
      name: 'name trie',
      run: (text) => {
        let found = 0
        named.readNames(text, mentions, true, () => {
          found++
        })
        return found
      },
    },
    { name: 'title name', run: titleName },
    {
      name: 'spelling of a name',
      run: (text) => ['a', 'a a b', 'aaaaa bbbbb', 'o neill'].map((name) => spellingIn(text, name)),
    },
    { name: 'canonical names', run: canonicalize },
    { name: 'link finder', run: (text) => linksOf(text, 0, text.length) },
    { name: 'layout', run: (text) => relationsOf('Title', text) },
    {
      name: 'index of a text',
      run: (text) => {
        const passage = { title: '', text, opening: true },
          index = new TextIndex(() => passage)
        index.add(0, passage)
        index.settle()
        index.remove(0, passage)
        drain(index.sweep())
      },
    },
    { name: 'question with near names', run: (text) => readQuestion(text, named) },
    { name: 'edit distance', run: (text) => editDistance(text, `b${text}`, 2) },
    {
      name: 'evidence of a language model',
      run: (text) => {
        const evidence = new TextEvidence(text)
        return [evidence.pair(text.slice(0, 1), text.slice(0, 2)), evidence.first(text.slice(0, 3))]
      },
    },
    { name: 'what reaches the model', run: prepareText },
    { name: 'what a reader sees', run: visibleText },
    { name: 'titles in a header', run: (text) => visibleTitle(text, 120) },
    { name: 'fence', run: boundaryOf },
    {
      name: 'packing of one long passage',
      run: (text) =>
        packContext([candidate('a', 1, text), candidate('b', 2, 'Another text.')], {
          budgetTokens: 1000,
          countTokens: approximateTokens,
          question: text.slice(0, 1000),
        }),
    },
    {
      name: 'highlighter',
      run: (text) =>
        markedPieces(
          text,
          0,
          Array.from({ length: Math.floor(text.length / 10) }, (_, i) => ({
            start: i * 10,
            end: i * 10 + 5,
            kind: 'term' as const,
          })),
        ),
    },
    {
      name: 'excerpt',
      run: (text) =>
        excerptAround(
          text,
          0,
          [{ start: text.length >> 1, end: (text.length >> 1) + 5, kind: 'term' }],
          200,
        ),
    },
    {
      name: 'engine, a long text',
      run: (text) =>
        ask(
          [
            { id: 'a', text },
            { id: 'b', title: 'Aa Bb', text: 'Aa Bb and a.' },
          ],
          'What is Aa Bb, a?',
        ),
    },
    { name: 'engine, one long passage', run: (text) => askWhole(text) },
    {
      name: 'engine, a long question',
      run: (text) =>
        ask([{ id: 'a', title: 'Aa Bb', text: 'Aa Bb met Cc Dd. a' }], text.slice(0, 8000)),
    },
  ]
  return scanners.map(({ name, run }) => ({ name, run: (text) => settle(() => run(text)) }))

  async function askWhole(text: string): Promise<unknown> {
    const engine = await LocalEngine.open({
      corpus: 'linear',
      storage: 'memory',
      embedder: null,
      chunk: { strategy: 'none' },
    })
    try {
      await engine.add(
        [
          { id: 'a', text },
          { id: 'b', title: 'Aa Bb', text: 'Aa Bb and a.' },
        ],
        { onInvalid: 'skip' },
      )
      await engine.ready('settled')
      return await engine.retrieve('What is Aa Bb, a?', { topK: 5, budgetTokens: 1000 })
    } finally {
      await engine.close()
    }
  }
}

/** A refusal is an answer, too. */
async function settle(run: () => unknown): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error) return error
    throw error
  }
}
