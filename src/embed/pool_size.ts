/** Owns how many workers and threads embedding takes on a machine. Pure; refuses: asking the machine. */
import { LIMITS } from '../limits.ts'

/**
 * Workers for `cores` logical processors and, where known, `memoryGiB`: one run uses one thread best, and one
 * core is left to the page, whose tasks would otherwise wait for their turn; a machine that admits to 2 GiB or less gets one worker.
 */
export function poolSize(cores: number, memoryGiB: number | null): number {
  if (memoryGiB !== null && memoryGiB <= 2) return 1
  return Math.min(LIMITS.embedWorkers, Math.max(1, cores - 1))
}

/** Threads of each worker: threads need shared memory, and more than there are cores a worker only wait for each other. */
export function threadsPerWorker(isolated: boolean, cores: number, workers: number): number {
  return isolated ? Math.min(4, Math.max(1, Math.floor((cores - 1) / Math.max(1, workers)))) : 1
}
