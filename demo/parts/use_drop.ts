/** The whole window takes drops. */
import { useEffect, useState } from 'preact/hooks'
import { intakeOfDrop } from '../platform/intake.ts'
import type { Corpora } from '../session/corpora.ts'

/** True while something is dragged over the window. */
export function useDrop(corpora: Corpora): boolean {
  const [dragging, setDragging] = useState(false)
  useEffect(() => {
    let depth = 0
    const holdsFiles = (event: DragEvent): boolean =>
      event.dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent): void => {
      if (!holdsFiles(event)) return
      depth++
      setDragging(true)
    }
    const leave = (event: DragEvent): void => {
      if (!holdsFiles(event) || --depth > 0) return
      depth = 0
      setDragging(false)
    }
    const over = (event: DragEvent): void => {
      if (holdsFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent): void => {
      if (!event.dataTransfer || !holdsFiles(event)) return
      event.preventDefault()
      depth = 0
      setDragging(false)
      const { dataTransfer } = event
      void corpora.filling.found((found, signal) => intakeOfDrop(dataTransfer, found, signal))
    }
    const pairs = [
      ['dragenter', enter],
      ['dragleave', leave],
      ['dragover', over],
      ['drop', drop],
    ] as const
    for (const [name, listener] of pairs) document.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of pairs) document.removeEventListener(name, listener)
    }
  }, [corpora])
  return dragging
}
