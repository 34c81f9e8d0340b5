/**
 * What hubmesh for Python itself makes of an exported folder. HUBMESH_PYTHON names an interpreter
 * that has hubmesh 0.4.2; default python3.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { HashingEmbedder } from '../embed/hashing.ts'
import { CorpusManager } from './corpus_manager.ts'

const PYTHON = process.env['HUBMESH_PYTHON'] ?? 'python3'
const found = spawnSync(
  PYTHON,
  [
    '-c',
    'from importlib.metadata import version; import hubmesh.corpus; print(version("hubmesh"))',
  ],
  { encoding: 'utf8' },
)
const version = found.status === 0 ? found.stdout.trim() : null
if (version === null)
  console.info(`skipped: ${PYTHON} has no hubmesh, so it cannot be asked to load what is exported`)

/** Loads every corpus of a root, a warning being an error, and says what it found. */
const LOAD = `
import json, sys, warnings
warnings.simplefilter('error')
from hubmesh.corpus import CorpusManager, kg_to_dict
manager = CorpusManager(root=sys.argv[1], embed=lambda text: None, embed_identity=sys.argv[2])
out = {}
for name in manager.list():
    store, kg = manager.load(name)
    documents = store.get_many(sorted(store.all_ids()))
    planner = manager.planner(name)
    answer = planner.retrieve(query=documents[0].vector, top_k=2, budget_tokens=200)
    out[name] = {
        'documents': [[d.id, d.text, d.metadata, len(d.vector)] for d in documents],
        'nodes': kg.graph.number_of_nodes(),
        'edges': kg.graph.number_of_edges(),
        'entities': sorted(kg.entity_canonical_to_node),
        'first': answer.sources[0].doc.id,
    }
print(json.dumps(out))
`

it.runIf(version !== null)(
  'hubmesh for Python loads an exported corpus: documents, metadata, vectors and graph',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'hubmesh-python-')),
      embedder = new HashingEmbedder(16),
      corpora = new CorpusManager(join(root, 'ours'), { embedder })
    try {
      await corpora.build('notes', [
        {
          id: 'one',
          title: 'Ada Quist',
          text: 'Ada Quist met Bela Trom in Aarhus.',
          metadata: { lang: 'en', deep: { list: [1, null, 'ü😀'] } },
        },
        { id: 'zwei ü', text: 'Bela Trom wrote to Dora Wex.\n"Quoted" \u2028 line.' },
      ])
      await (await corpora.load('notes')).ready('vectors')
      await corpora.exportPythonTo('notes', join(root, 'python', 'notes'))
      const kg = (await corpora.planner('notes')).kg!
      const { notes } = JSON.parse(
        execFileSync(PYTHON, ['-c', LOAD, join(root, 'python'), embedder.identity.model], {
          encoding: 'utf8',
        }),
      ) as { notes: Record<string, unknown> }
      expect(notes['documents']).toEqual([
        [
          'one',
          'Ada Quist met Bela Trom in Aarhus.',
          { lang: 'en', deep: { list: [1, null, 'ü😀'] }, title: 'Ada Quist' },
          16,
        ],
        ['zwei ü', 'Bela Trom wrote to Dora Wex.\n"Quoted" \u2028 line.', {}, 16],
      ])
      expect(notes).toMatchObject({
        nodes: kg.toJSON().nodes.length,
        edges: kg.toJSON().edges.length,
        first: 'one',
      })
      expect(notes['entities']).toEqual(
        expect.arrayContaining(['ada quist', 'bela trom', 'dora wex']),
      )
    } finally {
      await corpora.close()
      await rm(root, { recursive: true, force: true })
    }
  },
)
