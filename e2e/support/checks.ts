/**
 * What must hold of every answer, checked against the documents themselves, and the figures of a
 * run.
 */
import type { DocumentInput, RetrieveResult, Span } from '../../src/index.ts'

/**
 * What of an answer is not as it says: spans that do not re-slice to what is quoted, contributions
 * that do not add up.
 */
export function faultsOf(result: RetrieveResult, documents: readonly DocumentInput[]): string[] {
  const byId = new Map(documents.map((document) => [document.id, document]))
  const faults: string[] = []
  const check = (what: string, found: string | undefined, quoted: string): void => {
    if (found !== quoted)
      faults.push(`${what}: ${JSON.stringify(found)} where ${JSON.stringify(quoted)} is quoted`)
  }
  const slice = (id: string, { start, end }: Span): string | undefined =>
    byId.get(id)?.text.slice(start, end)
  for (const source of result.sources) {
    check(`source ${String(source.rank)}`, slice(source.documentId, source), source.text)
    for (const evidence of source.evidence)
      check(
        `evidence of source ${String(source.rank)}`,
        slice(source.documentId, evidence),
        evidence.text,
      )
    const sum = Object.values(source.contributions as unknown as Record<string, number>).reduce(
      (total, part) => total + part,
      0,
    )
    if (!(Math.abs(sum - source.score) < 1e-8))
      faults.push(
        `contributions of source ${String(source.rank)} add up to ${String(sum)}, the score is ${String(source.score)}`,
      )
  }
  for (const { nodes, steps, sentence } of result.reasoning) {
    if (nodes.length !== steps.length + 1)
      faults.push(
        `path of ${String(nodes.length)} nodes and ${String(steps.length)} steps: ${sentence}`,
      )
    for (const step of steps) {
      check(
        `step of "${sentence}"`,
        step.inTitle
          ? byId.get(step.documentId)?.title?.slice(step.start, step.end)
          : slice(step.documentId, step),
        step.text,
      )
      check(
        `sentence of a step of "${sentence}"`,
        slice(step.documentId, step.sentence),
        step.sentence.text,
      )
    }
  }
  for (const { documentId, spans } of result.blocks) {
    const { length } = byId.get(documentId)?.text ?? ''
    for (const { start, end } of spans)
      if (!(start >= 0 && start < end && end <= length))
        faults.push(
          `span ${String(start)} to ${String(end)} of a block, in a text of ${String(length)}`,
        )
  }
  return faults
}

/** Mean share of a question's gold documents among the first k documents. */
export function recall(
  ranked: readonly (readonly string[])[],
  gold: readonly (readonly string[])[],
  k: number,
): number {
  let sum = 0
  ranked.forEach((ids, i) => {
    const first = new Set([...new Set(ids)].slice(0, k))
    const wanted = gold[i] ?? []
    sum += wanted.filter((id) => first.has(id)).length / wanted.length
  })
  return sum / ranked.length
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN
}
