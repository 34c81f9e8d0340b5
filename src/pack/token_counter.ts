/** Token counters: approximate, of a tokenizer, of the caller. */
import { HubmeshError } from '../base/errors.ts'
import type { TokenCounter, TokenCounterChoice } from '../types.ts'
import { approximateTokens } from './approximate_tokens.ts'

export { approximateTokens }

/**
 * Makes the counter of a choice. `o200k` and `cl100k` load their vocabulary (about 2 MB) on first
 * use, from the optional package gpt-tokenizer; names of special tokens in a text count as the
 * plain text they are. Rejects with `input/invalid` for an unknown choice or a missing package.
 */
export async function createTokenCounter(choice: TokenCounterChoice): Promise<TokenCounter> {
  if (typeof choice === 'function') return checkedCounter(choice)
  if (choice === 'approx') return approximateTokens
  if (choice === 'o200k')
    return plainText(
      (await load(choice, () => import('gpt-tokenizer/encoding/o200k_base'))).countTokens,
    )
  if (choice === 'cl100k')
    return plainText(
      (await load(choice, () => import('gpt-tokenizer/encoding/cl100k_base'))).countTokens,
    )
  throw new HubmeshError(
    'input/invalid',
    `countTokens is ${describe(choice)}; give 'approx', 'o200k', 'cl100k' or a function of a text.`,
  )
}

/**
 * Wraps a caller's counter: an answer that is not a finite whole number from 0 is `input/invalid`,
 * not a broken budget.
 */
export function checkedCounter(counter: TokenCounter): TokenCounter {
  return (text) => {
    const tokens: unknown = counter(text)
    if (typeof tokens !== 'number' || !Number.isSafeInteger(tokens) || tokens < 0) {
      throw new HubmeshError(
        'input/invalid',
        `countTokens answered ${describe(tokens)} for a text of ${text.length} characters; it ` +
          'must answer a finite whole number of 0 or more, at once (not a promise).',
      )
    }
    return tokens
  }
}

async function load<T>(choice: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (cause) {
    throw new HubmeshError(
      'input/invalid',
      `countTokens '${choice}' needs the package gpt-tokenizer, which could not be loaded; install it or use 'approx'.`,
      { cause },
    )
  }
}

type SpecialAware = (text: string, options: { readonly disallowedSpecial: Set<string> }) => number

/** Without this, a document that holds "<|endoftext|>" would throw. */
function plainText(count: SpecialAware): TokenCounter {
  const options = { disallowedSpecial: new Set<string>() }
  return (text) => count(text, options)
}

function describe(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string'
    ? (JSON.stringify(value) ?? String(value))
    : value === null
      ? 'null'
      : `a value of type ${typeof value}`
}
