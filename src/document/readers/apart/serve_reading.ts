/** The reading worker's end: reads the file it is sent and answers with what is in it. */
import { readFiles } from '../read_files.ts'
import { toWireError } from '../../../port/wire_error.ts'
import type { FileLike, ReadFilesResult } from '../reader.ts'
import type { ReadReply, ReadRequest } from './read_apart.ts'

interface Endpoint {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: Event) => void): void
}

export function serveReading(endpoint: Endpoint): void {
  const reply = (message: ReadReply): void => {
    endpoint.postMessage(message)
  }
  endpoint.addEventListener('message', (event) => {
    const { data } = event as MessageEvent<{
      readonly hubmesh?: unknown
      readonly request: unknown
    }>
    if (data?.hubmesh !== 'read') return
    void answer(data.request as ReadRequest).then(
      (read) => {
        reply({ hubmesh: 'read', read })
      },
      (error: unknown) => {
        reply({ hubmesh: 'read', error: toWireError(error) })
      },
    )
  })
}

function answer({ path, file, limits }: ReadRequest): Promise<ReadFilesResult> {
  const source: FileLike =
    file instanceof Blob
      ? {
          name: path,
          size: file.size,
          arrayBuffer: () => file.arrayBuffer(),
          stream: () => file.stream(),
        }
      : { name: path, size: file.length, bytes: () => Promise.resolve(file) }
  return readFiles([source], { limits })
}
