/** Owns how many workers and threads embedding takes on a machine. Pure; refuses: asking the machine. */
import { LIMITS } from '../limits.ts'

/**
 * Workers for `cores` logical processors and, where known, `memoryGiB`: one run uses one thread best, two cores give 1.7 times one,
 * the page itself needs little while they work; a machine that admits to 2 GiB or less gets one.
 */
export function poolSize(cores: number, memoryGiB: number | null): number {
  if (memoryGiB !== null && memoryGiB <= 2) return 1
  const wanted = cores <= 2 ? cores : cores - 1
  return Math.min(LIMITS.embedWorkers, Math.max(1, wanted))
}

/** Threads of each worker: threads need shared memory, and more than there are cores a worker only wait for each other. */
export function threadsPerWorker(isolated: boolean, cores: number, workers: number): number {
  return isolated ? Math.min(4, Math.max(1, Math.floor(cores / Math.max(1, workers)))) : 1
}
