/**
 * SIMD operations, with scalar fallbacks for builds without ROCE_SIMD (asconfig*.json). Both give the same bits; hosts without
 * SIMD, such as wasm2c (scripts/native), use the scalar build.
 */

/** Whether this build uses SIMD. */
export const VECTORS: bool = isDefined(ROCE_SIMD);

const HIGH_BITS: u64 = 0x8080808080808080;
const LOW_BITS: u64 = 0x0101010101010101;
/** Multiplier that moves bit 8 i of a word to bit 56 + i. */
const GATHER: u64 = 0x0102040810204080;
const GATHERED: u64 = 56;

/** A mask of the 16 bytes at `at`: bit i is set if byte i equals `byte`. */
@inline export function bytesEqual(at: usize, byte: u8): i32 {
  if (VECTORS) return i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(<i8>byte)));
  const wanted = <u64>byte * LOW_BITS;
  return gather(zeroBytes(load<u64>(at) ^ wanted)) | (gather(zeroBytes(load<u64>(at, 8) ^ wanted)) << 8);
}

/** A mask of the 16 bytes at `at`: bit i is set if byte i is 0x80 or above. */
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

/** Gathers the high bits of eight bytes into eight bits. */
@inline function gather(highBits: u64): i32 {
  return <i32>(((highBits >> 7) * GATHER) >> GATHERED);
}
