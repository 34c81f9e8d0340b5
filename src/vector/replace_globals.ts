/**
 * Runs with replaced properties of `globalThis` and `console`, for a library that reads its
 * surroundings there; restores them whatever happens. Synchronous only.
 */
export function withReplaced<T>(
  replacements: {
    readonly global?: Readonly<Record<string, unknown>>
    readonly console?: Readonly<Record<string, unknown>>
  },
  run: () => T,
): T {
  const restore: (() => void)[] = []
  const replaceAll = (owner: object, values: Readonly<Record<string, unknown>> = {}): void => {
    for (const [name, value] of Object.entries(values)) {
      const before = Object.getOwnPropertyDescriptor(owner, name)
      Object.defineProperty(owner, name, { value, configurable: true, writable: true })
      restore.push(() => {
        if (before) Object.defineProperty(owner, name, before)
        else Reflect.deleteProperty(owner, name)
      })
    }
  }
  try {
    replaceAll(globalThis, replacements.global)
    replaceAll(console, replacements.console)
    return run()
  } finally {
    for (const back of restore) back()
  }
}
