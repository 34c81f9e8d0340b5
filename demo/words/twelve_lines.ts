/** "This page in twelve lines": the same call in a program; the README's begins likewise. */
export const TWELVE_LINES = `import { createEngine } from 'hubmesh'

const engine = await createEngine({
  corpus: 'notes',
  model: '/models/all-MiniLM-L6-v2/',
})
await engine.add(files)                     // File objects, texts, JSON
const { answer, context, reasoning } =
  await engine.retrieve('Where was the director of Ed Wood born?')
console.log(answer.state, answer.quotes)    // found, with highlights
console.log(reasoning[0]?.sentence)         // the path in words
prompt(context)                             // for any language model
`
