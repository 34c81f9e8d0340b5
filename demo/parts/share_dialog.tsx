/**
 * Owns making a link that opens this corpus elsewhere. Refuses: uploading anything; where the file
 * lies is the person's business.
 */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { writeLink } from '../platform/links.ts'
import { connectedOrigins, mayFetch, readAddress } from '../platform/models.ts'
import type { Archives } from '../session/archives.ts'
import type { State } from '../session/state.ts'
import { corpusLabel } from '../words/corpus_name.ts'
import { CopyButton } from './copy_button.tsx'
import { Modal } from './modal.tsx'

export function ShareDialog({
  state,
  archives,
  close,
}: {
  readonly state: State
  readonly archives: Archives
  readonly close: () => void
}): JSX.Element {
  const corpus = state.corpus ?? ''
  const [address, setAddress] = useState(state.settings.origins.get(corpus) ?? `${corpus}.hubmesh`)
  const [withQuestion, setWithQuestion] = useState(state.asked !== '')
  const url = address.trim() === '' ? null : readAddress(address, location.href)
  const reachable = url !== null && mayFetch(url, location.origin, connectedOrigins())
  const link =
    url === null
      ? ''
      : writeLink(location.href, { url: address.trim(), question: withQuestion ? state.asked : '' })
  return (
    <Modal title={`Share ${corpusLabel(corpus)}`} close={close}>
      <ol class="steps share-steps">
        <li>
          <strong>Save it as a file.</strong> It holds texts, vectors and names: whoever has it can
          read the documents.{' '}
          <button
            type="button"
            class="small-button"
            disabled={state.exporting}
            onClick={() => void archives.save()}
          >
            {state.exporting ? 'Saving' : 'Save the file'}
          </button>
        </li>
        <li>
          <strong>Put it on a server,</strong> best beside this page, and say where:
          <input
            type="text"
            aria-label="Address of the archive"
            inputMode="url"
            spellcheck={false}
            autocomplete="off"
            value={address}
            onInput={(event) => {
              setAddress(event.currentTarget.value)
            }}
          />
          {url === null && <span class="small warn">This is no address.</span>}
          {url !== null && !reachable && (
            <span class="small warn">
              This page may not fetch from {url.origin}: its security policy allows its own address
              only. The link works on a page that may.
            </span>
          )}
        </li>
        <li>
          <strong>Send the link.</strong> Who opens it is asked first.
          {state.asked !== '' && (
            <label class="small check">
              <input
                type="checkbox"
                checked={withQuestion}
                onChange={(event) => {
                  setWithQuestion(event.currentTarget.checked)
                }}
              />{' '}
              Ask “{state.asked}” there
            </label>
          )}
          <span class="row link-row">
            <input
              type="text"
              readOnly
              aria-label="Link"
              value={link}
              onFocus={(event) => {
                event.currentTarget.select()
              }}
            />
            <CopyButton text={link} label="Copy" what="Link" disabled={url === null} />
          </span>
        </li>
      </ol>
    </Modal>
  )
}
