/**
 * Stored merges of names. A rule holds a digest of each name and no text: it outlives the
 * documents that name it without telling what stood there. Short names can be guessed and checked
 * against the digest; undoing the merge removes it.
 */
import { contentHash } from '../document/content_hash.ts'
import { isHubmeshError } from '../base/errors.ts'
import { LIMITS } from '../base/limits.ts'
import { scanWords } from '../lexical/words.ts'
import { ByteReader, ByteWriter } from '../base/bytes.ts'
import { crc32Text } from '../base/checksum.ts'

/**
 * 40 hex digits: CRC-32 of a name, by which most names are told apart at once, and the first half
 * of its SHA-256.
 */
export type NameKey = string

/** What one merge said. */
export interface NameRule {
  /** 16 hex digits, the same for the same names. */
  readonly id: string
  /** In order, at least two. */
  readonly names: readonly NameKey[]
  /** Which of them labels the others; null where none was given. */
  readonly into: NameKey | null
}

const KEY_BYTES = 20
const VERSION = 1

/** A name as the index knows it: its words in lower case. */
export function plainName(text: string): string {
  const words: string[] = []
  scanWords(text, (start, end) =>
    words.push(text.slice(start, Math.min(end, start + LIMITS.wordChars)).toLowerCase()),
  )
  return words.join(' ')
}

/** The check by which a name may be one of many keys; see NameKey. */
export function keyCheck(plain: string): string {
  return crc32Text(plain).toString(16).padStart(8, '0')
}

export function nameKey(plain: string): NameKey {
  return keyCheck(plain) + contentHash('name', plain).slice(0, 2 * KEY_BYTES - 8)
}

/** The rule that these names are one; `into` is one of them or null. */
export function ruleOf(keys: Iterable<NameKey>, into: NameKey | null): NameRule {
  const names = [...new Set(keys)].sort()
  return { id: contentHash('merge', names.join()).slice(0, 16), names, into }
}

/**
 * The rules with one more, replacing one of the same names; ordered by id, so that the same rules
 * are the same bytes.
 */
export function withRule(rules: readonly NameRule[], rule: NameRule): NameRule[] {
  return [...rules.filter(({ id }) => id !== rule.id), rule].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/**
 * The rules without one name: each goes on for its other names, and ends where one alone is left.
 */
export function withoutName(rules: readonly NameRule[], key: NameKey): NameRule[] {
  let left: NameRule[] = []
  for (const rule of rules) {
    const names = rule.names.filter((name) => name !== key)
    if (names.length > 1)
      left = withRule(
        left,
        names.length === rule.names.length
          ? rule
          : ruleOf(names, rule.into === key ? null : rule.into),
      )
  }
  return left
}

/** Empty where there is no rule. */
export function encodeRules(rules: readonly NameRule[]): Uint8Array {
  if (rules.length === 0) return new Uint8Array()
  const out = new ByteWriter(1024)
  out.varint(VERSION)
  out.varint(rules.length)
  for (const { names, into } of rules) {
    out.varint(names.length)
    for (const name of names) out.raw(bytesOf(name))
    out.varint(into === null ? 0 : names.indexOf(into) + 1)
  }
  return out.finish()
}

/** The rules that `encodeRules` wrote, null where the bytes are something else. */
export function decodeRules(bytes: Uint8Array): NameRule[] | null {
  try {
    const input = new ByteReader(bytes, 'store/corrupt')
    if (input.varint() !== VERSION) return null
    const count = input.varint()
    if (count > LIMITS.nameMerges) return null
    let rules: NameRule[] = []
    for (let i = 0; i < count; i++) {
      const size = input.varint()
      if (size < 2 || size > LIMITS.mergedNames) return null
      const names = Array.from({ length: size }, () => hexOf(input.raw(KEY_BYTES))),
        into = input.varint()
      if (into > size) return null
      const rule = ruleOf(names, into === 0 ? null : names[into - 1]!)
      if (rule.names.length !== size) return null
      rules.push(rule)
    }
    input.end()
    rules = rules.sort((a, b) => (a.id < b.id ? -1 : 1))
    return rules.every((rule, i) => i === 0 || rules[i - 1]!.id < rule.id) ? rules : null
  } catch (error) {
    if (!isHubmeshError(error)) throw error
    return null
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) =>
    parseInt(hex.slice(2 * i, 2 * i + 2), 16),
  )
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
