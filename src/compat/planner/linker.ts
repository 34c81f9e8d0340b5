/**
 * The contract of everything that decides which spellings are one name, and the linker by words.
 */
import { throwIfAborted } from '../../base/errors.ts'
import { canonicalize } from '../../graph/canonicalize.ts'
import { yieldToEvents } from '../../base/platform.ts'
import { byCodeUnits } from './graph.ts'

export interface LinkOptions {
  readonly signal?: AbortSignal
}

export interface Linker {
  /**
   * Canonical form of each mention, the same for mentions of one entity. A mention that is left out
   * keeps its own canonical form; one that is given an empty form is no name.
   */
  link(
    mentions: readonly string[],
    options?: LinkOptions,
  ): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>>
}

/** Longer forms first, so that short ones find them; ties in order of code units. */
export function longestFirst(a: string, b: string): number {
  return b.length - a.length || byCodeUnits(a, b)
}

/**
 * Forms that were kept, found by their words: which of them hold a shorter one as a run of whole
 * words.
 */
export class KeptForms {
  private readonly byWord = new Map<string, string[]>()

  add(form: string): void {
    for (const word of new Set(form.split(' '))) {
      const list = this.byWord.get(word)
      if (list) list.push(form)
      else this.byWord.set(word, [form])
    }
  }

  /** In the order they were added. */
  holdersOf(form: string): readonly string[] {
    let shortest: readonly string[] | null = null
    for (const word of form.split(' ')) {
      const list = this.byWord.get(word) ?? []
      if (shortest === null || list.length < shortest.length) shortest = list
    }
    return (shortest ?? []).filter((kept) => kept !== form && ` ${kept} `.includes(` ${form} `))
  }
}

/** Forms looked up between two turns of the event loop. */
const BATCH = 512

/**
 * Merges a form into the longest one of the whole corpus that holds it as whole words: "Derrickson"
 * into "Scott Derrickson", wherever the two stand.
 */
export class SubstringLinker implements Linker {
  /** Rejects with `aborted`. */
  async link(mentions: readonly string[], options: LinkOptions = {}): Promise<Map<string, string>> {
    const forms = new Map<string, string>()
    for (const mention of mentions) {
      const form = canonicalize(mention)
      if (form !== '') forms.set(mention, form)
    }
    const kept = new KeptForms(),
      target = new Map<string, string>()
    let done = 0
    for (const form of [...new Set(forms.values())].sort(longestFirst)) {
      if (done++ % BATCH === 0) {
        throwIfAborted(options.signal)
        await yieldToEvents()
      }
      const holder = kept.holdersOf(form)[0]
      if (holder === undefined) kept.add(form)
      target.set(form, holder ?? form)
    }
    for (const [mention, form] of forms) forms.set(mention, target.get(form)!)
    return forms
  }
}
