/** Names of short texts by a rule of the caller's own, in force or not. */
import type { MentionVisitor, NameTrie } from '../name_trie.ts'

/** Visits, from left to right, the longest names that are accepted. */
export function acceptedNames(
  trie: NameTrie,
  words: ArrayLike<number>,
  length: number,
  accepts: (name: number, from: number, to: number) => boolean,
  visit: MentionVisitor,
): void {
  for (let at = 0; at < length;) {
    let end = at,
      found = -1
    for (let i = at, node = 0; i < length && words[i]! >= 0; i++) {
      node = trie.child(node, words[i]!)
      if (node === 0) break
      const name = trie.nameAt(node)
      if (name < 0 || !accepts(name, at, i + 1)) continue
      found = name
      end = i + 1
    }
    if (found >= 0) visit(found, at, end)
    at = Math.max(end, at + 1)
  }
}
