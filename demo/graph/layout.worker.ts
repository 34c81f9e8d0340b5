/** Computes a layout beside the page; one task a worker. */
import { layout, type LayoutTask } from './layout.ts'

addEventListener('message', ({ data }: MessageEvent<LayoutTask>) => {
  postMessage(layout(data))
})
