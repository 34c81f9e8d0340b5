/** The one form in which a language model is used: text in, text out. */

export interface LLMOptions {
  /** Fires when the answer is not wanted any more. */
  readonly signal: AbortSignal
}

/**
 * Answers one prompt, with no memory of others. May reject with anything. Read from what it rejects
 * with: `status` (429 and 5xx are tried again, 401 and 403 end the work), `retryable`, and how long
 * to wait, as `details.retryAfterMs` or as a `retry-after` header in `headers`.
 */
export type LLM = (prompt: string, options: LLMOptions) => Promise<string>
