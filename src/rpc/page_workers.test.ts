import { afterEach, expect, it, vi } from 'vitest'
import { Connection } from '../port/connection.ts'
import { WorkerRequests } from './worker_requests.ts'
import { PageWorkers } from './page_workers.ts'
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
type Told = Pick<EngineService, 'workerSpawned' | 'workerFailed' | 'workerDied'>
const TOLD: MethodTable<Told> = { workerSpawned: 'read', workerFailed: 'read', workerDied: 'read' }

const open: MessagePort[] = []
afterEach(() => {
  for (const port of open.splice(0)) port.close()
})

/**
 * Both halves joined as in a page: the engine's requests, the page's workers, and workers that echo
 * on the port they are given.
 */
function setup(makeWorker?: () => Worker): {
  readonly requests: WorkerRequests
  readonly page: PageWorkers
  readonly made: FakeWorker[]
} {
  const made: FakeWorker[] = []
  const { port1, port2 } = new MessageChannel()
  open.push(port1, port2)
  const connection = new Connection<Told>(port1, TOLD) as unknown as Connection<EngineService>
  const page = new PageWorkers({
    embed:
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
  })
  const requests = new WorkerRequests((event: PortEvent) => {
    page.onEvent(event, connection)
  })
  serve<Told>(port2, TOLD, {
    workerSpawned: (_context, slot, { port }) => {
      requests.spawned(slot, port)
    },
    workerFailed: (_context, slot, error) => {
      requests.failed(slot, error)
    },
    workerDied: (_context, slot, error) => {
      requests.died(slot, error)
    },
  })
  return { requests, page, made }
}

it('the engine speaks to the worker that the page made, over a channel of their own', async () => {
  const { requests, made } = setup()
  const [first, second] = await Promise.all([requests.spawn('embed'), requests.spawn('embed')])
  const calls = [first, second].map(({ worker }) =>
    new Connection<Echo>(worker, ECHO).call('echo', ['hello']),
  )
  expect((await Promise.all(calls)).sort()).toEqual(['hello from 0', 'hello from 1'])
  expect(made).toHaveLength(2)
})

it("ending it on the engine's side ends the worker on the page", async () => {
  const { requests, made } = setup()
  const { terminate } = await requests.spawn('embed')
  expect(made[0]!.terminated()).toBe(false)
  terminate()
  expect(made[0]!.terminated()).toBe(true)
})

it('reports the death of a worker to the engine once, with its code', async () => {
  const { requests, made } = setup()
  const remote = await requests.spawn('embed')
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
  await expect(requests.spawn('embed')).rejects.toMatchObject({
    code: 'worker/start-failed',
    cause: { name: 'TypeError', message: 'blocked by a policy' },
  })
})

it('a cancelled request leaves no worker running', async () => {
  const { requests, made } = setup()
  const controller = new AbortController()
  const spawning = requests.spawn('embed', controller.signal)
  controller.abort()
  await expect(spawning).rejects.toMatchObject({ code: 'aborted' })
  await vi.waitFor(() => {
    expect(made[0]!.terminated()).toBe(true)
  })
})

it('when the engine worker is gone the page ends all of its embedding workers', async () => {
  const { requests, page, made } = setup()
  await Promise.all([requests.spawn('embed'), requests.spawn('embed')])
  page.clear()
  expect(made.map((fake) => fake.terminated())).toEqual([true, true])
})

it('a page that makes its own engine worker and none that reads is told so, and loads nothing', async () => {
  const makes = vi.fn(() => fakeWorker().worker)
  const { port1, port2 } = new MessageChannel()
  open.push(port1, port2)
  const page = new PageWorkers({ engine: makes })
  const connection = new Connection<Told>(port1, TOLD) as unknown as Connection<EngineService>
  const requests = new WorkerRequests((event) => {
    page.onEvent(event, connection)
  })
  serve<Told>(port2, TOLD, {
    workerSpawned: () => undefined,
    workerFailed: (_context, slot, error) => {
      requests.failed(slot, error)
    },
    workerDied: () => undefined,
  })
  await expect(requests.spawn('read')).rejects.toMatchObject({
    code: 'worker/start-failed',
    message: expect.stringContaining('workers.read') as string,
  })
  expect(makes).not.toHaveBeenCalled()
})
