/**
 * The script of the reading thread. This is how it runs among the sources, through tsx; the build
 * for Node puts the address of its own script in place of this file.
 */
const TSX = import.meta.resolve('tsx/esm/api'),
  SOURCE = new URL('../../../../workers/read.thread.ts', import.meta.url).href

export const THREAD = new URL(
  `data:text/javascript,import { tsImport } from ${JSON.stringify(TSX)}; ` +
    `await tsImport(${JSON.stringify(SOURCE)}, ${JSON.stringify(SOURCE)})`,
)
