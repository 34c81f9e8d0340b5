/** Endings of the files that the engine reads, as the drop zone names them. */
export const FORMATS: readonly string[] = ['.txt', '.md', '.html', '.json', '.jsonl', '.csv']
