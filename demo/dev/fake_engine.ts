/** Stand-in during development only. */
import type { AddInput, AddOptions, Engine, EngineStatus, ReasoningPath, RetrieveOptions, RetrieveResult, Source } from '../../src/types.ts'

interface Doc { id: string; title: string; text: string }
const shelf = new Map<string, Map<string, Doc>>()
const names = (t: string): { s: number; e: number; n: string }[] => [...t.matchAll(/[A-Z][\w.']*(?: [A-Z][\w.']*)*/g)].map((m) => ({ s: m.index, e: m.index + m[0].length, n: m[0] }))

export async function listCorpora() { return [...shelf].map(([name, docs]) => ({ name, documents: docs.size, passages: docs.size, bytes: docs.size * 2311, changed: Date.now() })) }
export async function deleteCorpus(name: string) { shelf.delete(name) }
export async function createEngine(o: { corpus: string; storage: string; model: string; ort: string; workers: unknown }): Promise<Engine> {
  if (o.corpus === 'refuse' && o.storage !== 'memory') throw { code: 'store/unavailable', message: 'IndexedDB is not available: SecurityError.' }
  const docs = shelf.get(o.corpus) ?? new Map<string, Doc>()
  shelf.set(o.corpus, docs)
  let vectors = docs.size
  let paused = false
  let gen = docs.size ? 1 : 0
  const listeners = new Set<(s: EngineStatus) => void>()
  const status = (): EngineStatus => ({ corpus: o.corpus, documents: docs.size, passages: docs.size, passagesWithVectors: vectors, entities: docs.size * 4, generation: gen,
    embedding: { state: paused ? 'paused' : vectors < docs.size ? 'running' : 'idle', rate: 18.4, secondsLeft: (docs.size - vectors) / 18.4, identity: null, error: null },
    storage: { kind: o.storage as 'indexeddb', persisted: false, usageBytes: 4.1e6, quotaBytes: 2.1e9 }, index: { kind: 'exact', simd: true, reason: 'small' }, settled: true, warnings: [] })
  const tell = () => { for (const l of listeners) l(status()) }
  const tick = setInterval(() => { if (!paused && vectors < docs.size) { vectors = Math.min(docs.size, vectors + 9); tell() } }, 500)
  const engine = {
    corpus: o.corpus,
    async add(input: AddInput, opts: AddOptions = {}) {
      const list = Array.isArray(input) ? input as (string | File | Doc)[] : [input as string]
      const added: string[] = []; const rejected = []
      for (const item of list) {
        if (item instanceof File && !/\.(txt|md|jsonl)$/.test(item.name)) { rejected.push({ name: item.name, code: 'input/invalid', reason: 'This kind of file is not read; .txt, .md, .html, .json, .jsonl and .csv are.' }); continue }
        const parts: Doc[] = item instanceof File ? (item.name.endsWith('.jsonl') ? (await item.text()).trim().split('\n').map((l) => JSON.parse(l) as Doc) : [{ id: item.name, title: item.name, text: await item.text() }]) : [typeof item === 'string' ? { id: 'x', title: '', text: item } : { ...item, id: item.id ?? item.title ?? 'pasted' }]
        let i = 0
        for (const d of parts) { docs.set(d.id, d); added.push(d.id); if (++i % 200 === 0) { opts.onProgress?.({ phase: 'text', done: i, total: parts.length, rate: 2000, secondsLeft: 1 }); await new Promise((r) => setTimeout(r, 120)); opts.signal?.throwIfAborted() } }
      }
      gen++; tell()
      return { added, unchanged: [], replaced: [], rejected, generation: gen }
    },
    async retrieve(q: string, opts: RetrieveOptions = {}): Promise<RetrieveResult> {
      await new Promise((r) => setTimeout(r, 30))
      const terms = [...new Set(q.toLowerCase().match(/\w{4,}/g) ?? [])]
      const all = [...docs.values()].filter((d) => !opts.excludeDocs?.includes(d.id))
      const mine = [...names(q).map((n) => n.n)].filter((n) => docs.size && all.some((d) => d.text.includes(n)))
      const seedNames = [...(opts.questionSeeds ?? mine), ...(opts.seedEntities ?? []).filter((s) => all.some((d) => d.text.includes(s)))]
      const scored = all.map((d) => { const low = (d.title + ' ' + d.text).toLowerCase(); const w = terms.filter((t) => low.includes(t)).length / (terms.length || 1); const g = seedNames.some((s) => d.text.includes(s)) ? 0.5 : 0; return { d, w, g, s: w + g } }).filter((x) => x.s > 0).sort((a, b) => b.s - a.s || (a.d.id < b.d.id ? -1 : 1)).slice(0, opts.topK ?? 10)
      const sources: Source[] = scored.map(({ d, w, g }, i) => ({ rank: i + 1, documentId: d.id, title: d.title, passage: 0, start: 0, end: d.text.length, text: d.text, score: w * 0.9 + g * 1.3, contributions: { meaning: w * 0.5, words: w * 0.4, graph: g, linkedTitle: i % 3 === 1 ? g * 0.2 : 0, bridge: i % 3 === 2 ? g * 0.3 : 0 }, cosine: 0.5,
        evidence: [...terms.flatMap((t) => { const at = d.text.toLowerCase().indexOf(t); return at < 0 ? [] : [{ start: at, end: at + t.length, text: d.text.slice(at, at + t.length), kind: 'term' as const }] }), ...names(d.text).slice(1, 3).map((n) => ({ start: n.s, end: n.e, text: n.n, kind: 'name' as const })), { start: 0, end: Math.max(1, d.text.indexOf('. ') + 1), text: d.text.slice(0, Math.max(1, d.text.indexOf('. ') + 1)), kind: 'sentence' as const }], metadata: {} }))
      const reasoning: ReasoningPath[] = []
      const step = (d: Doc, n: string) => { const at = d.text.indexOf(n); const s = Math.max(0, d.text.lastIndexOf('. ', at) + 2); let e = d.text.indexOf('. ', at); if (e < 0) e = d.text.length - 1; const from = d.text.lastIndexOf('. ', at) < 0 ? 0 : s; return { predicate: 'mentions', documentId: d.id, start: at, end: at + n.length, text: n, inTitle: false, sentence: { start: from, end: e + 1, text: d.text.slice(from, e + 1) } } }
      for (const seed of seedNames) for (const { d } of scored.filter((x) => x.d.text.includes(seed)).slice(0, 3)) {
        const a = [{ kind: 'entity' as const, id: seed.toLowerCase(), label: seed }, { kind: 'document' as const, id: d.id, label: d.title }]
        const bridge = names(d.text).map((n) => n.n).find((n) => n !== seed && n.length > 6 && all.some((x) => x !== d && x.text.includes(n)))
        const other = bridge ? all.find((x) => x !== d && x.text.includes(bridge)) : undefined
        if (bridge && other) reasoning.push({ score: 0.3 / (reasoning.length + 1), nodes: [...a, { kind: 'entity', id: bridge.toLowerCase(), label: bridge }, { kind: 'document', id: other.id, label: other.title }], steps: [step(d, seed), step(d, bridge), step(other, bridge)], sentence: `${seed} is mentioned in “${d.title}”, which mentions ${bridge}, which is also in “${other.title}”.` })
        else reasoning.push({ score: 0.3 / (reasoning.length + 1), nodes: a, steps: [step(d, seed)], sentence: `${seed} is mentioned in “${d.title}”.` })
      }
      let left = opts.budgetTokens ?? 4000; const blocks = []; const omitted = []
      for (const s of sources) { const t = Math.ceil(s.text.length / 4) + 10; if (t <= left) { left -= t; blocks.push({ n: blocks.length + 1, documentId: s.documentId, title: s.title, ranks: [s.rank], spans: [{ start: s.start, end: s.end }], text: s.text, tokens: t }) } else omitted.push({ rank: s.rank, documentId: s.documentId, passage: 0, reason: 'budget' as const }) }
      return { context: blocks.map((b) => `[${b.n}] ${b.title}\n${b.text}`).join('\n\n'), contextTokens: (opts.budgetTokens ?? 4000) - left, blocks, omitted, sources, reasoning,
        debug: { tier: vectors ? 'full' : 'text', mode: 'graph', passages: docs.size, passagesWithVectors: vectors, seeds: seedNames.map((n) => ({ name: n.toLowerCase(), label: n, passages: all.filter((d) => d.text.includes(n)).length, origin: mine.includes(n) ? 'question' as const : 'injected' as const, weight: 1 / seedNames.length })), unknownSeeds: (opts.seedEntities ?? []).filter((s) => !seedNames.includes(s)), excludedDocuments: opts.excludeDocs ?? [], gate: 0.8, walk: { pushes: 431, touchedEdges: 2210, residual: 0.0001 }, timings: { seeds: 0.2, embed: 24.1, lexical: 0.9, dense: 0.4, walk: 1.3, fuse: 0.8, pack: 1.9, paths: 0.7, total: 30.3 }, warnings: [], generation: gen } }
    },
    async resolveEntities(m: string[]) { return m.map((x) => ({ mention: x, name: x.toLowerCase(), label: x, passages: 1, type: null })) },
    async getDocument(id: string) { const d = docs.get(id); return d ? { ...d, metadata: {}, passages: [{ start: 0, end: d.text.length }] } : null },
    async graphStats() { return { documents: docs.size, passages: docs.size, entities: 1, edges: 1, hubs: [{ name: 'x', label: 'Ed Wood', degree: 3 }] } },
    async status() { return status() },
    onStatus(l: (s: EngineStatus) => void) { listeners.add(l); return () => listeners.delete(l) },
    async pauseEmbedding() { paused = true; tell() }, async resumeEmbedding() { paused = false; tell() },
    async destroy() { shelf.delete(o.corpus); clearInterval(tick) }, async close() { clearInterval(tick) },
  }
  return engine as unknown as Engine
}
