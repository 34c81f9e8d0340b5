/** Owns a synchronous SHA-256 (FIPS 180-4): packing is a pure function, and crypto.subtle only answers later. */

const K = /* @__PURE__ */ roundConstants()

/** Fractional parts of the cube roots of the first 64 primes, in integers so that no engine's `cbrt` matters. */
function roundConstants(): Uint32Array {
  const out = new Uint32Array(64)
  for (let n = 2, i = 0; i < 64; n++) {
    let prime = true
    for (let d = 2; d * d <= n; d++) if (n % d === 0) { prime = false; break }
    if (prime) out[i++] = Number(root(BigInt(n) << 96n, 3n) & 0xffffffffn)
  }
  return out
}

function root(value: bigint, degree: bigint): bigint {
  let low = 0n, high = 1n << 40n
  while (low < high) {
    const middle = (low + high + 1n) >> 1n
    if (middle ** degree <= value) low = middle
    else high = middle - 1n
  }
  return low
}

const INITIAL = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19] as const

/** 64 hex digits of a text in UTF-8. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000))
  view.setUint32(padded.length - 4, bytes.length << 3)
  const hash = Uint32Array.from(INITIAL), w = new Uint32Array(64)
  for (let block = 0; block < padded.length; block += 64) compress(hash, w, view, block)
  let hex = ''
  for (const word of hash) hex += word.toString(16).padStart(8, '0')
  return hex
}

function compress(hash: Uint32Array, w: Uint32Array, view: DataView, block: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + 4 * i)
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15] as number, y = w[i - 2] as number
    w[i] = (w[i - 16] as number) + (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)) + (w[i - 7] as number) + (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10))
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const t1 = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number)) | 0
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g; g = f; f = e; e = (d + t1) | 0
    d = c; c = b; b = a; a = (t1 + t2) | 0
  }
  const sums = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) hash[i] = (hash[i] as number) + (sums[i] as number)
}

function rotate(x: number, n: number): number {
  return (x >>> n) | (x << (32 - n))
}
