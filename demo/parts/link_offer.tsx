/** Asks whether to open what a link points at; nothing is fetched before the answer. */
import type { JSX } from 'preact'
import type { OpenLink, RefusedLink } from '../platform/links.ts'
import { connectedOrigins, mayFetch } from '../platform/models.ts'
import { nameOfArchive } from '../platform/links.ts'
import type { Archives } from '../session/archives.ts'
import { corpusLabel } from '../words/corpus_name.ts'
import { words } from '../words/words.ts'

/** Longer names are cut; the corpus gets a shorter one anyway. */
const LONGEST_NAME = 80

export function LinkOffer({
  link,
  archives,
}: {
  readonly link: OpenLink | RefusedLink
  readonly archives: Archives
}): JSX.Element {
  return 'refused' in link ? (
    <Refused link={link} archives={archives} />
  ) : (
    <Offer link={link} archives={archives} />
  )
}

function Refused({
  link,
  archives,
}: {
  readonly link: RefusedLink
  readonly archives: Archives
}): JSX.Element {
  const t = words().link
  return (
    <div class="notice warn" role="alert">
      <p class="notice-title">{t.refusedTitle}</p>
      <p>
        {link.refused === 'length' ? t.refusedLength : t.refusedAddress} {t.refusedHelp}
      </p>
      <button
        type="button"
        onClick={() => {
          archives.decline()
        }}
      >
        {t.understood}
      </button>
    </div>
  )
}

function Offer({
  link,
  archives,
}: {
  readonly link: OpenLink
  readonly archives: Archives
}): JSX.Element {
  const url = new URL(link.url),
    t = words().link,
    full = nameOfArchive(url.pathname),
    name = full.length > LONGEST_NAME ? `${full.slice(0, LONGEST_NAME)}…` : full
  const known = archives.knownAs(link),
    reachable = mayFetch(url, location.origin, connectedOrigins())
  return (
    <div class="notice offer-link" role="region" aria-label={t.region}>
      <p class="notice-title">
        {known === null ? (
          <>
            {t.openQuestion} “<bdi>{name}</bdi>”?
          </>
        ) : (
          t.alreadyHere(corpusLabel(known))
        )}
      </p>
      {known === null && reachable && (
        <p>{t.fetched(url.origin === location.origin ? t.thisSite : url.origin)}</p>
      )}
      {!reachable && <p class="warn">{t.unreachable(url.origin)}</p>}
      {link.question !== '' && reachable && (
        <p class="small">
          {t.thenAsked} “<bdi>{link.question}</bdi>”
        </p>
      )}
      <div class="row">
        {(reachable || known !== null) && (
          <button type="button" class="primary" onClick={() => void archives.open(link)}>
            {known === null ? t.open : t.goThere}
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            archives.decline()
          }}
        >
          {t.notNow}
        </button>
      </div>
    </div>
  )
}
