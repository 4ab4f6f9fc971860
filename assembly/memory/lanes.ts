/**
 * Vectors, where a build has them: ROCE_SIMD (asconfig*.json) says so. Builds without it are equal to the bit, and are what hosts take
 * that know no SIMD, such as wasm2c (scripts/native).
 */

/** Whether this build uses SIMD. */
export const VECTORS: bool = isDefined(ROCE_SIMD);

const HIGH_BITS: u64 = 0x8080808080808080;
const LOW_BITS: u64 = 0x0101010101010101;
/** Brings bit 8 i of a word to bit 56 + i. */
const GATHER: u64 = 0x0102040810204080;
const GATHERED: u64 = 56;

/** Bit i set: byte i of the 16 at `at` is `byte`. */
@inline export function bytesEqual(at: usize, byte: u8): i32 {
  if (VECTORS) return i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(<i8>byte)));
  const wanted = <u64>byte * LOW_BITS;
  return gather(zeroBytes(load<u64>(at) ^ wanted)) | (gather(zeroBytes(load<u64>(at, 8) ^ wanted)) << 8);
}

/** Bit i set: byte i of the 16 at `at` is 0x80 or above. */
@inline export function bytesWithHighBit(at: usize): i32 {
  if (VECTORS) return i8x16.bitmask(v128.load(at));
  return gather(load<u64>(at) & HIGH_BITS) | (gather(load<u64>(at, 8) & HIGH_BITS) << 8);
}

/** Copies 16 bytes. */
@inline export function copy16(to: usize, from: usize): void {
  if (VECTORS) {
    v128.store(to, v128.load(from));
  } else {
    const low = load<u64>(from);
    const high = load<u64>(from, 8);
    store<u64>(to, low);
    store<u64>(to, high, 8);
  }
}

/** The high bit of each byte that is 0, and no other bit. */
@inline function zeroBytes(word: u64): u64 {
  return ~(((word & ~HIGH_BITS) + ~HIGH_BITS) | word | ~HIGH_BITS);
}

/** The high bits of eight bytes as eight bits. */
@inline function gather(highBits: u64): i32 {
  return <i32>(((highBits >> 7) * GATHER) >> GATHERED);
}
