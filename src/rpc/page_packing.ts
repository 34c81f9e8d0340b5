/**
 * Packs on the page, for a token counter that is a function there and cannot cross to the worker.
 */
import { LIMITS } from '../base/limits.ts'
import { packContext } from '../pack/pack.ts'
import { createTokenCounter } from '../pack/token_counter.ts'
import { now } from '../base/platform.ts'
import { DEFAULT_BUDGET_TOKENS, DEFAULT_TOP_K, PACK_FROM } from '../retrieve/request.ts'
import { placeAt } from '../document/place.ts'
import { labelAt } from '../pack/candidates.ts'
import type {
  ContextBlock,
  RetrieveOptions,
  RetrieveResult,
  Source,
  TokenCounter,
} from '../types.ts'

/**
 * What the worker is asked for: everything ranked, under a budget that leaves nothing out and so
 * warns of nothing.
 */
export function rankingOnly<T extends RetrieveOptions>(options: T): T {
  return {
    ...options,
    topK: Math.max(options.topK ?? DEFAULT_TOP_K, PACK_FROM),
    budgetTokens: LIMITS.budgetTokens,
  }
}

/**
 * Packs the worker's ranking anew under the caller's budget by the caller's counter. Rejects with
 * `input/invalid` for a wrong budget or a counter that answers rubbish.
 */
export async function packOnPage(
  ranked: RetrieveResult,
  query: string,
  options: RetrieveOptions,
  counter: TokenCounter,
): Promise<RetrieveResult> {
  const started = now()
  const { warnings, ...packed } = packContext(ranked.sources, {
    question: query.slice(0, LIMITS.queryChars),
    budgetTokens: options.budgetTokens ?? DEFAULT_BUDGET_TOKENS,
    countTokens: await createTokenCounter(counter),
    names: options.seedEntities ?? [],
    fill: options.fill ?? false,
  })
  const { debug } = ranked,
    topK = options.topK ?? DEFAULT_TOP_K
  return {
    ...ranked,
    ...packed,
    blocks: packed.blocks.map((block) => placed(block, ranked.sources)),
    sources: ranked.sources.slice(0, topK),
    omitted: packed.omitted.filter(({ rank }) => rank <= topK),
    debug: {
      ...debug,
      warnings: [...debug.warnings, ...warnings],
      timings: { ...debug.timings, pack: now() - started },
    },
  }
}

/** A block with the place of its first character, as the engine gives it. */
function placed(block: ContextBlock, sources: readonly Source[]): ContextBlock {
  const at = block.spans[0]!.start,
    source = sources.find(
      ({ documentId, start, end }) => documentId === block.documentId && start <= at && at < end,
    ),
    section = source === undefined ? '' : (labelAt(source, at)?.section ?? '')
  if (source === undefined) return block
  return { ...block, ...(section === '' ? {} : { section }), ...placeAt(source, null, at) }
}
