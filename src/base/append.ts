/**
 * Adds all values to the end of a list. Not by spreading them into `push`: arguments lie on the
 * stack, which ends at some hundred thousand.
 */
export function append<T>(to: T[], values: Iterable<T>): void {
  for (const value of values) to.push(value)
}
