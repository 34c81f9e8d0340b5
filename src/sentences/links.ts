/**
 * What a sentence adds to another one that it is linked with: one of them names what the other's
 * passage is about. The end of a chain of two facts has little of the question by itself, and much
 * together with its beginning.
 */
import type { RawSentence, SentenceRequest } from './raw_sentences.ts'

export interface Links {
  /** Share of the question in the sentence and its best partner; its own without a partner. */
  readonly linkTerms: number
  /** Part of it that the partner lacks, and of that what is not in a title. */
  readonly linkGain: number
  readonly linkNews: number
  /** 1 / (1 + rank) of the best passage whose subject it names, and of the best that names its own. */
  readonly linksTo: number
  readonly linkedFrom: number
}

/** Passages whose sentences are partners. */
const PARTNERS = 6
/** Partners that are looked at, of one sentence. */
const MOST_PARTNERS = 48

export function linksOf(
  raws: readonly RawSentence[],
  { passages, index, terms, seeds }: SentenceRequest,
): Links[] {
  const subjects = passages.map(({ slot }) => index.aboutOf(slot)),
    naming = new Map<number, RawSentence[]>(),
    about = new Map<number, RawSentence[]>()
  const put = (map: Map<number, RawSentence[]>, name: number, raw: RawSentence): void => {
    const list = map.get(name)
    if (list) list.push(raw)
    else map.set(name, [raw])
  }
  for (const raw of raws) {
    if (raw.passage >= PARTNERS) continue
    for (const name of raw.names) if (!seeds.has(name)) put(naming, name, raw)
    const subject = subjects[raw.passage]!
    if (subject >= 0 && !seeds.has(subject)) put(about, subject, raw)
  }
  return raws.map((raw) => {
    const subject = subjects[raw.passage]!,
      others = (list: readonly RawSentence[] | undefined): RawSentence[] =>
        (list ?? []).filter(({ passage }) => passage !== raw.passage).slice(0, MOST_PARTNERS),
      from = subject >= 0 ? others(naming.get(subject)) : [],
      to = [...raw.names].flatMap((name) => others(about.get(name))).slice(0, MOST_PARTNERS),
      own = raw.mask | raw.titleMask,
      nearest = (list: readonly RawSentence[]): number =>
        list.length === 0 ? 0 : 1 / (1 + Math.min(...list.map(({ passage }) => passage)))
    let best = own,
      most = terms.share(own)
    for (const partner of [...from, ...to]) {
      const share = terms.share(own | partner.mask | partner.titleMask)
      if (share <= most + 1e-12) continue
      most = share
      best = partner.mask | partner.titleMask
    }
    const linked = from.length + to.length > 0
    return {
      linkTerms: most,
      linkGain: linked ? terms.share(own & ~best) : 0,
      linkNews: linked ? terms.share(raw.mask & ~raw.titleMask & ~best) : 0,
      linksTo: nearest(to),
      linkedFrom: nearest(from),
    }
  })
}
