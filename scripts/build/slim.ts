/** Makes what others wrote smaller in the trees that are not minified. */
import { transform } from 'esbuild'
import type { Plugin, Rolldown } from 'vite'

/** A chunk of Node's tree that is mostly of others: the MCP SDK, the stemmer's tables. */
function isForeign(chunk: Rolldown.OutputChunk): boolean {
  return (
    chunk.fileName.startsWith('chunks/') &&
    chunk.code.length > FOREIGN_CHUNK &&
    chunk.moduleIds.some((id) => id.includes('/node_modules/'))
  )
}

/** UTF-16 units above which blanks are worth taking out. */
const FOREIGN_CHUNK = 60_000

/** Takes the blanks out of what others wrote; their licences' comments stay. */
export function slim(): Plugin {
  return {
    name: 'hubmesh-slim',
    async generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        // ONNX Runtime comes without blanks, and with comments that bundlers read. They would take
        // its own address for a file to bring along.
        chunk.code = chunk.code.replace(
          /new URL\("ort\.wasm\.min\.mjs", import\.meta\.url\)/g,
          'new URL(import.meta.url)',
        )
        // Nor is the fonts' package, which unpdf does without where it is not installed.
        chunk.code = chunk.code.replace(
          /import\.meta\.resolve\((["'`])pdfjs-dist\/package\.json\1\)/g,
          'null',
        )
        if (!/^lib\/with\/(?!onnxruntime-web)/.test(chunk.fileName) && !isForeign(chunk)) continue
        const { code } = await transform(chunk.code, {
          minifyWhitespace: true,
          legalComments: 'inline',
          charset: 'utf8',
        })
        chunk.code = code
      }
    },
  }
}
