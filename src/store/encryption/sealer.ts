/**
 * Seals single records: AES-256-GCM (NIST SP 800-38D) with a random nonce of 96 bits for each, and
 * names that stand for document ids. A record sealed for another place does not open.
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { HubmeshError } from '../../base/errors.ts'

const NONCE_BYTES = 12
/** The tag is the end of a sealed record. */
export const SEAL_TAG_BYTES = 16
/** What sealing adds to a record, bytes. */
export const SEAL_BYTES = NONCE_BYTES + SEAL_TAG_BYTES

const ENCODER = new TextEncoder()

export class Sealer {
  /** Random name of the corpus; part of what every record is bound to. */
  readonly corpus: string
  private readonly key: CryptoKey
  private readonly nameKey: Uint8Array

  private readonly macKey: Uint8Array

  private constructor(
    corpus: string,
    key: CryptoKey,
    { names, manifest }: { readonly names: Uint8Array; readonly manifest: Uint8Array },
  ) {
    this.corpus = corpus
    this.key = key
    this.nameKey = names
    this.macKey = manifest
  }

  /**
   * `master` has 32 bytes; one key each for records, names and manifests is derived from it (HKDF-SHA-256,
   * RFC 5869).
   */
  static async from(corpus: string, master: Uint8Array): Promise<Sealer> {
    const derive = (what: string): Uint8Array<ArrayBuffer> =>
      Uint8Array.from(
        hkdf(sha256, master, ENCODER.encode(corpus), ENCODER.encode(`hubmesh ${what}`), 32),
      )
    const key = await crypto.subtle.importKey('raw', derive('records'), 'AES-GCM', false, [
      'encrypt',
      'decrypt',
    ])
    return new Sealer(corpus, key, { names: derive('names'), manifest: derive('manifest') })
  }

  /**
   * What stands for a document's id in keys: HMAC-SHA-256 (RFC 2104), the first 128 bits in hex;
   * the same for the same id, and no way back.
   */
  nameOf(id: string): string {
    // UTF-16, so that ids with lone surrogates keep apart.
    const units = new Uint8Array(id.length * 2),
      view = new DataView(units.buffer)
    for (let i = 0; i < id.length; i++) view.setUint16(i * 2, id.charCodeAt(i), true)
    return bytesToHex(hmac(sha256, this.nameKey, units)).slice(0, 32)
  }

  /** HMAC-SHA-256 of a text, in hex: proves that it was written with the key. */
  mac(text: string): string {
    return bytesToHex(hmac(sha256, this.macKey, ENCODER.encode(text)))
  }

  /**
   * Nonce, ciphertext and tag; they open only for the same `place`: store, key and generation in
   * words.
   */
  async seal(place: string, bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
    const sealed = await crypto.subtle.encrypt(
      { name: 'AES-GCM', iv: nonce, additionalData: this.bound(place) },
      this.key,
      bytes as Uint8Array<ArrayBuffer>,
    )
    const out = new Uint8Array(NONCE_BYTES + sealed.byteLength)
    out.set(nonce)
    out.set(new Uint8Array(sealed), NONCE_BYTES)
    return out
  }

  /** Rejects with `store/corrupt` where anything is not as it was sealed, there. */
  async open(place: string, value: unknown): Promise<Uint8Array<ArrayBuffer>> {
    const bytes =
      value instanceof Uint8Array
        ? value
        : value instanceof ArrayBuffer
          ? new Uint8Array(value)
          : null
    if (bytes === null || bytes.length < SEAL_BYTES) throw broken()
    try {
      const iv = bytes.slice(0, NONCE_BYTES),
        body = bytes.slice(NONCE_BYTES)
      return new Uint8Array(
        await crypto.subtle.decrypt(
          { name: 'AES-GCM', iv, additionalData: this.bound(place) },
          this.key,
          body,
        ),
      )
    } catch (cause) {
      throw broken(cause)
    }
  }

  private bound(place: string): Uint8Array<ArrayBuffer> {
    return ENCODER.encode(`hubmesh 1 ${this.corpus} ${place}`)
  }
}

function broken(cause?: unknown): HubmeshError {
  return new HubmeshError(
    'store/corrupt',
    'An encrypted record does not open with the key of its corpus: it was changed, moved or cut.',
    { cause },
  )
}
