/** Makes a link that opens this collection elsewhere; nothing is uploaded. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { writeLink } from '../../platform/links.ts'
import { connectedOrigins, mayFetch, readAddress } from '../../platform/models.ts'
import type { Archives } from '../../session/archives.ts'
import type { State } from '../../session/state.ts'
import { corpusLabel } from '../../words/corpus_name.ts'
import { words } from '../../words/words.ts'
import { CopyButton } from '../copy_button.tsx'
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
  const link =
    url === null
      ? ''
      : writeLink(location.href, { url: address.trim(), question: withQuestion ? state.asked : '' })
  const t = words().share
  return (
    <Modal title={t.title(corpusLabel(corpus))} close={close}>
      <ol class="steps share-steps">
        <li>
          <strong>{t.save}</strong> {t.saveHelp}{' '}
          <button
            type="button"
            class="small-button"
            disabled={state.exporting}
            onClick={() => void archives.save()}
          >
            {state.exporting ? t.saving : t.saveFile}
          </button>
        </li>
        <Address address={address} setAddress={setAddress} />
        <li>
          <strong>{t.send}</strong> {t.sendHelp}
          {state.asked !== '' && (
            <label class="small check">
              <input
                type="checkbox"
                checked={withQuestion}
                onChange={(event) => {
                  setWithQuestion(event.currentTarget.checked)
                }}
              />{' '}
              {t.askThere(state.asked)}
            </label>
          )}
          <LinkRow link={link} disabled={url === null} />
        </li>
      </ol>
    </Modal>
  )
}

function Address({
  address,
  setAddress,
}: {
  readonly address: string
  readonly setAddress: (address: string) => void
}): JSX.Element {
  const t = words().share,
    url = address.trim() === '' ? null : readAddress(address, location.href)
  return (
    <li>
      <strong>{t.put}</strong> {t.putHelp}
      <input
        type="text"
        aria-label={t.address}
        inputMode="url"
        spellcheck={false}
        autocomplete="off"
        value={address}
        onInput={(event) => {
          setAddress(event.currentTarget.value)
        }}
      />
      {url === null && <span class="small warn">{t.noAddress}</span>}
      {url !== null && !mayFetch(url, location.origin, connectedOrigins()) && (
        <span class="small warn">{t.unreachable(url.origin)}</span>
      )}
    </li>
  )
}

function LinkRow({
  link,
  disabled,
}: {
  readonly link: string
  readonly disabled: boolean
}): JSX.Element {
  const t = words().share
  return (
    <span class="row link-row">
      <input
        type="text"
        readOnly
        aria-label={t.link}
        value={link}
        onFocus={(event) => {
          event.currentTarget.select()
        }}
      />
      <CopyButton text={link} label={words().page.copy} what={t.link} disabled={disabled} />
    </span>
  )
}
