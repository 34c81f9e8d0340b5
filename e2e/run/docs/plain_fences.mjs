/**
 * Owns a plug-in of typedoc: the marks behind a block's language tell how the block is run, and are
 * no name of a language. Refuses: any other change.
 */
import { MarkdownEvent } from 'typedoc'

/** Called by typedoc. */
export function load(app) {
  app.renderer.on(
    MarkdownEvent.PARSE,
    (event) => {
      event.parsedText = event.parsedText.replace(/^```([a-z]+) .*$/gm, '```$1')
    },
    1000,
  )
}
