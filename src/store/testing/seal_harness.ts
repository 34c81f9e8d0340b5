/**
 * Owns the keys of tests. Refuses: to be exported; a key of the platform that cannot leave it is
 * what pages should use.
 */
export function newKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}
