/**
 * A corpus that hubmesh for Python wrote (`CorpusManager.build`) becomes a corpus of this package:
 * documents, vectors and graph. It answers by the planner of the Python package and by this
 * package's own ranking, and goes back to a folder that hubmesh for Python loads.
 *
 * Run: npx tsx examples/migrate_from_python.ts
 */
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CorpusManager } from 'hubmesh/node'

const written = fileURLToPath(new URL('data/python_corpus/', import.meta.url))
const question = 'Who set up the company that bought Brennholt Optics?'

const root = await mkdtemp(join(tmpdir(), 'hubmesh-example-'))
const corpora = new CorpusManager(root)
try {
  const { documents, embedding } = await corpora.importPython(written, 'companies')
  console.log(
    `imported: ${documents} documents, vectors of ${embedding!.model} (${embedding!.dims})`,
  )

  const planner = await corpora.planner('companies')
  const planned = await planner.retrieve(question, { topK: 3 })
  console.log(`the Python package's ranking: ${planned.sources.map(({ id }) => id).join(', ')}`)

  // Vectors of our own model are needed for our own ranking by meaning: embed afresh while
  // importing.
  await corpora.importPython(written, 'companies-own', { vectors: 'own' })
  const engine = await corpora.load('companies-own')
  const answered = await engine.retrieve(question, { topK: 3 })
  console.log(
    `this package's ranking: ${answered.sources.map(({ documentId }) => documentId).join(', ')}`,
  )
  console.log(answered.reasoning[0]!.sentence)

  const back = join(root, 'back')
  await corpora.exportPythonTo('companies', back)
  const generation = await readFile(join(back, 'CURRENT'), 'utf8'),
    before = await readFile(join(written, 'CURRENT'), 'utf8')
  const kg = async (folder: string, name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, name, 'kg.json'), 'utf8')) as unknown
  const same =
    JSON.stringify(await kg(back, generation)) === JSON.stringify(await kg(written, before))
  console.log(
    `exported: ${(await readdir(join(back, generation))).sort().join(', ')}; the graph came back as it was: ${same}`,
  )
} finally {
  await corpora.close()
  await rm(root, { recursive: true, force: true })
}
