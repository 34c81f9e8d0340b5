/** The sample corpus that is served with the page, from its own origin. */

export const SAMPLE = {
  corpus: 'hotpotqa-sample',
  label: 'Wikipedia sample',
  passages: 994,
} as const

const FOLDER = `${import.meta.env.BASE_URL}samples/hotpotqa_train100/`

/**
 * Questions shown first: each needs two passages, none gives its answer away, and names and words
 * alone mark it.
 */
const FIRST: readonly string[] = [
  'Jean Vander Pyl provided the voice of Rosie on the Hanna-Barbera animated sitcom that ' +
    'originally premiered on which date?',
  'Who directed the film that was shot in or around Leland, North Carolina in 1986',
  'To which country was the historical figure used for the basis of the novel Strandloper transported to?',
  'Who directed the film in which Jung Joon-young made his big screen debut?',
  'The writer of the song "Death of Samantha" was the second wife of what singer?',
]

/** The sample as a file, as if it had been dropped. */
export async function fetchSample(signal: AbortSignal): Promise<File> {
  let status: string
  try {
    const response = await fetch(`${FOLDER}corpus.jsonl`, { signal })
    if (response.status === 200)
      return new File([await response.blob()], 'corpus.jsonl', { type: 'application/jsonl' })
    status = `its server answered ${response.status}`
  } catch (error) {
    if (signal.aborted) throw error
    status = 'its server does not answer'
  }
  throw Object.assign(new Error(`The sample corpus could not be fetched: ${status}.`), {
    code: 'remote/unavailable',
  })
}

/** Its questions, the best to begin with first. */
export async function fetchSampleQuestions(): Promise<readonly string[]> {
  const response = await fetch(`${FOLDER}queries.jsonl`)
  if (response.status !== 200) return []
  return orderQuestions(await response.text(), FIRST)
}

/**
 * Questions of JSON lines, those of `first` before the others; lines that are no question are
 * passed over.
 */
export function orderQuestions(lines: string, first: readonly string[]): readonly string[] {
  const all: string[] = []
  for (const line of lines.split('\n')) {
    if (line.trim() === '') continue
    const value: unknown = JSON.parse(line)
    const question =
      typeof value === 'object' && value !== null && 'question' in value ? value.question : null
    if (typeof question === 'string' && question.length < 170) all.push(question)
  }
  const known = new Set(all)
  const lead = first.filter((question) => known.has(question))
  return [...lead, ...all.filter((question) => !lead.includes(question))]
}
