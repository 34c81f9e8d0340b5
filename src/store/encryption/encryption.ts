/**
 * From the page's key to the key of the records: a random master key for each corpus, wrapped by
 * the page's key, so that another key means one small record written anew. No key or passphrase is
 * stored.
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { HubmeshError } from '../../base/errors.ts'
import { LIMITS } from '../../base/limits.ts'
import { Sealer } from './sealer.ts'

/**
 * An AES-GCM key for encrypt and decrypt, which may be one that cannot be exported; or a
 * passphrase, from which one is derived.
 */
export type Encryption = { readonly key: CryptoKey } | { readonly passphrase: string }

/** What lies in the clear beside the records. */
export interface EncryptionHeader {
  /** Random name of the corpus, 32 hex digits. */
  readonly corpus: string
  /**
   * PBKDF2-HMAC-SHA-256 (RFC 8018) of a passphrase in Unicode form NFKC; null where the page gave a
   * key.
   */
  readonly kdf: { readonly salt: string; readonly iterations: number } | null
  /** The master key, sealed by AES-GCM: nonce, ciphertext and tag in hex. */
  readonly wrapped: string
}

export interface Unlocked {
  readonly header: EncryptionHeader
  readonly sealer: Sealer
}

const MASTER_BYTES = 32,
  NONCE_BYTES = 12
const HEX = /^[0-9a-f]+$/

/**
 * Throws `input/invalid` for what is no key, and `store/unavailable` where the page has no
 * WebCrypto.
 */
export function checkEncryption(encryption: unknown): Encryption {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle
  if (subtle === undefined)
    throw new HubmeshError(
      'store/unavailable',
      'This page has no WebCrypto, so nothing can be encrypted. Serve it over https or from localhost.',
      { details: { option: 'encryption' } },
    )
  if (typeof encryption === 'object' && encryption !== null) {
    if (
      'passphrase' in encryption &&
      typeof encryption.passphrase === 'string' &&
      encryption.passphrase !== ''
    )
      return { passphrase: encryption.passphrase }
    if ('key' in encryption && isKey(encryption.key)) return { key: encryption.key }
  }
  throw new HubmeshError(
    'input/invalid',
    'The option encryption must be { key: an AES-GCM CryptoKey with the usages encrypt and ' +
      'decrypt } or { passphrase: a text that is not empty }.',
    { details: { option: 'encryption' } },
  )
}

function isKey(key: unknown): key is CryptoKey {
  if (
    typeof key !== 'object' ||
    key === null ||
    !('algorithm' in key) ||
    !('usages' in key) ||
    !Array.isArray(key.usages)
  )
    return false
  return (
    (key.algorithm as { readonly name?: unknown }).name === 'AES-GCM' &&
    key.usages.includes('encrypt') &&
    key.usages.includes('decrypt')
  )
}

/** Keys of a new corpus. */
export async function lockNew(encryption: Encryption): Promise<Unlocked> {
  const corpus = bytesToHex(random(16)),
    master = random(MASTER_BYTES)
  return {
    header: await wrap(corpus, master, encryption),
    sealer: await Sealer.from(corpus, master),
  }
}

/** Rejects with `store/locked` where the key is not the one. */
export async function unlock(
  header: EncryptionHeader,
  encryption: Encryption | undefined,
): Promise<Unlocked> {
  return { header, sealer: await Sealer.from(header.corpus, await unwrap(header, encryption)) }
}

/**
 * The header by which another key opens the same records. Rejects with `store/locked` where `from`
 * is not the present one.
 */
export async function rewrap(
  header: EncryptionHeader,
  from: Encryption,
  to: Encryption,
): Promise<EncryptionHeader> {
  return await wrap(header.corpus, await unwrap(header, from), to)
}

async function wrap(
  corpus: string,
  master: Uint8Array<ArrayBuffer>,
  encryption: Encryption,
): Promise<EncryptionHeader> {
  const kdf =
    'key' in encryption
      ? null
      : { salt: bytesToHex(random(16)), iterations: LIMITS.passphraseIterations }
  const key = await wrappingKey(encryption, kdf),
    iv = random(NONCE_BYTES)
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: bound(corpus) },
    key,
    master,
  )
  return { corpus, kdf, wrapped: bytesToHex(iv) + bytesToHex(new Uint8Array(sealed)) }
}

async function unwrap(
  header: EncryptionHeader,
  encryption: Encryption | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  if (encryption === undefined) throw locked('it is encrypted and no key was given', 'missing')
  if ((header.kdf === null) !== 'key' in encryption)
    throw locked(
      header.kdf === null
        ? 'it was locked by a key, and a passphrase was given'
        : 'it was locked by a passphrase, and a key was given',
      'wrong',
    )
  const wrapped = Uint8Array.from(hexToBytes(header.wrapped))
  const key = await wrappingKey(encryption, header.kdf)
  try {
    return new Uint8Array(
      await crypto.subtle.decrypt(
        {
          name: 'AES-GCM',
          iv: wrapped.slice(0, NONCE_BYTES),
          additionalData: bound(header.corpus),
        },
        key,
        wrapped.slice(NONCE_BYTES),
      ),
    )
  } catch (cause) {
    throw locked('the key or passphrase is not the one it was encrypted with', 'wrong', cause)
  }
}

async function wrappingKey(
  encryption: Encryption,
  kdf: EncryptionHeader['kdf'],
): Promise<CryptoKey> {
  if ('key' in encryption) return encryption.key
  const text = new TextEncoder().encode(encryption.passphrase.normalize('NFKC'))
  const base = await crypto.subtle.importKey('raw', text, 'PBKDF2', false, ['deriveKey'])
  const { salt, iterations } = kdf!
  return await crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt: Uint8Array.from(hexToBytes(salt)), iterations },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

/**
 * Known fields only; undefined where the value is no header. Iterations are bounded, so that a
 * changed header costs no hour.
 */
export function decodeHeader(value: unknown): EncryptionHeader | undefined {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('corpus' in value) ||
    !('kdf' in value) ||
    !('wrapped' in value)
  )
    return undefined
  const { corpus, kdf, wrapped } = value
  const hex = (text: unknown, digits: number): text is string =>
    typeof text === 'string' && text.length === digits && HEX.test(text)
  if (!hex(corpus, 32) || !hex(wrapped, (NONCE_BYTES + MASTER_BYTES + 16) * 2)) return undefined
  if (kdf === null) return { corpus, kdf, wrapped }
  if (typeof kdf !== 'object' || !('salt' in kdf) || !('iterations' in kdf)) return undefined
  const { salt, iterations } = kdf
  if (
    !hex(salt, 32) ||
    !Number.isSafeInteger(iterations) ||
    (iterations as number) < 1 ||
    (iterations as number) > LIMITS.passphraseIterations * 10
  )
    return undefined
  return { corpus, kdf: { salt, iterations: iterations as number }, wrapped }
}

function locked(reason: string, key: 'missing' | 'wrong', cause?: unknown): HubmeshError {
  return new HubmeshError(
    'store/locked',
    `The corpus does not open: ${reason}. Nothing was changed. Create the engine with the ` +
      'right option encryption; without it the documents cannot be read.',
    { cause, details: { key } },
  )
}

function bound(corpus: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`hubmesh 1 ${corpus} master key`)
}

function random(bytes: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(bytes))
}
