/** Workers and threads of embedding on a machine. */
import { LIMITS } from '../base/limits.ts'

/**
 * One worker a core: a run uses one thread best. At most 2 GiB of memory means one worker, 4 GiB
 * two.
 */
export function poolSize(cores: number, memoryGiB: number | null): number {
  const room = memoryGiB === null || memoryGiB > 4 ? LIMITS.embedWorkers : memoryGiB > 2 ? 2 : 1
  return Math.min(room, Math.max(1, Math.floor(cores)))
}

/** Threads need shared memory; more than there are cores for a worker only wait for each other. */
export function threadsPerWorker(isolated: boolean, cores: number, workers: number): number {
  return isolated ? Math.min(4, Math.max(1, Math.floor(cores / Math.max(1, workers)))) : 1
}
