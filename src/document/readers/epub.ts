/** EPUB books: chapters in reading order, as pages of HTML. */
import { htmlToText } from './html.ts'
import { openOffice, resolvePath } from './office.ts'
import { oneDocument, unreadable, type Reader } from './reader.ts'
import { child, descendants, elements, textOf } from './xml.ts'

export const readEpub: Reader = async (file, context) => {
  const office = await openOffice(file, context)
  const container = office.xml('META-INF/container.xml')
  const opf = descendants(container, 'rootfile')[0]?.attributes.get('full-path') ?? ''
  const book = child(office.xml(opf), 'package')
  if (book === undefined)
    throw unreadable(file.path, 'the file is no EPUB book', 'get it again from where it was made')
  if (office.xml('META-INF/encryption.xml') !== undefined && office.names.length < 4)
    throw unreadable(file.path, 'the book is encrypted', 'add a copy without rights management')
  const items = new Map(
    elements(child(book, 'manifest'), 'item').map((item) => [
      item.attributes.get('id') ?? '',
      item,
    ]),
  )
  const parts: string[] = []
  for (const entry of elements(child(book, 'spine'), 'itemref')) {
    const item = items.get(entry.attributes.get('idref') ?? '')
    if (item === undefined || /\bnav\b/.test(item.attributes.get('properties') ?? '')) continue
    const href = decodeURI(safeHref(item.attributes.get('href') ?? ''))
    const html = office.text(resolvePath(opf, href))
    if (html !== undefined) parts.push(htmlToText(html).text)
  }
  const metadata = child(book, 'metadata')
  const said = (name: string): string => textOf(child(metadata, name)).trim()
  const labels = { author: said('creator'), lang: said('language') }
  return oneDocument(
    file.path,
    said('title').slice(0, 300),
    parts.filter((part) => part !== '').join('\n\n'),
    Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== '')),
  )
}

/** An address whose escapes are broken is taken as written. */
function safeHref(href: string): string {
  const plain = href.split('#', 1)[0]!
  return /%(?![\dA-Fa-f]{2})/.test(plain) ? plain.replaceAll('%', '%25') : plain
}
