/** XML files of any vocabulary: leaves as `name: text` lines, feeds and prose as paragraphs. */
import { decodeText } from './decode.ts'
import { oneDocument, type Reader } from './reader.ts'
import { descendants, elements, parseXml, textOf, type XmlNode } from './xml.ts'

export const readXml: Reader = async (file, context) => {
  const bytes = await file.bytes()
  const text = await decodeText(bytes, file.path, context, declaredXmlCharset(bytes))
  const root = parseXml(text, file.path)
  const lines: string[] = []
  for (const top of elements(root)) write(top, lines)
  const title = descendants(root, 'title')[0]
  return oneDocument(file.path, textOf(title).trim().slice(0, 300), lines.join('\n').trim())
}

export function declaredXmlCharset(bytes: Uint8Array): string | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  return /^<\?xml\s[^>]{0,100}encoding=["']([\w-]{1,40})["']/.exec(start.trimStart())?.[1] ?? null
}

function write(node: XmlNode, lines: string[]): void {
  const inner = elements(node)
  const own = node.children.some((one) => typeof one === 'string' && /\S/.test(one))
  const said = [...node.attributes].filter(
    ([name, value]) => value !== '' && !name.startsWith('xml') && !name.includes(':'),
  )
  if (inner.length > 0 && !own) {
    if (lines.length > 0 && lines.at(-1) !== '') lines.push('')
    for (const [name, value] of said) lines.push(`${node.name} ${name}: ${value}`)
    for (const one of inner) write(one, lines)
    return
  }
  const text = textOf(node).replace(/\s+/g, ' ').trim()
  const labels = said.map(([name, value]) => `${name} ${value}`).join(', ')
  if (text !== '' || labels !== '')
    lines.push(`${node.name}${labels === '' ? '' : ` (${labels})`}: ${text}`)
}
