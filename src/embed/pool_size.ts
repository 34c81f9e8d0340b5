/**
 * Owns how many workers and threads embedding takes on a machine. Pure; refuses: asking the
 * machine.
 */
import { LIMITS } from '../base/limits.ts'

/**
 * Workers for `cores` logical processors and, where known, `memoryGiB`: one run uses one thread
 * best, so that each core has its worker; pace.ts leaves one of them alone while somebody waits. A
 * machine that admits to 2 GiB or less gets one worker, to 4 two.
 */
export function poolSize(cores: number, memoryGiB: number | null): number {
  const room = memoryGiB === null || memoryGiB > 4 ? LIMITS.embedWorkers : memoryGiB > 2 ? 2 : 1
  return Math.min(room, Math.max(1, Math.floor(cores)))
}

/**
 * Threads of each worker: threads need shared memory, and more than there are cores for a worker
 * only wait for each other.
 */
export function threadsPerWorker(isolated: boolean, cores: number, workers: number): number {
  return isolated ? Math.min(4, Math.max(1, Math.floor(cores / Math.max(1, workers)))) : 1
}
