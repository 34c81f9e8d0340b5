import { proxy } from 'comlink'
import { afterEach, expect, it } from 'vitest'
import { HubmeshError, isHubmeshError } from '../base/errors.ts'
import type { Progress } from '../types.ts'
import { Connection } from './connection.ts'
import type { MethodTable, PortEvent } from './protocol.ts'
import { serve } from './serve.ts'
import type { Handlers, Server } from './serve.ts'

interface Sample {
  echo(value: unknown): unknown
  boom(code: 'store/quota'): void
  wait(): string
  save(): string
  count(to: number): number
}
const METHODS: MethodTable<Sample> = {
  echo: 'read',
  boom: 'read',
  wait: 'read',
  save: 'write',
  count: 'read',
}

const progress = (done: number): Progress => ({
  phase: 'text',
  done,
  total: 10,
  rate: 0,
  secondsLeft: null,
})
const ports: MessagePort[] = []
afterEach(() => {
  for (const port of ports.splice(0)) port.close()
})

interface Pair {
  readonly connection: Connection<Sample>
  readonly server: Server
  readonly near: MessagePort
  readonly aborted: string[]
}

function pair(onEvent?: (event: PortEvent) => void): Pair {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1, port2)
  const aborted: string[] = []
  const untilAborted = (name: string, signal: AbortSignal): Promise<string> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        aborted.push(name)
        reject(new HubmeshError('aborted', 'stopped over there'))
      })
    })
  const handlers: Handlers<Sample> = {
    echo: (_context, value) => value,
    boom: (_context, code) => {
      throw new HubmeshError(code, 'The disk is full.', {
        details: { needed: 5 },
        cause: new Error('inner'),
      })
    },
    wait: ({ signal }) => untilAborted('wait', signal),
    save: ({ signal }) => untilAborted('save', signal),
    count: ({ report }, to) => {
      for (let i = 1; i <= to; i++) report({ kind: 'progress', progress: progress(i) })
      return to
    },
  }
  const server = serve<Sample>(port2, METHODS, handlers)
  return {
    connection: new Connection<Sample>(port1, METHODS, onEvent),
    server,
    near: port1,
    aborted,
  }
}

/** Resolves when everything sent before it over the same port was handled. */
const settled = (connection: Connection<Sample>): Promise<unknown> =>
  connection.call('echo', ['settled'])

it('objects that a framework wraps in proxies go by value', async () => {
  const { connection } = pair()
  const wrapped = (value: object): object =>
    new Proxy(value, {
      get: (target, key) => {
        const item: unknown = Reflect.get(target, key)
        return typeof item === 'object' && item !== null ? wrapped(item) : item
      },
    })
  const documents = [{ id: 'a', text: 'one', metadata: { tags: ['x'], when: { year: 1 } } }]
  expect(await connection.call('echo', [wrapped(documents)])).toEqual(documents)
})

it('a call gives the value of the other side', async () => {
  const { connection } = pair()
  expect(await connection.call('echo', [{ a: [1, 'two', new Float32Array([3])] }])).toEqual({
    a: [1, 'two', new Float32Array([3])],
  })
  expect(connection.pending).toBe(0)
})

it('an error keeps code, details and cause', async () => {
  const { connection } = pair()
  const error = await connection
    .call('boom', ['store/quota'])
    .catch((thrown: unknown) => thrown as HubmeshError)
  expect(isHubmeshError(error)).toBe(true)
  expect(error).toMatchObject({
    code: 'store/quota',
    message: 'The disk is full.',
    details: { needed: 5 },
    cause: { message: 'inner' },
  })
})

it('an argument that cannot be cloned is input/invalid and leaves nothing pending', async () => {
  const { connection } = pair()
  await expect(connection.call('echo', [() => 1])).rejects.toMatchObject({
    code: 'input/invalid',
    details: { method: 'echo' },
  })
  expect(connection.pending).toBe(0)
})

it('a cancelled read rejects at once and the other side hears of it', async () => {
  const { connection, aborted } = pair()
  const controller = new AbortController()
  const call = connection.call('wait', [], { signal: controller.signal })
  controller.abort(new Error('changed my mind'))
  await expect(call).rejects.toMatchObject({
    code: 'aborted',
    cause: { message: 'changed my mind' },
  })
  await settled(connection)
  expect(aborted).toEqual(['wait'])
})

it('a cancelled write rejects with the word of the other side', async () => {
  const { connection, aborted } = pair()
  const controller = new AbortController()
  const call = connection.call('save', [], { signal: controller.signal })
  controller.abort('why')
  await expect(call).rejects.toMatchObject({
    code: 'aborted',
    cause: 'why',
    message: 'stopped over there',
  })
  expect(aborted).toEqual(['save'])
})

it('a signal that fired before the call keeps it from being made', async () => {
  const { connection } = pair()
  await expect(connection.call('wait', [], { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'aborted',
  })
  expect(connection.pending).toBe(0)
})

it('progress is thinned and its last report arrives before the result', async () => {
  const { connection } = pair()
  const seen: number[] = []
  const total = await connection.call('count', [5000], {
    onEvent: (event) => {
      if (event.kind === 'progress') seen.push(event.progress.done)
    },
  })
  expect(total).toBe(5000)
  expect(seen[0]).toBe(1)
  expect(seen.at(-1)).toBe(5000)
  expect(seen.length).toBeLessThan(100)
})

it('events of the service as a whole reach the listener of the connection', async () => {
  const seen: PortEvent[] = []
  const { connection, server } = pair((event) => {
    seen.push(event)
  })
  server.emit({ kind: 'progress', progress: progress(3) })
  await settled(connection)
  expect(seen).toEqual([{ kind: 'progress', progress: progress(3) }])
})

it('when the worker is gone every pending call rejects: reads with the cause, writes as indeterminate', async () => {
  const { connection } = pair()
  const read = connection.call('wait', [])
  const write = connection.call('save', [])
  const crash = new HubmeshError('worker/crashed', 'It died.')
  connection.fail(crash)
  await expect(read).rejects.toBe(crash)
  await expect(write).rejects.toMatchObject({
    code: 'store/indeterminate',
    retryable: true,
    cause: crash,
  })
  await expect(connection.call('echo', [1])).rejects.toBe(crash)
  expect(connection.pending).toBe(0)
})

/**
 * Sends a raw Comlink message and tells what came back before the answer to a proper call sent
 * after it.
 */
async function attack(message: Record<string, unknown>): Promise<unknown[]> {
  const { connection, near } = pair()
  const answers: unknown[] = []
  near.addEventListener('message', ({ data }: MessageEvent<{ id?: string }>) => {
    if (data.id === 'attack') answers.push(data)
  })
  near.postMessage({ id: 'attack', ...message })
  await settled(connection)
  return answers
}

const raw = (value: unknown): unknown => ({ type: 'RAW', value })

it.each([
  ['reads a property', { type: 'GET', path: ['echo'] }],
  ['reads the prototype', { type: 'GET', path: ['__proto__'] }],
  ['writes a property', { type: 'SET', path: ['echo'], value: raw(1) }],
  ['writes into the prototype', { type: 'SET', path: ['__proto__', 'polluted'], value: raw(true) }],
  [
    'calls a constructor down a path',
    { type: 'APPLY', path: ['echo', 'constructor'], argumentList: [raw('return 1')] },
  ],
  [
    'calls an inherited method',
    { type: 'APPLY', path: ['hasOwnProperty'], argumentList: [raw(1)] },
  ],
  ['calls toString', { type: 'APPLY', path: ['toString'], argumentList: [raw(1)] }],
  ['constructs', { type: 'CONSTRUCT', path: ['echo'], argumentList: [raw(1)] }],
  ['asks for another endpoint', { type: 'ENDPOINT', path: [] }],
  ['releases the port', { type: 'RELEASE', path: [] }],
  [
    'smuggles a proxy as an argument',
    {
      type: 'APPLY',
      path: ['echo'],
      argumentList: [raw(1), { type: 'HANDLER', name: 'proxy', value: null }],
    },
  ],
  ['leaves the call number out', { type: 'APPLY', path: ['echo'], argumentList: [raw('x')] }],
])('a message that %s is not answered, and the port goes on working', async (_name, message) => {
  expect(await attack(message)).toEqual([])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
})

it('the control: a proper raw call is answered', async () => {
  expect(
    await attack({ type: 'APPLY', path: ['echo'], argumentList: [raw(99), raw('hello')] }),
  ).toEqual([{ id: 'attack', type: 'RAW', value: { ok: true, value: 'hello' } }])
})

it('a proxied object of the caller does not reach the other side', async () => {
  const { connection } = pair()
  const call = connection.call('echo', [proxy({ secret: () => 1 })])
  const crash = new HubmeshError('worker/crashed', 'closed by the test')
  await settled(connection)
  expect(connection.pending).toBe(1)
  connection.fail(crash)
  await expect(call).rejects.toBe(crash)
})

it.each([
  ['nothing', undefined],
  ['a number', 5],
  ['neither good nor bad', { ok: 1, value: 2 }],
  ['good without a value', { ok: true }],
  ['bad without an error', { ok: false }],
  ['an error of no code', { ok: false, error: { code: 'x/y', message: 'm' } }],
  ['an error without words', { ok: false, error: { code: 'aborted' } }],
])('an answer that is %s rejects the call and is reported', async (_what, answer) => {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1, port2)
  port2.onmessage = ({ data }: MessageEvent<{ id: string }>) => {
    port2.postMessage({ id: data.id, type: 'RAW', value: answer })
  }
  const reported: HubmeshError[] = []
  const connection = new Connection<Sample>(port1, METHODS, undefined, (error) => {
    reported.push(error)
  })
  await expect(connection.call('echo', ['x'])).rejects.toMatchObject({
    code: 'worker/crashed',
    details: { method: 'echo' },
    retryable: true,
  })
  await expect(connection.call('save', [])).rejects.toMatchObject({
    code: 'store/indeterminate',
    cause: { code: 'worker/crashed' },
  })
  expect(reported).toHaveLength(2)
  expect(connection.pending).toBe(0)
})
