/**
 * The count of steps a piece of code takes: how often each of its blocks ran (V8's precise
 * coverage), plus the length of all that built-in string and array methods were given.
 *
 * Blocks count for our sources and for the libraries that read foreign text; this file, tests and
 * the runner do not. What no count sees is listed where it is wrapped below: regular expressions
 * are told by their source and by the length of what they were put to.
 */
import { Session } from 'node:inspector'

/** Whose blocks count. */
const COUNTED = new RegExp(
  '/src/(?!.*(?:\\.test\\.ts|/testing/))|/demo/(?!.*\\.test\\.ts)|' +
    'node_modules/(?:papaparse|htmlparser2|entities|wink-porter2-stemmer|compromise|gpt-tokenizer|@noble)/',
)
/**
 * Texts this long or longer are worth telling when a regular expression reads them, UTF-16 units.
 */
const LONG = 2_000

export interface Counted<T> {
  readonly value: T
  readonly steps: number
  /** Sources of the regular expressions that read a long text. */
  readonly expressions: ReadonlySet<string>
}

interface Range {
  readonly count: number
}
interface Report {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly ranges: readonly Range[] }[]
  }[]
}

export class StepCounter {
  private readonly session = new Session()

  /** Begin before the code to be counted is imported: what was compiled earlier has no counters. */
  constructor() {
    this.session.connect()
    this.post('Profiler.enable')
    this.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  async count<T>(run: () => T | Promise<T>): Promise<Counted<T>> {
    this.blocks()
    const natives = watchNatives()
    let value: T
    try {
      value = await run()
    } finally {
      natives.restore()
    }
    return { value, steps: this.blocks() + natives.units(), expressions: natives.expressions }
  }

  close(): void {
    this.post('Profiler.stopPreciseCoverage')
    this.session.disconnect()
  }

  /** Blocks since the last call. */
  private blocks(): number {
    const { result } = this.post('Profiler.takePreciseCoverage') as Report
    let sum = 0
    for (const script of result) {
      if (!COUNTED.test(script.url)) continue
      for (const { ranges } of script.functions) for (const { count } of ranges) sum += count
    }
    return sum
  }

  /** Commands to one's own thread are answered before the call returns. */
  private post(method: string, params: object = {}): unknown {
    let answer: unknown
    this.session.post(method, params, (error, result) => {
      if (error !== null) throw error
      answer = result
    })
    return answer
  }
}

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Methods whose work is about the length of their `this`, of their result, or both. */
const STRING_METHODS = [
  'indexOf',
  'lastIndexOf',
  'includes',
  'slice',
  'substring',
  'split',
  'toLowerCase',
  'toUpperCase',
  'trim',
  'trimStart',
  'trimEnd',
  'normalize',
  'replaceAll',
  'replace',
  'padEnd',
  'padStart',
  'repeat',
  'localeCompare',
] as const
const ARRAY_METHODS = [
  'join',
  'splice',
  'shift',
  'unshift',
  'slice',
  'concat',
  'indexOf',
  'includes',
  'sort',
  'reverse',
  'fill',
  'map',
  'filter',
  'forEach',
] as const
const TYPED_METHODS = [
  'set',
  'slice',
  'fill',
  'indexOf',
  'includes',
  'sort',
  'copyWithin',
  'join',
] as const

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) || ArrayBuffer.isView(value)
    ? (value as { readonly length: number }).length
    : 0
}

/** What a search looked at: up to where it found, or to the end. */
function searched(text: unknown, result: unknown, from: unknown): number {
  const start = typeof from === 'number' ? from : 0
  return typeof result === 'number' && result >= 0
    ? Math.abs(result - start) + 1
    : Math.max(0, lengthOf(text) - start)
}

function watchNatives(): { restore(): void; units(): number; readonly expressions: Set<string> } {
  let units = 0,
    inside = false
  const expressions = new Set<string>(),
    undo: (() => void)[] = []
  const wrap = (
    target: object,
    name: string,
    cost: (self: unknown, args: readonly unknown[], result: unknown) => number,
  ): void => {
    const original = (target as Record<string, Method>)[name]
    if (typeof original !== 'function') return
    const wrapped: Method = function (this: unknown, ...args) {
      const result = Reflect.apply(original, this, args)
      if (!inside) {
        inside = true
        units += cost(this, args, result)
        inside = false
      }
      return result
    }
    Object.defineProperty(target, name, { value: wrapped, writable: true, configurable: true })
    undo.push(() => {
      Object.defineProperty(target, name, { value: original, writable: true, configurable: true })
    })
  }
  for (const name of STRING_METHODS) {
    wrap(String.prototype, name, (self, args, result) =>
      name === 'indexOf'
        ? searched(self, result, args[1])
        : name === 'slice' || name === 'substring'
          ? lengthOf(result)
          : lengthOf(self) + lengthOf(result),
    )
  }
  for (const name of ARRAY_METHODS)
    wrap(Array.prototype, name, (self, args, result) =>
      name === 'indexOf'
        ? searched(self, result, args[1])
        : name === 'slice'
          ? lengthOf(result)
          : lengthOf(self),
    )
  const typed = Object.getPrototypeOf(Uint8Array.prototype) as object
  for (const name of TYPED_METHODS)
    wrap(typed, name, (self, args, result) =>
      name === 'set'
        ? lengthOf(args[0])
        : name === 'slice'
          ? lengthOf(result)
          : name === 'indexOf'
            ? searched(self, result, args[1])
            : lengthOf(self),
    )
  wrap(JSON, 'parse', (_, args) => lengthOf(args[0]))
  wrap(TextDecoder.prototype, 'decode', (_, args) => lengthOf(args[0]))
  const exec = RegExp.prototype.exec
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0,
      result = Reflect.apply(exec, this, [text])
    if (text.length >= LONG) expressions.add(this.source)
    // A match is charged up to its end; a miss up to the end of the text, or for the one place that
    // a sticky one looks at.
    units +=
      result !== null
        ? result.index + result[0].length - from + 1
        : this.sticky
          ? 1
          : Math.max(0, text.length - from)
    return result
  }
  undo.push(() => {
    RegExp.prototype.exec = exec
  })
  return {
    units: () => units,
    expressions,
    restore: () => {
      for (const back of undo) back()
    },
  }
}
