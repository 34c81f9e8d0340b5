/** English words of the thread: question, card, path, context, written answer. */
import { counted, grouped } from '../format.ts'

export const ask = {
  label: 'Your question',
  placeholder: 'Ask your documents',
  followUp: 'Ask a follow-up question',
  begin: (documents: number) => `${counted(documents, 'document')} here. Ask in your own words.`,
  ask: 'Ask',
  examples: 'Questions to try',
  before: 'Asked before',
  other: 'Other questions',
  mentioned: 'Often mentioned here:',
  waitDeleting: 'The collection is being deleted',
  waitOpening: 'Getting your documents ready',
  waitNone: 'No collection is open',
  waitEmpty: 'No documents yet',
  looking: 'Looking…',
  about: (name: string) => `What is said about ${name}?`,
}

export const welcome = {
  lead: 'Drop documents, ask in your own words, and see the sentence that answers, in its place.',
  empty: (name: string) => `“${name}” is empty. Drop documents on the page and ask.`,
  example: 'An example, answered just now in this page',
  own: 'Add your documents',
  sample: 'Load the sample',
  openSample: 'Open the sample',
  privacy:
    'Your files are read and searched in this page. There is no server and no account, and it works offline.',
  loading: 'Preparing an example…',
}

export const card = {
  found: 'Answer',
  unsure: 'Not sure: these come nearest',
  none: 'Probably not in your documents',
  nothing: 'Nothing was found',
  nothingHelp: 'Try other words, or take back what is left out.',
  unknown: (names: string) => `Not a name in these documents: ${names}.`,
  nearest: 'What comes nearest',
  openPlace: 'Open in place',
  openTitle: (title: string) => `Open ${title} in place`,
  copyQuote: 'Copy quote',
  copyTitle: (title: string) => `Copy quote of ${title} with its source`,
  quote: 'Quote',
  page: (n: number) => `page ${grouped(n)}`,
  readAs: (question: string) => `Read as: ${question}`,
  takenOver: (words: string) => `With what was said before: ${words}`,
  why: 'Why this answer',
  improving: 'Meaning is still being computed; this answer improves by itself.',
  announceFound: (title: string, text: string) => `Answer from ${title}: ${text}`,
  announceUnsure: 'Not sure. The nearest quotes are shown.',
  announceNone: 'Probably not in your documents.',
  improved: 'The answer was improved.',
  again: 'Ask again',
  compare: 'Compare…',
}

export const path = {
  title: 'Reasoning path',
  names: 'Name',
  document: 'Document',
  none: 'No chain of names leads to these quotes: they were found by words and meaning.',
  weak: 'A weak link: take it as a hint.',
}

export const context = {
  title: 'Packed context',
  used: (used: number, budget: number) => `${grouped(used)} of ${grouped(budget)} tokens`,
  budget: 'Budget',
  tokens: (n: number) => `${grouped(n)} tokens`,
  block: (n: number, title: string) => `Block ${n}: ${title}`,
  blocks: (n: number) => counted(n, 'block'),
  unfoldAll: 'Unfold all',
  fold: 'Fold',
  unfold: 'Unfold',
  tooSmall: (budget: number) =>
    `Not even the shortest piece fits into ${grouped(budget)} tokens. Move the budget up.`,
  omitted: (n: number) => `${counted(n, 'ranked passage')} left out`,
  source: (rank: number) => `Why: source ${rank}`,
  what: 'Context',
}

export const omissions = {
  budget: 'did not fit into the budget',
  duplicate: 'says the same as a passage already in',
  'document-share': 'its document already fills its share of the budget',
  'nothing-new': 'adds nothing new',
  relevance: 'is hardly about the question',
}

export const written = {
  title: 'Written answer',
  stop: 'Stop',
  write: 'Write an answer',
  again: 'Write it again',
  packing: (by: string) => `Packing quotes for ${by}.`,
  reading: (by: string, quotes: number) => `${by} is reading ${counted(quotes, 'quote')}.`,
  stopped: 'Stopped.',
  cites: (numbers: string, one: boolean) =>
    `It cites ${numbers}, which no quote has: do not trust what stands before ${one ? 'it' : 'them'}.`,
  citesNothing: 'It cites nothing: what it says is not shown to be in your documents.',
  silent: 'The model said nothing.',
  cut: 'It was cut off at its longest. The language model’s settings let an answer be longer.',
  stale: 'The quotes below have changed since it was written.',
  by: (by: string) => `By ${by}, from`,
  window: (used: number, window: number) => `${grouped(used)} of ${grouped(window)} tokens`,
  err: 'Models err: follow the numbers.',
  quote: (n: number, title: string) => `Quote ${n}: ${title}`,
  noQuote: 'No quote has this number',
  announce: (n: number) => `Answer written, ${counted(n, 'passage')} cited.`,
  offer: 'A language model can write an answer from these quotes.',
  choose: 'Choose one',
}
