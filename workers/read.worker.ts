/** Nothing but the start of a reading worker; see src/document/readers/apart/serve_reading.ts. */
import { serveReading } from '../src/document/readers/apart/serve_reading.ts'
import { portOf, startOnce } from '../src/port/ready.ts'

const scope = globalThis as unknown as Worker
startOnce('read', scope, () => {
  scope.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const port = portOf(data)
    if (port === null) return
    serveReading(port)
    port.start()
  })
})
