/** The few hooks of the page. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { RefObject } from 'preact'
import type { State, Store } from '../session/state.ts'

/**
 * The present state; the component is drawn again on every change, once a frame at most by Preact's
 * own batching.
 */
export function useStore(store: Store): State {
  const [state, setState] = useState(store.state)
  useLayoutEffect(
    () =>
      store.subscribe(() => {
        setState(store.state)
      }),
    [store],
  )
  return state
}

/** Whether a media query holds. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const hear = (): void => {
      setMatches(list.matches)
    }
    list.addEventListener('change', hear)
    hear()
    return () => {
      list.removeEventListener('change', hear)
    }
  }, [query])
  return matches
}

/** Width of an element's content in whole pixels; 0 until it is known. */
export function useWidth<T extends Element>(): [RefObject<T>, number] {
  const ref = useRef<T>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    // Before the first paint, so that nothing below it moves.
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
    }
  }, [])
  return [ref, width]
}

/**
 * The value a task later than it came, `first` until then: so that what is drawn from a new answer
 * is drawn in several short tasks, and typing gets its turn in between.
 */
export function useLater<T>(value: T, first: T): T {
  const [late, setLate] = useState(first)
  useEffect(() => {
    const turn = setTimeout(() => {
      setLate(value)
    }, 0)
    return () => {
      clearTimeout(turn)
    }
  }, [value])
  return late
}
