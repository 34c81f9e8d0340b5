/** "This page in twelve lines": the same call in a program; the README's begins likewise. */
export const TWELVE_LINES = `import { createEngine } from 'hubmesh'
const engine = await createEngine({
  corpus: 'notes',
  model: '/models/all-MiniLM-L6-v2/',
})
await engine.add(files)
const { answer, context, reasoning } =
  await engine.retrieve('Who was Ada?')
console.log(answer.state) // found
console.log(answer.quotes)
console.log(reasoning[0]?.sentence)
prompt(context) // any language model
`
