/** Owns every limit of the package, each with its reason. Refuses: limits written anywhere else. */

export const LIMITS = {
  /** A document's text, UTF-16 units. 64 Mi units are 128 MiB in memory: a page that holds more than one of them is near its end. */
  documentChars: 64 * 1024 * 1024,
  /** A document id, UTF-16 units: ids are keys of every map and index, and shown in lists. */
  idChars: 1024,
  /** A title, UTF-16 units: it is repeated in front of every passage. */
  titleChars: 2048,
  /** Metadata of one document as JSON, UTF-16 units: it travels with every source. */
  metadataChars: 16 * 1024,
  /** Nesting of metadata: deeper values are programs, not labels, and recursion must stay bounded. */
  metadataDepth: 8,
  /** Documents in one `add` call: beyond it the caller should batch, so that progress and cancellation mean something. */
  documentsPerAdd: 1_000_000,
  /** One dropped file, bytes. */
  fileBytes: 256 * 1024 * 1024,
  /** A question, UTF-16 units. Longer ones are cut for names and terms, and said so in `debug.warnings`. */
  queryChars: 8 * 1024,
  /** Sources one question may ask for. */
  topK: 1000,
  /** A context's token budget: no model's window is larger today. */
  budgetTokens: 4_000_000,
  /** A passage's target, tokens by the approximate counter (chars / 4): under the 254 word pieces MiniLM reads. */
  passageTokens: 200,
  /** Word pieces of a text that reach the model, without [CLS] and [SEP] (MiniLM was trained on 256 in all). */
  modelTokens: 254,
  /** A single word, UTF-16 units: longer runs are not words, and the word-piece tokenizer is quadratic in them. */
  wordChars: 100,
  /** Words of a name: longer capitalised runs are headings or shouting. */
  nameWords: 10,
  /** Share of the budget that passages of one document may take, so that one poisoned document cannot fill the context. */
  budgetShareOfDocument: 1 / 3,
} as const
