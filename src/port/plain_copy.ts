/** A copy of data without the proxies that frameworks wrap around it. */

/**
 * Arrays and plain objects anew, own enumerable fields alone, at every depth; everything else as it
 * is. What is shared or circular stays so.
 */
export function plainCopy(value: unknown, copies = new Map<object, unknown>()): unknown {
  if (typeof value !== 'object' || value === null) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) {
    const out: unknown[] = []
    copies.set(value, out)
    for (const item of value) out.push(plainCopy(item, copies))
    return out
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const out: Record<string, unknown> = {}
  copies.set(value, out)
  for (const [key, item] of Object.entries(value))
    Object.defineProperty(out, key, {
      value: plainCopy(item, copies),
      enumerable: true,
      writable: true,
      configurable: true,
    })
  return out
}
