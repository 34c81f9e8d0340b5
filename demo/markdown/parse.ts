/** Parses Markdown with markdown-it, loaded when it is first needed. */
import MarkdownIt from 'markdown-it'
import { treeOf, type Node, type Token } from './tree.ts'

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false })

export function parseMarkdown(text: string): readonly Node[] {
  return treeOf(text, parser.parse(text, {}) as unknown as readonly Token[])
}
