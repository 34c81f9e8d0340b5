/**
 * The engine worker of the bench: the package's own, with an embedder inside it and a channel
 * through which the page asks for what only its thread can measure.
 */
import { LocalEngine } from '../../../src/engine/engine.ts'
import { serveEngine } from '../../../src/rpc/engine_service.ts'
import { announceReady } from '../../../src/port/ready.ts'
import { accountOf, askAll, benchEmbedder, scanAll } from './inside.ts'

export type Order = { readonly call: number } & (
  | { readonly what: 'account' }
  | { readonly what: 'ask'; readonly questions: readonly string[]; readonly tier: 'text' | 'full' }
  | { readonly what: 'scan'; readonly questions: readonly string[] }
)

let engine: LocalEngine | null = null
const scope = globalThis as unknown as Worker,
  channel = new BroadcastChannel('hubmesh-bench')
serveEngine(scope, async (options) => {
  engine = await LocalEngine.open({ ...options, embedder: benchEmbedder() })
  await engine.pauseEmbedding()
  return engine
})
channel.onmessage = ({ data }: MessageEvent<Order>) => {
  void answer(data).then(
    (result) => {
      channel.postMessage({ reply: data.call, result })
    },
    (error: unknown) => {
      channel.postMessage({ reply: data.call, error: String(error) })
    },
  )
}
announceReady('engine', scope)

async function answer(order: Order): Promise<unknown> {
  if (!engine) throw new Error('No corpus is open.')
  if (order.what === 'account') return accountOf(engine)
  return order.what === 'ask'
    ? askAll(engine, order.questions, order.tier)
    : scanAll(engine, order.questions)
}
