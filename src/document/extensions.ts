/** File extensions that can be read, by the reader that takes them. */
export const EXTENSIONS = {
  text: 'txt text log rst adoc org tex yaml yml toml ini cfg conf properties',
  markdown: 'md markdown mdx',
  html: 'html htm xhtml',
  json: 'json',
  lines: 'jsonl ndjson',
  table: 'csv tsv',
  xml: 'xml rss atom',
  pdf: 'pdf',
  docx: 'docx',
  xlsx: 'xlsx xlsm',
  pptx: 'pptx',
  odt: 'odt',
  epub: 'epub',
  rtf: 'rtf',
  notebook: 'ipynb',
  mail: 'eml',
  mailbox: 'mbox',
  subtitles: 'vtt srt',
  archive: 'zip',
  code:
    'js mjs cjs jsx ts mts cts tsx py pyi rb go rs java kt kts swift c h cc cpp cxx hpp cs php pl ' +
    'pm lua r jl scala sh bash zsh ps1 bat sql css scss less vue svelte dart ex exs erl hs ml ' +
    'clj groovy gradle proto graphql tf',
} as const

export type Format = keyof typeof EXTENSIONS

/** Extensions that `add` reads, in lower case and without the dot. */
export const READABLE_EXTENSIONS: readonly string[] = Object.values(EXTENSIONS).flatMap((list) =>
  list.split(' '),
)
