/**
 * Entry `hubmesh/chat`: answers by the language model that a page has. Separate, so that the page's
 * part of the engine carries none of it.
 */
export { chatPrompt, DEFAULT_INSTRUCTIONS, forAISDK, forPromptApi } from '../chat/chat_prompt.ts'
export type { ChatMessage, ChatPrompt, ChatPromptOptions } from '../chat/chat_prompt.ts'
export { contextBudget, prepareChat } from '../chat/prepare_chat.ts'
export type { ChatBudgetOptions, PreparedChat, PrepareChatOptions } from '../chat/prepare_chat.ts'
export { streamAnswer } from '../chat/stream_answer.ts'
export type { AnswerEnd, StreamAnswerOptions } from '../chat/stream_answer.ts'
export { CitationParser, parseCitations } from '../chat/citation_parser.ts'
export type { AnswerPart } from '../chat/citation_parser.ts'
export { citationsOf } from '../chat/citations.ts'
export type { Citation } from '../chat/citations.ts'
export type { ChatCallOptions, ChatEnd, ChatModel } from '../chat/chat_model.ts'
export { openAIChat } from '../chat/openai_chat.ts'
export type { OpenAIChatOptions } from '../chat/openai_chat.ts'
export { promptApiChat } from '../chat/prompt_api_chat.ts'
export type { PromptApi, PromptApiChatOptions, PromptApiSession } from '../chat/prompt_api_chat.ts'
export { webLlmChat } from '../chat/web_llm_chat.ts'
export type { WebLlmChatOptions } from '../chat/web_llm_chat.ts'
export type { WebLlmEngine } from '../llm/web_llm.ts'
