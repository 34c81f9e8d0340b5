/** Parses Markdown with markdown-it, loaded when it is first needed. */
import MarkdownIt from 'markdown-it'
import { treeOf, type Node, type Token } from './tree.ts'

/**
 * What of a text is markup: all of Markdown, or only the headings, lists, tables and rules that
 * hubmesh writes when it reads a page or an office file, whose own stars and brackets are text.
 */
export type Markup = 'markdown' | 'structure'

const OPTIONS = { html: false, linkify: false, typographer: false } as const,
  PARSERS: Readonly<Record<Markup, InstanceType<typeof MarkdownIt>>> = {
    markdown: new MarkdownIt(OPTIONS),
    structure: new MarkdownIt(OPTIONS).disable([
      ...['emphasis', 'strikethrough', 'link', 'image', 'autolink', 'entity', 'backticks'],
      ...['reference', 'code', 'lheading'],
    ]),
  }

export function parseMarkdown(text: string, markup: Markup): readonly Node[] {
  return treeOf(text, PARSERS[markup].parse(text, {}) as unknown as readonly Token[])
}
