/** What a program in Node writes against the types; compiled, never run. */
import { createEngine, CorpusManager, NodeEmbedder } from 'hubmesh/node'
import type { Engine, RetrieveResult } from 'hubmesh/node'
import * as mcp from 'hubmesh/mcp'

export async function use(): Promise<RetrieveResult> {
  const engine: Engine = await createEngine({
    corpus: 'films',
    storage: { directory: '/tmp/corpora' },
    model: '/tmp/models/all-MiniLM-L6-v2',
    runtime: 'wasm',
  })
  const manager = new CorpusManager()
  await manager.close()
  console.log(Object.keys(mcp), NodeEmbedder.name)
  return engine.retrieve('Who?', { tier: 'full' })
}
