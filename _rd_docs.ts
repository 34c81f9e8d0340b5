import { readFileSync } from 'node:fs'
import { createEngine } from '/work/wt/reading/src/node.ts'
const set = process.argv[2]!, tier = process.argv[3] as 'text' | 'full'
const dir = '/work/shared/data/' + set
const lines = readFileSync(dir + '/corpus.jsonl', 'utf8').trim().split('\n').map((l) => JSON.parse(l))
const docs = new Map<string, { title: string; text: string; spans: Map<string, [number, number]> }>()
for (const p of lines) {
  const id = p.doc ?? p.title.split(' > ')[0]
  const [head, ...rest] = p.title.split(' > ')
  let d = docs.get(id)
  if (!d) docs.set(id, (d = { title: head, text: '', spans: new Map() }))
  const path = rest.join(' > ')
  let add = d.text === '' ? '' : '\n\n'
  if (path !== '' && !d.text.endsWith('')) add += ''
  if (path !== '') add += `${'#'.repeat(Math.min(6, rest.length + 1))} ${rest.at(-1)}\n\n`
  const start = d.text.length + add.length
  d.text += add + p.text
  d.spans.set(p.id, [start, d.text.length])
}
const qs = readFileSync(dir + '/queries.jsonl', 'utf8').trim().split('\n').map((l) => JSON.parse(l)).slice(0, 400)
for (const embeddedText of [1, 2]) {
  const e: any = await createEngine({ corpus: 'x' + embeddedText, model: tier === 'full' ? '/work/wt/reading/public/models/all-MiniLM-L6-v2' : null, ...(tier === 'full' ? { runtime: 'native' } : {}), chunk: { embeddedText } } as any)
  await e.add([...docs].map(([id, { title, text }]) => ({ id, title, text })))
  await e.ready(tier === 'full' ? 'vectors' : 'settled')
  const hit = { 1: 0, 2: 0, 5: 0, 10: 0 } as any, ans = { 1: 0, 5: 0 } as any; let ctx = 0
  for (const q of qs) {
    const r = await e.retrieve(q.question, { topK: 10, budgetTokens: 1000, tier })
    const gold = q.gold ?? []
    const ranks = gold.map((g: string) => r.sources.findIndex((s: any) => { const sp = docs.get(s.documentId)!.spans.get(g); return sp && s.start < sp[1] && s.end > sp[0] })).map((x: number) => (x < 0 ? 99 : x))
    for (const k of [1, 2, 5, 10]) hit[k] += ranks.filter((x: number) => x < k).length / Math.max(1, gold.length)
    const a = String(q.answer ?? '').toLowerCase()
    if (a) { for (const k of [1, 5]) if (r.sources.slice(0, k).some((s: any) => s.text.toLowerCase().includes(a))) ans[k]++; if (r.context.toLowerCase().includes(a)) ctx++ }
  }
  console.log(set, tier, 'embeddedText', embeddedText, 'docs', docs.size, 'q', qs.length, 'hit', JSON.stringify(Object.fromEntries(Object.entries(hit).map(([k, v]: any) => [k, (v / qs.length).toFixed(4)]))), 'answer', JSON.stringify(ans), 'ctx1000', ctx)
  await e.close()
}
