/** The help that a number gives when it is pointed at, focused or tapped; one at a time. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { words, type HelpTopic } from '../words/words.ts'

interface Shown {
  readonly text: string
  readonly left: number
  /** Edges of the number. */
  readonly top: number
  readonly bottom: number
}

const WIDTH = 272,
  EDGE = 8,
  GAP = 6
let show: (shown: Shown | null) => void = () => undefined

/** `quiet`: one of many alike, which the keyboard passes over. */
export function Hint({
  about,
  children,
  quiet = false,
}: {
  readonly about: HelpTopic
  readonly children: ComponentChildren
  readonly quiet?: boolean
}): JSX.Element {
  const open = (element: HTMLElement): void => {
    const box = element.getBoundingClientRect()
    show({
      text: words().help[about],
      left: Math.max(EDGE, Math.min(box.left, innerWidth - WIDTH - EDGE)),
      top: box.top,
      bottom: box.bottom,
    })
  }
  const close = (): void => {
    show(null)
  }
  return (
    <button
      type="button"
      class="hint"
      tabIndex={quiet ? -1 : 0}
      aria-describedby={`help-${about}`}
      onPointerEnter={(event) => {
        open(event.currentTarget)
      }}
      onPointerLeave={close}
      onFocus={(event) => {
        open(event.currentTarget)
      }}
      onBlur={close}
      onClick={(event) => {
        open(event.currentTarget)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      {children}
    </button>
  )
}

/** Under the number, or over it where there is no room; never on it. */
function place(element: HTMLElement, { top, bottom }: Shown): void {
  const height = element.offsetHeight,
    below = bottom + GAP
  element.style.top = `${below + height + EDGE <= innerHeight ? below : Math.max(EDGE, top - GAP - height)}px`
}

/** Once a page: the help that is shown, and the words that screen readers are pointed at. */
export function HintLayer(): JSX.Element {
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => {
    show = setShown
    const hide = (): void => {
      setShown(null)
    }
    addEventListener('scroll', hide, { capture: true, passive: true })
    addEventListener('resize', hide)
    return () => {
      show = () => undefined
      removeEventListener('scroll', hide, { capture: true })
      removeEventListener('resize', hide)
    }
  }, [])
  return (
    <>
      <div hidden>
        {Object.entries(words().help).map(([topic, text]) => (
          <span key={topic} id={`help-${topic}`}>
            {text}
          </span>
        ))}
      </div>
      {shown && (
        <div
          class="hint-words small"
          aria-hidden="true"
          style={{ left: `${shown.left}px`, width: `${WIDTH}px` }}
          ref={(element) => {
            if (element) place(element, shown)
          }}
        >
          {shown.text}
        </div>
      )}
    </>
  )
}
