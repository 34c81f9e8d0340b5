/** Members of zipped office files, within the bounds of a hostile zip. */
import { HubmeshError, isHubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { readZip } from '../zip.ts'
import { unreadable, shown, type ReaderContext, type SourceFile } from './reader.ts'
import { child, parseXml, textOf, type XmlNode } from './xml.ts'

export interface OfficeFile {
  readonly path: string
  /** The tree of a member; undefined where there is none. */
  xml(name: string): XmlNode | undefined
  /** The relations of a part by their id: the target's path within the file. */
  relations(part: string): ReadonlyMap<string, string>
  text(name: string): string | undefined
  readonly names: readonly string[]
}

/** Magic of the compound files in which Office keeps what a password locks. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0]

/** Unpacks what is text of the file: pictures and fonts stay packed. */
export async function openOffice(file: SourceFile, context: ReaderContext): Promise<OfficeFile> {
  const { path } = file
  const bytes = await file.bytes()
  if (COMPOUND.every((byte, i) => bytes[i] === byte))
    throw unreadable(
      path,
      'the file is locked with a password, or of the format before 2007',
      'save it without a password in the current format',
    )
  const members = await unpack(path, bytes, context)
  const decoder = new TextDecoder()
  const text = (name: string): string | undefined => {
    const member = members.get(name)
    return member === undefined ? undefined : decoder.decode(member)
  }
  const xml = (name: string): XmlNode | undefined => {
    const source = text(name)
    return source === undefined ? undefined : parseXml(source, path)
  }
  return {
    path,
    xml,
    text,
    names: [...members.keys()],
    relations: (part) => {
      const slash = part.lastIndexOf('/')
      const list = xml(`${part.slice(0, slash + 1)}_rels/${part.slice(slash + 1)}.rels`)
      const found = (child(list, 'Relationships')?.children ?? []) as readonly (XmlNode | string)[]
      return new Map(
        found.flatMap((one) =>
          typeof one === 'string'
            ? []
            : [
                [
                  one.attributes.get('Id') ?? '',
                  resolvePath(part, one.attributes.get('Target') ?? ''),
                ] as const,
              ],
        ),
      )
    },
  }
}

async function unpack(
  path: string,
  bytes: Uint8Array,
  { signal, limits }: ReaderContext,
): Promise<Map<string, Uint8Array>> {
  try {
    return await readZip(bytes, (name) => /\.(?:xml|rels|opf|ncx|x?html?)$/i.test(name), {
      mostBytes: limits.mostUnpackedBytes ?? LIMITS.officeBytes,
      mostMembers: LIMITS.officeMembers,
      ...(signal ? { signal } : {}),
    })
  } catch (error) {
    if (!isHubmeshError(error) || error.code === 'aborted') throw error
    throw new HubmeshError(
      error.code === 'archive/too-large' ? 'input/too-large' : 'input/invalid',
      `${shown(path)}: ${error.message}`,
      { cause: error, details: { file: path.slice(0, 200) } },
    )
  }
}

/** A target relative to the part that names it. */
export function resolvePath(part: string, target: string): string {
  const parts = target.startsWith('/') ? [] : part.split('/').slice(0, -1)
  for (const step of target.split('/')) {
    if (step === '..') parts.pop()
    else if (step !== '' && step !== '.') parts.push(step)
  }
  return parts.join('/')
}

/** Title and author of docProps/core.xml, where the file says them. */
export function officeProperties(office: OfficeFile): {
  readonly title: string
  readonly metadata: Record<string, string>
} {
  const core = child(office.xml('docProps/core.xml'), 'coreProperties')
  const author = textOf(child(core, 'creator')).trim()
  return {
    title: textOf(child(core, 'title')).trim().slice(0, 300),
    metadata: author === '' ? {} : { author },
  }
}

/** Rows as Markdown: the first is the header, merged cells are filled in by the caller. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell) => cell.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')).join(' | ')} |`
  const [first, ...rest] = filled
  if (first === undefined) return ''
  return [line(first), `|${' --- |'.repeat(first.length)}`, ...rest.map(line)].join('\n')
}
