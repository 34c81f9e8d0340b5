/**
 * Owns the question whether to open what a link points at, and the word where that cannot be.
 * Refuses: fetching before the answer.
 */
import type { JSX } from 'preact'
import type { OpenLink, RefusedLink } from '../platform/links.ts'
import { connectedOrigins, mayFetch } from '../platform/models.ts'
import { nameOfArchive } from '../platform/links.ts'
import type { Archives } from '../session/archives.ts'
import { corpusLabel } from '../words/corpus_name.ts'

const REFUSED: Readonly<Record<RefusedLink['refused'], string>> = {
  length: 'It is longer than the links this page makes.',
  address:
    'Its address is none of the web: archives are opened from http and https addresses, ' +
    'without a name and a password in them.',
}

/** Longer names are somebody's joke; the corpus gets a shorter one anyway. */
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
  return (
    <div class="notice warn" role="alert">
      <p class="notice-title">The link that brought you here cannot be opened</p>
      <p>
        {REFUSED[link.refused]} Nothing was fetched, and nothing was changed. Ask whoever sent it
        for the file, and drop that here.
      </p>
      <button
        type="button"
        onClick={() => {
          archives.decline()
        }}
      >
        Understood
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
    own = url.origin === location.origin,
    full = nameOfArchive(url.pathname),
    name = full.length > LONGEST_NAME ? `${full.slice(0, LONGEST_NAME)}…` : full
  const known = archives.knownAs(link),
    reachable = mayFetch(url, location.origin, connectedOrigins())
  return (
    <div class="notice offer-link" role="region" aria-label="A link wants to open a corpus">
      <p class="notice-title">
        {known === null ? (
          <>
            Open “<bdi>{name}</bdi>”?
          </>
        ) : (
          `“${corpusLabel(known)}” is already here`
        )}
      </p>
      {known === null && reachable && (
        <p>
          A link brought you here. The corpus is fetched from{' '}
          {own ? 'this site' : <strong>{url.origin}</strong>} and saved on this device; open it only
          if you trust who sent the link.
        </p>
      )}
      {!reachable && (
        <p class="warn">
          It lies at {url.origin}, and this page may fetch from its own address only. Download the
          archive there and drop it here instead.
        </p>
      )}
      {link.question !== '' && reachable && (
        <p class="small">
          Then it is asked: “<bdi>{link.question}</bdi>”
        </p>
      )}
      <div class="row">
        {(reachable || known !== null) && (
          <button type="button" class="primary" onClick={() => void archives.open(link)}>
            {known === null ? 'Open it' : 'Go there'}
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            archives.decline()
          }}
        >
          Not now
        </button>
      </div>
    </div>
  )
}
