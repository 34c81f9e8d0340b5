/** The documents of the open collection: search, sort, state, size; open, replace, remove. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Asking } from '../../session/asking.ts'
import type { Corpora } from '../../session/corpora.ts'
import { listAll, type DocumentLine } from '../../session/documents.ts'
import type { State } from '../../session/state.ts'
import { arranged, SORTS, type Sort } from '../../words/arrange.ts'
import { words } from '../../words/words.ts'
import { DocumentRow } from './document_row.tsx'

/** Rows drawn at once; more on demand, so that 10,000 files are a list like any other. */
const AT_ONCE = 100

export interface DocumentsListProps {
  readonly state: State
  readonly corpora: Corpora
  readonly asking: Asking
}

export function DocumentsList({ state, corpora, asking }: DocumentsListProps): JSX.Element {
  const lines = useLines(state),
    [search, setSearch] = useState(''),
    [sort, setSort] = useState<Sort>('added'),
    [limit, setLimit] = useState(AT_ONCE),
    t = words().list
  const found = useMemo(() => arranged(lines, search, sort), [lines, search, sort])
  return (
    <section class="block documents" aria-labelledby="documents-title">
      <div class="block-head">
        <h3 id="documents-title">{t.title}</h3>
        <label class="small muted sort">
          <span class="sr-only">{t.sort}</span>
          <select
            value={sort}
            onChange={(event) => {
              setSort(event.currentTarget.value as Sort)
            }}
          >
            {SORTS.map((id) => (
              <option key={id} value={id}>
                {t.sorts[id]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {lines.length > 5 && (
        <input
          type="search"
          aria-label={t.search}
          placeholder={t.search}
          value={search}
          dir="auto"
          onInput={(event) => {
            setSearch(event.currentTarget.value)
            setLimit(AT_ONCE)
          }}
        />
      )}
      <ul class="document-list">
        {found.slice(0, limit).map((line) => (
          <DocumentRow key={line.id} line={line} state={state} corpora={corpora} asking={asking} />
        ))}
      </ul>
      {lines.length > 0 && found.length === 0 && <p class="small muted">{t.nothing}</p>}
      {found.length > limit && (
        <button
          type="button"
          class="link small"
          onClick={() => {
            setLimit(limit + 10 * AT_ONCE)
          }}
        >
          {t.more(found.length - limit)}
        </button>
      )}
    </section>
  )
}

/** The list as it was when the corpus last changed; meaning counts while it comes. */
function useLines({ engine, status }: State): readonly DocumentLine[] {
  const [lines, setLines] = useState<readonly DocumentLine[]>([])
  // Hundreds of vectors at a time: the list of a large corpus is not read at every one.
  const step = Math.floor((status?.passagesWithVectors ?? 0) / 256),
    complete = status !== null && status.passagesWithVectors >= status.passages
  useEffect(() => {
    if (!engine) return
    let gone = false
    const timer = setTimeout(() => {
      listAll(engine, setLines, () => gone).catch(() => undefined)
    }, 50)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [engine, status?.generation, status?.documents, step, complete])
  return lines
}
