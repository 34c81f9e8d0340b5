/** Vectors that came from a server or that it confirmed, up to a number of bytes. */
import { LIMITS } from '../../../base/limits.ts'

/** LRU. Gives copies, so that no caller can change what is kept. */
export class VectorCache {
  private readonly kept = new Map<string, Float32Array>()
  private readonly limit: number
  private bytes = 0

  constructor(limit: number = LIMITS.remoteCacheBytes) {
    this.limit = limit
  }

  get(id: string): Float32Array | null {
    const vector = this.kept.get(id)
    if (!vector) return null
    this.kept.delete(id)
    this.kept.set(id, vector)
    return vector.slice()
  }

  set(id: string, vector: Float32Array): void {
    this.forget(id)
    this.kept.set(id, vector.slice())
    this.bytes += vector.byteLength
    for (const [oldest, held] of this.kept) {
      if (this.bytes <= this.limit) break
      this.kept.delete(oldest)
      this.bytes -= held.byteLength
    }
  }

  forget(id: string): void {
    const vector = this.kept.get(id)
    if (!vector) return
    this.kept.delete(id)
    this.bytes -= vector.byteLength
  }

  clear(): void {
    this.kept.clear()
    this.bytes = 0
  }
}
