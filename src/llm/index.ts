/** Which pieces of extraction by a language model are public. */
export { buildEntityKGLLM } from './build_entity_kg_llm.ts'
export type { BuildEntityKGLLMOptions, LLMProgress } from './build_entity_kg_llm.ts'
export { fileLLMCache, memoryLLMCache } from './cache.ts'
export type { LLMCache } from './cache.ts'
export { ANSWER_SCHEMA, chromePromptApi } from './chrome_prompt_api.ts'
export type {
  ChromeLanguageModel,
  ChromePromptApiOptions,
  ChromeSession,
} from './chrome_prompt_api.ts'
export { entityKGOf } from './entity_kg_of.ts'
export { estimateEntityKGLLM } from './estimate.ts'
export type { EstimateOptions } from './estimate.ts'
export type {
  ExtractedEntity,
  ExtractedMention,
  ExtractedRelation,
  ExtractionCounts,
  ExtractionFailure,
  LLMEstimate,
  LLMExtraction,
} from './extraction.ts'
export type { LLM, LLMOptions } from './llm.ts'
export { openAICompatible } from './openai_compatible.ts'
export type { OpenAICompatibleOptions } from './openai_compatible.ts'
export { openAICompatibleEmbedder } from './openai_compatible_embedder.ts'
export type { OpenAICompatibleEmbedderOptions } from './openai_compatible_embedder.ts'
export { DEFAULT_TEMPLATE } from './prompt.ts'
export { webLlm } from './web_llm.ts'
export type { WebLlmEngine, WebLlmOptions } from './web_llm.ts'
