/**
 * HTML to text with light Markdown (headings, items, table rows, code) for the chunker: the article
 * where the page has one, without navigation, banners and footers.
 */
import { Tokenizer } from 'htmlparser2'
import { decodeText } from './decode.ts'
import { HtmlExtractor, type HtmlScope } from './html_extractor.ts'
import { HtmlWriter } from './html_writer.ts'
import { oneDocument, unreadable, type Reader } from './reader.ts'
import { declaredXmlCharset } from './xml_file.ts'

/** Bytes in which a page declares its charset (HTML Standard, 13.2.3.2). */
const CHARSET_BYTES = 1024
/** Share of the text outside boilerplate that `<main>` and `<article>` must hold to be the page. */
const MAIN_SHARE = 0.3
/** Below this share of all text what is left without boilerplate is too little to be the page. */
const CONTENT_SHARE = 0.2

/** One document; its title is `<title>`, else the first heading; `lang` is kept. */
export const readHtml: Reader = async (file, context) => {
  const bytes = await file.bytes()
  const html = await decodeText(bytes, file.path, context, declaredCharset(bytes))
  const { title, text, lang } = htmlToText(html)
  if (text === '')
    throw unreadable(
      file.path,
      'the page holds no text outside scripts and styles',
      'leave it out, or save it after its scripts have run',
    )
  return oneDocument(file.path, title, text, lang === '' ? {} : { lang })
}

export interface HtmlText {
  readonly title: string
  readonly text: string
  readonly lang: string
}

/** Linear in the length of the text; never throws. */
export function htmlToText(html: string): HtmlText {
  const all = extract(html, 'all'),
    content = extract(html, 'content'),
    main = extract(html, 'main')
  if (main.text.length > MAIN_SHARE * content.text.length && main.text !== '')
    return { ...main, title: all.title, lang: all.lang }
  const best = content.text.length > CONTENT_SHARE * all.text.length ? content : all
  return { ...best, title: all.title, lang: all.lang }
}

function extract(html: string, scope: HtmlScope): HtmlText {
  const writer = new HtmlWriter()
  const extractor = new HtmlExtractor(html, writer, scope)
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, extractor)
  tokenizer.write(html)
  tokenizer.end()
  extractor.finish()
  return { title: extractor.title(), text: writer.text(), lang: extractor.lang }
}

function declaredCharset(bytes: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, CHARSET_BYTES))
  return (
    declaredXmlCharset(bytes) ??
    /<meta\s[^>]{0,200}charset *= *["']?([\w-]{1,40})/i.exec(start)?.[1] ??
    null
  )
}
