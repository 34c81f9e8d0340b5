import { afterEach, expect, it, vi } from 'vitest'
import { Connection } from '../port/connection.ts'
import { EmbedWorkerRequests } from './embed_requests.ts'
import { EmbedWorkers } from './embed_workers.ts'
import { fakeWorker } from '../port/fake_worker.ts'
import type { FakeWorker } from '../port/fake_worker.ts'
import type { MethodTable, PortEvent } from '../port/protocol.ts'
import type { EngineService } from './protocol.ts'
import { announceReady, portOf } from '../port/ready.ts'
import { serve } from '../port/serve.ts'

interface Echo {
  echo(text: string): string
}
const ECHO: MethodTable<Echo> = { echo: 'read' }
type Told = Pick<EngineService, 'embedSpawned' | 'embedFailed' | 'embedDied'>
const TOLD: MethodTable<Told> = { embedSpawned: 'read', embedFailed: 'read', embedDied: 'read' }

const open: MessagePort[] = []
afterEach(() => {
  for (const port of open.splice(0)) port.close()
})

/**
 * Both halves joined as in a page: the engine's requests, the page's workers, and workers that echo
 * on the port they are given.
 */
function setup(makeWorker?: () => Worker): {
  readonly requests: EmbedWorkerRequests
  readonly page: EmbedWorkers
  readonly made: FakeWorker[]
} {
  const made: FakeWorker[] = []
  const { port1, port2 } = new MessageChannel()
  open.push(port1, port2)
  const connection = new Connection<Told>(port1, TOLD) as unknown as Connection<EngineService>
  const page = new EmbedWorkers(
    makeWorker ??
      (() => {
        const fake = fakeWorker()
        made.push(fake)
        fake.scope.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
          const port = portOf(data)
          if (port !== null)
            serve<Echo>(port, ECHO, {
              echo: (_context, text) => `${text} from ${String(made.indexOf(fake))}`,
            })
        })
        fake.scope.start()
        announceReady('embed', fake.scope)
        return fake.worker
      }),
  )
  const requests = new EmbedWorkerRequests((event: PortEvent) => {
    page.onEvent(event, connection)
  })
  serve<Told>(port2, TOLD, {
    embedSpawned: (_context, slot, { port }) => {
      requests.spawned(slot, port)
    },
    embedFailed: (_context, slot, error) => {
      requests.failed(slot, error)
    },
    embedDied: (_context, slot, error) => {
      requests.died(slot, error)
    },
  })
  return { requests, page, made }
}

it('the engine speaks to the worker that the page made, over a channel of their own', async () => {
  const { requests, made } = setup()
  const [first, second] = await Promise.all([requests.spawn(), requests.spawn()])
  const calls = [first, second].map(({ worker }) =>
    new Connection<Echo>(worker, ECHO).call('echo', ['hello']),
  )
  expect((await Promise.all(calls)).sort()).toEqual(['hello from 0', 'hello from 1'])
  expect(made).toHaveLength(2)
})

it("ending it on the engine's side ends the worker on the page", async () => {
  const { requests, made } = setup()
  const { terminate } = await requests.spawn()
  expect(made[0]!.terminated()).toBe(false)
  terminate()
  expect(made[0]!.terminated()).toBe(true)
})

it('the engine hears of a death, once, with its code', async () => {
  const { requests, made } = setup()
  const remote = await requests.spawn()
  const death = new Promise((resolve) => {
    remote.onDeath(resolve)
  })
  made[0]!.fail('Uncaught RuntimeError: memory access out of bounds')
  expect(await death).toMatchObject({ code: 'worker/crashed', details: { role: 'embed' } })
  const late = vi.fn()
  remote.onDeath(late)
  expect(late).toHaveBeenCalledTimes(1)
})

it('a worker that cannot be made is an error of the request', async () => {
  const { requests } = setup(() => {
    throw new TypeError('blocked by a policy')
  })
  await expect(requests.spawn()).rejects.toMatchObject({
    code: 'worker/start-failed',
    cause: { name: 'TypeError', message: 'blocked by a policy' },
  })
})

it('a cancelled request leaves no worker running', async () => {
  const { requests, made } = setup()
  const controller = new AbortController()
  const spawning = requests.spawn(controller.signal)
  controller.abort()
  await expect(spawning).rejects.toMatchObject({ code: 'aborted' })
  await vi.waitFor(() => {
    expect(made[0]!.terminated()).toBe(true)
  })
})

it('when the engine worker is gone the page ends all of its embedding workers', async () => {
  const { requests, page, made } = setup()
  await Promise.all([requests.spawn(), requests.spawn()])
  page.clear()
  expect(made.map((fake) => fake.terminated())).toEqual([true, true])
})
