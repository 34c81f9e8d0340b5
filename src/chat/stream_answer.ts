/**
 * An answer as it streams: its text with every citation mapped to its spans, under a silence
 * timeout.
 */
import { onAbort, orAborted } from '../base/signals.ts'
import { abortedError, HubmeshError, throwIfAborted } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import type { ChatEnd, ChatModel } from './chat_model.ts'
import type { ChatPrompt } from './chat_prompt.ts'
import { CitationParser } from './citation_parser.ts'
import type { AnswerPart } from './citation_parser.ts'
import type { Citation } from './citations.ts'

export interface AnswerEnd {
  readonly type: 'end'
  /** `length`: cut off at a limit. */
  readonly reason: ChatEnd
  readonly text: string
  /** Each once, by number. */
  readonly cited: readonly Citation[]
  /** Numbers that no block has, each once. */
  readonly unknown: readonly number[]
}

export interface StreamAnswerOptions {
  readonly signal?: AbortSignal
  /** Tokens of the answer at most. */
  readonly maxTokens?: number
  /** Between two pieces; default LIMITS.llmTimeoutMs. */
  readonly timeoutMs?: number
}

/**
 * Streams the parts of the model's answer, `end` last. Rejects with what the model rejects with,
 * `remote/timeout` for a silence, and `aborted`; leaving the loop stops the model.
 */
export async function* streamAnswer(
  model: Pick<ChatModel, 'stream'>,
  prompt: ChatPrompt,
  options: StreamAnswerOptions = {},
): AsyncGenerator<AnswerPart | AnswerEnd, void, undefined> {
  const { signal, maxTokens, timeoutMs = LIMITS.llmTimeoutMs } = options
  throwIfAborted(signal)
  const stop = new AbortController(),
    unlisten = onAbort(signal, () => {
      stop.abort(signal?.reason)
    })
  const parser = new CitationParser(prompt.citations),
    cited = new Map<number, Citation>(),
    unknown = new Set<number>()
  let text = ''
  const note = (part: AnswerPart): AnswerPart => {
    text += part.text
    if (part.type === 'citation') {
      for (const citation of part.citations) cited.set(citation.n, citation)
      for (const n of part.unknown) unknown.add(n)
    }
    return part
  }
  const pieces = model.stream(prompt.messages, {
    signal: stop.signal,
    ...(maxTokens === undefined ? {} : { maxTokens }),
  })
  let length = 0,
    reason: ChatEnd | null = null
  try {
    while (reason === null) {
      const step = await within(pieces.next(), timeoutMs, stop.signal, signal)
      if (step.done === true) reason = step.value
      else {
        const room = LIMITS.llmReplyChars - length,
          piece = step.value.slice(0, room)
        length += piece.length
        for (const part of parser.push(piece)) yield note(part)
        if (step.value.length >= room) reason = 'length'
      }
    }
    for (const part of parser.end()) yield note(part)
    yield {
      type: 'end',
      reason,
      text,
      cited: [...cited.values()].sort((a, b) => a.n - b.n),
      unknown: [...unknown],
    }
  } finally {
    unlisten()
    stop.abort()
    // A model that hangs must not block its caller.
    void pieces.return('stop').catch(() => undefined)
  }
}

/** Rejects on timeout or abort whatever the model does. */
async function within<T>(
  step: Promise<T>,
  timeoutMs: number,
  stop: AbortSignal,
  signal: AbortSignal | undefined,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new HubmeshError(
          'remote/timeout',
          `The language model said nothing for ${timeoutMs} ms; ask again, or raise timeoutMs.`,
          { details: { timeoutMs }, retryable: true },
        ),
      )
    }, timeoutMs)
  })
  try {
    return await orAborted(Promise.race([step, late]), stop, () => abortedError(signal))
  } finally {
    clearTimeout(timer)
  }
}
