/**
 * Made-up people, workshops and towns, and questions that no single passage answers: who lives
 * where is said in one passage, what the town is known for in another. No model is loaded: names
 * and words alone find both.
 *
 * Run: npx tsx examples/synthetic.ts
 */
import { createEngine, estimateTokens } from 'hubmesh/node'

const CHAINS = 80
const BUDGET = 300

/** A name of its own for each number: the same names in every run. */
const syllables = ['ba', 'do', 'ke', 'li', 'mu', 'na', 'po', 'ri', 'su', 'te', 'va', 'zo']
const name = (n: number, end: string): string => {
  const word = `${syllables[n % 12]!}${syllables[Math.floor(n / 12) % 12]!}${syllables[(7 * n + 3) % 12]!}${end}`
  return word.charAt(0).toUpperCase() + word.slice(1)
}
const crafts = [
  'glass bells',
  'oak boats',
  'blue paper',
  'iron clocks',
  'reed flutes',
  'silk maps',
  'clay stoves',
  'horn combs',
]

const documents = Array.from({ length: CHAINS }, (_, n) => {
  const person = `${name(n, 'ra')} ${name(n + 5, 'sen')}`,
    workshop = `${name(n + 31, 'x')} Works`,
    town = name(n + 57, 'burg')
  return [
    {
      id: `person ${n}`,
      title: person,
      text: `${person} learned the trade early and leads ${workshop} today.`,
    },
    {
      id: `workshop ${n}`,
      title: workshop,
      text: `${workshop} employs ${10 + n} people. Its yard is in ${town}.`,
    },
    {
      id: `town ${n}`,
      title: town,
      text: `${town} has a market and a mill. People know it for its ${crafts[n % crafts.length]!}.`,
    },
  ]
}).flat()

const engine = await createEngine({ corpus: 'synthetic' })
await engine.add(documents)

let words = 0,
  both = 0,
  packed = 0,
  largest = 0
for (let n = 0; n < CHAINS; n++) {
  const [person, , town] = documents.slice(3 * n, 3 * n + 3)
  const question =
    `In which town does the workshop led by ${person!.title} have its yard, and ` +
    'what is that town known for?'
  const holdsBoth = (sources: readonly { readonly documentId: string }[]): number =>
    sources.some(({ documentId }) => documentId === `workshop ${n}`) &&
    sources.some(({ documentId }) => documentId === town!.id)
      ? 1
      : 0
  words += holdsBoth(await engine.search(question, { topK: 3, mode: 'lexical' }))
  const { sources, context } = await engine.retrieve(question, { topK: 3, budgetTokens: BUDGET })
  both += holdsBoth(sources)
  if (context.includes(crafts[n % crafts.length]!)) packed++
  largest = Math.max(largest, estimateTokens(context))
}

const { entities } = await engine.graphStats()
console.log(`${documents.length} passages, ${entities} names`)
console.log(`workshop and town among the first 3: ${both} of ${CHAINS}, by words alone ${words}`)
console.log(
  `the answer in ${BUDGET} tokens of context: ${packed} of ${CHAINS}, none longer than that: ${largest <= BUDGET}`,
)

const { reasoning } = await engine.retrieve(
  `What is the town of the workshop led by ${documents[0]!.title} known for?`,
)
console.log(reasoning[0]!.sentence)
await engine.close()
