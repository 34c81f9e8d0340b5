/** Limits of MCP, of remote stores, and of language models. */

export const SERVICE_LIMITS = {
  /**
   * One message of an MCP client, bytes: documents to index come in it, and it is parsed in one
   * piece.
   */
  mcpBodyBytes: 4 * 1024 * 1024,
  /**
   * One result of an MCP tool, UTF-16 units of JSON: about 60,000 tokens, past what a model should
   * be handed at once.
   */
  mcpResultChars: 256 * 1024,
  /** Text of one snippet of the retrieve tool: enough to judge, and get_document has the rest. */
  mcpSnippetChars: 280,
  /**
   * Sources, mentions and names one MCP call may ask for: more fills a model's window with lists.
   */
  mcpItems: 100,
  /** Milliseconds one tool call may take: clients give up after 60 s. */
  mcpCallMs: 55_000,
  /** Tool calls under way at a time; others wait in line. */
  mcpCalls: 8,
  /** HTTP requests under way at a time, event streams apart; beyond it the answer is 503. */
  mcpRequests: 64,
  /**
   * Event streams open at a time, and of one client (address and key). At either limit the one that
   * was idle longest is closed, so that idle streams lock out no client.
   */
  mcpStreams: 64,
  mcpStreamsOfClient: 16,
  /** Milliseconds after its last message after which an event stream is closed. */
  mcpStreamIdleMs: 30 * 60 * 1000,
  /**
   * Milliseconds within which a whole request must have come: a slow sender must not hold a
   * connection.
   */
  mcpRequestMs: 30_000,
  /**
   * Milliseconds a token that hubmesh made is good for: a day of work, not a credential for life.
   */
  mcpTokenMs: 24 * 60 * 60 * 1000,
  /**
   * Failed attempts in a row of one address before it has to wait, and the longest wait in
   * milliseconds.
   */
  mcpAuthStrikes: 10,
  mcpAuthWaitMs: 60_000,
  /**
   * Milliseconds one request to a vector server or its client may take: a batch of 256 documents on
   * a slow line.
   */
  remoteTimeoutMs: 30_000,
  /**
   * Documents of one request to a vector server: about 2 MB with 384 components each, far below
   * every server's own limit.
   */
  remoteBatch: 256,
  /** Ids or records asked for at a time when a whole collection is listed. */
  remotePage: 1024,
  /** Vectors of a remote collection kept at hand, bytes: about 40,000 of 384 components. */
  remoteCacheBytes: 64 * 1024 * 1024,
  /** A model's answer for one text, UTF-16 units; what is behind it is not read. */
  llmReplyChars: 256 * 1024,
  /** A predicate or type that a model gave: it is a label on a line between two names. */
  predicateChars: 100,
  /**
   * Milliseconds one answer of a language model may take: small machines write two words a second.
   */
  llmTimeoutMs: 120_000,
  /** Attempts at one answer before its text goes without. */
  llmAttempts: 5,
  /**
   * Wait before the second attempt, ms, doubled each time, and the longest wait that a server may
   * ask for.
   */
  llmBackoffMs: 1_000,
  llmBackoffMaxMs: 5 * 60_000,
  /**
   * Tokens of a chat model's window where none is given: what small models in a page and Ollama
   * start with.
   */
  chatWindowTokens: 4096,
  /** Tokens kept free for an answer: about 350 words, more than a cited answer needs. */
  chatAnswerTokens: 512,
  /**
   * Share of a window that stays free where tokens are estimated: the estimate bounds texts of 200
   * tokens and more, and messages may be shorter.
   */
  chatMarginShare: 0.02,
  /** Tokens that a chat format adds to each message: its role and its ends. */
  chatMessageTokens: 4,
  /**
   * Tokens of quotes below which asking a model makes no sense: one short passage and its fence.
   */
  chatContextTokens: 64,
  /** Times a context is packed smaller because a model's own tokenizer counted more. */
  chatFits: 4,
  /**
   * A citation as written, UTF-16 units: about forty numbers; what is longer is a list of something
   * else.
   */
  citationChars: 160,
} as const
