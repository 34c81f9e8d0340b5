/** The name in the middle of the map: where it is mentioned, with what, and a way to ask about it. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Engine, EntityNeighbor, NamePassage } from '../../../src/index.ts'
import type { Asking } from '../../session/asking.ts'
import { words } from '../../words/words.ts'

/** Passages and neighbours listed of a name at most. */
const PASSAGES = 20
const NEIGHBOURS = 30

export interface NameDetailProps {
  readonly engine: Engine
  readonly name: string
  readonly asking: Asking
  readonly centre: (name: string | null) => void
}

interface Known {
  readonly label: string
  readonly passages: readonly NamePassage[]
  readonly neighbours: readonly EntityNeighbor[]
}

export function NameDetail({ engine, name, asking, centre }: NameDetailProps): JSX.Element {
  const known = useKnown(engine, name),
    t = words().graph
  if (!known) return <p class="small muted">{t.loading}</p>
  const { label, passages, neighbours } = known
  return (
    <section class="name-detail" aria-label={label}>
      <div class="block-head">
        <h3 dir="auto">{label}</h3>
        <button
          type="button"
          class="small-button"
          onClick={() => void asking.ask(words().ask.about(label))}
        >
          {t.askAbout}
        </button>
      </div>
      <p class="small muted">{t.neighbours}</p>
      <p class="name-neighbours">
        {neighbours.map((near) => (
          <button
            key={near.name}
            type="button"
            class="chip-button small"
            title={t.together(near.documents.length)}
            aria-label={t.centre(near.label)}
            onClick={() => {
              centre(near.name)
            }}
          >
            <bdi>{near.label}</bdi>
          </button>
        ))}
      </p>
      <p class="small muted">{t.passages}</p>
      <ul class="name-passages">
        {passages.map((passage) => (
          <li key={`${passage.documentId}\n${passage.start}`}>
            <button
              type="button"
              class="link small"
              onClick={() => {
                asking.openDocument(passage.documentId, passage.start)
              }}
            >
              <bdi>{passage.title === '' ? passage.documentId : passage.title}</bdi>
            </button>
            <p class="small excerpt" dir="auto">
              {passage.text}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function useKnown(engine: Engine, name: string): Known | null {
  const [known, setKnown] = useState<Known | null>(null)
  useEffect(() => {
    let gone = false
    Promise.all([
      engine.resolveEntities([name]),
      engine.passagesOf(name, { limit: PASSAGES }),
      engine.entityNeighbors(name, { limit: NEIGHBOURS }),
    ]).then(
      ([[found], passages, neighbours]) => {
        if (!gone) setKnown({ label: found?.label ?? name, passages, neighbours })
      },
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [engine, name])
  return known
}
