/** The order of writes: one at a time, each resting on what is stored when it begins. */
import { Mutex } from '../base/mutex.ts'
import type { CorpusStorage } from '../store/storage.ts'

export class WriteQueue extends Mutex {
  /** The generation of the storage that memory is in step with. */
  inStepWith = 0
  /** Brings memory in step with the storage; called inside the queue. */
  catchUp: () => Promise<void> = () => Promise.resolve()

  constructor(private readonly storage: CorpusStorage) {
    super()
  }

  /**
   * Runs a write: becomes the writer, takes over what others have stored meanwhile, then works.
   * Rejects with `writer/not-leader`.
   */
  write<T>(work: () => Promise<T>): Promise<T> {
    return this.run(async () => {
      await this.lead()
      return await this.stepping(work)
    })
  }

  /** For work that runs inside the queue already. */
  async lead(): Promise<void> {
    if ((await this.storage.acquire()) !== this.inStepWith) await this.catchUp()
  }

  /** Notes that memory has taken what `work` has stored; after a failure the next write looks. */
  async stepping<T>(work: () => Promise<T>): Promise<T> {
    const result = await work()
    this.inStepWith = this.storage.generation
    return result
  }
}
