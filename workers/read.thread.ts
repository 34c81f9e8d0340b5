/** Nothing but the start of the reading thread in Node. */
import { parentPort } from 'node:worker_threads'
import { serveReading } from '../src/document/readers/apart/serve_reading.ts'
import { announceReady } from '../src/port/ready.ts'

if (parentPort !== null) {
  serveReading(parentPort as unknown as MessagePort)
  announceReady('read', parentPort)
}
