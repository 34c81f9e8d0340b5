/** Markdown as elements of a short list; text as it is until the parser is there. */
import { createElement, type ComponentChild, type JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Node, Text } from '../markdown/tree.ts'

/** By the ending of its file. */
export function isMarkdown(documentId: string): boolean {
  return /\.(md|markdown)$/i.test(documentId)
}

type Parse = (text: string) => readonly Node[]
let loaded: Parse | null = null

/** The parser, null until it is loaded. */
export function useMarkdown(): Parse | null {
  const [parse, setParse] = useState<{ readonly run: Parse | null }>({ run: loaded })
  useEffect(() => {
    if (loaded !== null) return
    let gone = false
    import('../markdown/parse.ts').then(
      ({ parseMarkdown }) => {
        loaded = parseMarkdown
        if (!gone) setParse({ run: parseMarkdown })
      },
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [])
  return parse.run
}

export interface MarkdownProps {
  readonly text: string
  /** How a text is shown: with marks, with citations. */
  readonly show: (text: Text) => ComponentChild
}

export function Markdown({ text, show }: MarkdownProps): JSX.Element {
  const parse = useMarkdown()
  const tree = useMemo(() => parse?.(text) ?? null, [parse, text])
  if (tree === null)
    return <p class="plain">{show({ text, start: 0, end: text.length, exact: true })}</p>
  return <div class="markdown">{tree.map((node, i) => draw(node, show, i))}</div>
}

function draw(node: Node, show: MarkdownProps['show'], key: number): ComponentChild {
  if ('text' in node) return show(node)
  const children = node.children.map((child, i) => draw(child, show, i))
  const link =
    node.href === undefined
      ? {}
      : { href: node.href, rel: 'noopener noreferrer nofollow', target: '_blank' }
  // A link that goes nowhere is its words.
  const tag = node.tag === 'a' && node.href === undefined ? 'span' : node.tag
  return createElement(tag, { key, ...link }, ...children)
}
