/**
 * The sample corpus as an archive with vectors, made by the built package in a Node process of its
 * own. `node build_archive.mjs OUT`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createEngine } from '../../dist/node/index.js'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const lines = readFileSync(path('../../public/samples/hotpotqa_train100/corpus.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')

const engine = await createEngine({
  corpus: 'sample',
  model: path('../../public/models/all-MiniLM-L6-v2'),
})
await engine.add(lines.map((line) => JSON.parse(line)))
await engine.ready('vectors')
const { passages, passagesWithVectors } = await engine.status()
if (passages !== passagesWithVectors)
  throw new Error(`${passagesWithVectors} of ${passages} passages have a vector.`)
writeFileSync(process.argv[2], new Uint8Array(await (await engine.export()).arrayBuffer()))
await engine.close()
