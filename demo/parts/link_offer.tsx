/** Owns the question whether to open what a link points at. Refuses: fetching before the answer. */
import type { JSX } from 'preact'
import type { OpenLink } from '../platform/links.ts'
import { connectedOrigins, mayFetch } from '../platform/models.ts'
import { nameOfArchive } from '../platform/links.ts'
import type { Archives } from '../session/archives.ts'
import { corpusLabel } from '../words/corpus_name.ts'

export function LinkOffer({ link, archives }: { readonly link: OpenLink; readonly archives: Archives }): JSX.Element {
  const url = new URL(link.url), own = url.origin === location.origin
  const known = archives.knownAs(link), reachable = mayFetch(url, location.origin, connectedOrigins())
  return (
    <div class="notice offer-link" role="region" aria-label="A link wants to open a corpus">
      <p class="notice-title">{known === null ? `Open “${nameOfArchive(url.pathname)}”?` : `“${corpusLabel(known)}” is already here`}</p>
      {known === null && reachable && <p>A link brought you here. The corpus is fetched from {own ? 'this site' : <strong>{url.origin}</strong>} and saved on this device; open it only if you trust who sent the link.</p>}
      {!reachable && <p class="warn">It lies at {url.origin}, and this page may fetch from its own address only. Download the archive there and drop it here instead.</p>}
      {link.question !== '' && reachable && <p class="small">Then it is asked: “{link.question}”</p>}
      <div class="row">
        {(reachable || known !== null) && <button type="button" class="primary" onClick={() => void archives.open(link)}>{known === null ? 'Open it' : 'Go there'}</button>}
        <button type="button" onClick={() => { archives.decline() }}>Not now</button>
      </div>
    </div>
  )
}
