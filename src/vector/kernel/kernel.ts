/**
 * Owns the inner loop of the exact scan: dot products of one 16-bit query with many 8-bit rows, AssemblyScript with wasm SIMD.
 * Refuses: scales, ranking, allocation. Memory is laid out and grown by the caller.
 *
 * Integers only, so the sums are the same in whatever order they run: the plain loop of scan_kernel.ts gives the same bytes.
 * Two products of i32x4.dot_i16x8_s fit i32; the caller bounds the query so that a whole row's sum does too.
 */

/**
 * out[i] = sum of query[j] * row i [j], for `count` rows.
 * @param query address of `width` int16 values, 16-byte aligned
 * @param rows address of the first row; rows follow each other without gaps
 * @param width components of a row, a multiple of 16 (padded with zeros)
 * @param count rows to scan
 * @param out address of `count` int32 values
 */
export function scan(query: usize, rows: usize, width: i32, count: i32, out: usize): void {
  const stride = <usize>width
  let row = rows
  let left = count
  // Two rows a turn: each load of the query serves both, and four sums keep the multipliers busy.
  while (left >= 2) {
    let a0 = i32x4.splat(0), a1 = i32x4.splat(0), b0 = i32x4.splat(0), b1 = i32x4.splat(0)
    let q = query
    const end = row + stride
    const gap = stride
    for (let p = row; p < end; p += 16) {
      const q0 = v128.load(q)
      const q1 = v128.load(q, 16)
      a0 = i32x4.add(a0, i32x4.dot_i16x8_s(v128.load_ext<i8>(p), q0))
      a1 = i32x4.add(a1, i32x4.dot_i16x8_s(v128.load_ext<i8>(p, 8), q1))
      b0 = i32x4.add(b0, i32x4.dot_i16x8_s(v128.load_ext<i8>(p + gap), q0))
      b1 = i32x4.add(b1, i32x4.dot_i16x8_s(v128.load_ext<i8>(p + gap, 8), q1))
      q += 32
    }
    store<i32>(out, total(i32x4.add(a0, a1)))
    store<i32>(out, total(i32x4.add(b0, b1)), 4)
    out += 8
    row += stride + stride
    left -= 2
  }
  if (left == 1) {
    let a0 = i32x4.splat(0), a1 = i32x4.splat(0)
    let q = query
    const end = row + stride
    for (let p = row; p < end; p += 16) {
      a0 = i32x4.add(a0, i32x4.dot_i16x8_s(v128.load_ext<i8>(p), v128.load(q)))
      a1 = i32x4.add(a1, i32x4.dot_i16x8_s(v128.load_ext<i8>(p, 8), v128.load(q, 16)))
      q += 32
    }
    store<i32>(out, total(i32x4.add(a0, a1)))
  }
}

@inline
function total(sums: v128): i32 {
  return i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1) + i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3)
}
