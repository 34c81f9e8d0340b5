/** The packed context as numbered blocks, the answering sentences marked in them. */
import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Answer, ContextBlock, RetrieveResult } from '../../../src/index.ts'
import { marksInBlock } from '../../words/marks.ts'
import { words } from '../../words/words.ts'
import { CopyButton } from '../copy_button.tsx'
import { Hint } from '../hint.tsx'
import { MarkedText } from '../marked_text.tsx'

export interface ContextViewProps {
  readonly answer: RetrieveResult
  readonly card: Answer
  readonly budget: number
  /** Part of the ids of the blocks, so that each turn has its own. */
  readonly turn: number
  readonly open: (documentId: string, at: number) => void
}

export function ContextView({ answer, card, budget, turn, open }: ContextViewProps): JSX.Element {
  const [all, setAll] = useState(false),
    t = words().context
  return (
    <div class="context">
      <div class="row tight">
        {answer.blocks.length > 0 && (
          <button
            type="button"
            class="link small"
            aria-pressed={all}
            onClick={() => {
              setAll(!all)
            }}
          >
            {all ? t.fold : t.unfoldAll}
          </button>
        )}
        <CopyButton
          text={answer.context}
          label={words().page.copy}
          what={t.what}
          disabled={answer.context === ''}
        />
      </div>
      {answer.blocks.length === 0 && <p class="small warn">{t.tooSmall(budget)}</p>}
      <ol class="blocks">
        {answer.blocks.map((block) => (
          <Block
            key={`${block.n}\n${block.documentId}`}
            id={`block-${turn}-${block.n}`}
            block={block}
            card={card}
            unfolded={all}
            open={open}
          />
        ))}
      </ol>
    </div>
  )
}

/** Shorter blocks are shown whole: about three lines. */
const FOLD_FROM = 260

interface BlockProps {
  readonly id: string
  readonly block: ContextBlock
  readonly card: Answer
  readonly unfolded: boolean
  readonly open: ContextViewProps['open']
}

function Block({ id, block, card, unfolded, open }: BlockProps): JSX.Element {
  const [own, setOwn] = useState(false),
    t = words().context,
    marks = useMemo(() => marksInBlock(block, card.quotes), [block, card])
  const foldable = block.text.length > FOLD_FROM,
    whole = unfolded || own || !foldable,
    title = block.title === '' ? block.documentId : block.title
  return (
    <li class="context-block" id={id} tabIndex={-1} aria-label={t.block(block.n, title)}>
      <div class="context-head">
        <span class="number" aria-hidden="true">
          {block.n}
        </span>
        <button
          type="button"
          class="context-title"
          onClick={() => {
            open(block.documentId, block.spans[0]?.start ?? 0)
          }}
        >
          <bdi>{title}</bdi>
        </button>
        <span class="small muted figures">
          <Hint about="blockTokens" quiet={block.n > 1}>
            {t.tokens(block.tokens)}
          </Hint>
        </span>
      </div>
      <p class={whole ? 'passage' : 'passage folded'} dir="auto">
        <MarkedText text={block.text} base={0} marks={marks} />
      </p>
      {foldable && !unfolded && (
        <button
          type="button"
          class="link small"
          aria-expanded={whole}
          onClick={() => {
            setOwn(!own)
          }}
        >
          {whole ? t.fold : t.unfold}
        </button>
      )}
    </li>
  )
}
