/** Mails (RFC 5322, MIME) and mailboxes: headers as lines, the text, names of what is attached. */
import { append } from '../../base/grown.ts'
import type { DocumentInput } from '../../types.ts'
import { isHubmeshError, throwIfAborted } from '../../base/errors.ts'
import { htmlToText } from './html.ts'
import { oneDocument, unreadable, type Reader } from './reader.ts'
import { withoutData } from './text.ts'

/** Bytes of one mail, its attachments among them. */
const MAIL_BYTES = 64 * 1024 * 1024
/** Parts within parts; real mails have five. */
const MOST_DEPTH = 20

export const readMail: Reader = async (file) => [
  ...(await mailDocuments(await file.bytes(), file.path)),
]

/** Mails parted by lines that begin `From ` (RFC 4155); `>From ` is undone. */
export const readMailbox: Reader = async (file, context) => {
  const source = new TextDecoder('latin1').decode(await file.bytes())
  const starts = [...source.matchAll(/^From [^\n]*\n/gm)]
  if (starts.length === 0)
    throw unreadable(file.path, 'the mailbox has no line that begins a mail', 'export it as mbox')
  const out: DocumentInput[] = []
  for (const [i, start] of starts.entries()) {
    throwIfAborted(context.signal)
    const end = starts[i + 1]?.index ?? source.length
    const mail = source.slice(start.index + start[0].length, end).replace(/^>(>*From )/gm, '$1')
    const bytes = Uint8Array.from(mail, (character) => character.charCodeAt(0))
    try {
      append(out, await mailDocuments(bytes, `${file.path}#${i}`))
    } catch (error) {
      if (!isHubmeshError(error)) throw error
      context.reject(`${file.path}#${i}`, error)
    }
  }
  return out
}

async function mailDocuments(bytes: Uint8Array, path: string): Promise<DocumentInput[]> {
  if (bytes.length > MAIL_BYTES)
    throw unreadable(path, `the mail has ${bytes.length} bytes`, 'save it without attachments')
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(Uint8Array.from(bytes), {
    maxNestingDepth: MOST_DEPTH,
    forceRfc822Attachments: true,
  }).catch(() => {
    throw unreadable(path, 'the mail cannot be read', 'save it again from the mail program')
  })
  const people = (list: readonly Address[] | undefined): string =>
    (list ?? [])
      .slice(0, 50)
      .map(({ name = '', address = '' }) => (name === '' ? address : `${name} <${address}>`))
      .join(', ')
  const from = people(mail.from ? [mail.from] : []),
    to = people(mail.to),
    attached = mail.attachments.flatMap(({ filename }) => (filename ? [filename] : []))
  const date = new Date(mail.date ?? '')
  const day = Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 16).replace('T', ' ')
  const head = [
    ['From', from],
    ['To', to],
    ['Date', day],
    ['Attachments', attached.join(', ')],
  ].filter(([, value]) => value !== '')
  const body = mail.text?.trim() ? mail.text : htmlToText(mail.html ?? '').text
  const text = `${head.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${withoutData(body).trim()}`
  return oneDocument(path, (mail.subject ?? '').slice(0, 300), text.trim(), {
    kind: 'mail',
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
    ...(day === '' ? {} : { date: day }),
  })
}

interface Address {
  readonly name?: string | undefined
  readonly address?: string | undefined
}
