/** Ring bitmaps: one bit per packet number of a flow. Numbers less than a ring's size apart have different bits. */

/** Number of packets in a bitmap of an ACK or SACK. */
export const MAP_PACKETS: i64 = 64;

@inline function wordOf(ring: u32, mask: u32, number: i64): usize {
  return <usize>ring + ((<usize>(<u32>number & mask) >> 5) << 2);
}

@inline export function hasBit(ring: u32, mask: u32, number: i64): bool {
  return (load<u32>(wordOf(ring, mask, number)) >> (<u32>number & 31) & 1) != 0;
}

@inline export function setBit(ring: u32, mask: u32, number: i64): void {
  const at = wordOf(ring, mask, number);
  store<u32>(at, load<u32>(at) | (1 << (<u32>number & 31)));
}

@inline export function clearBit(ring: u32, mask: u32, number: i64): void {
  const at = wordOf(ring, mask, number);
  store<u32>(at, load<u32>(at) & ~(1 << (<u32>number & 31)));
}

/** Clears the bits from `first` up to, but not including, `last`; the whole ring if that is more than its size. */
export function clearBits(ring: u32, mask: u32, first: i64, last: i64): void {
  const end = min<i64>(last, first + <i64>mask + 1);
  for (let number = first; number < end; number++) clearBit(ring, mask, number);
}

/** Returns the bits of 64 packets from `first` on; bit 0 is that of `first`. The ring has at least 64 bits. */
export function bitsFrom(ring: u32, mask: u32, first: i64): u64 {
  const low = <u64>load<u32>(wordOf(ring, mask, first)) | (<u64>load<u32>(wordOf(ring, mask, first + 32)) << 32);
  const shift = <u64>first & 31;
  if (shift == 0) return low;
  return (low >> shift) | (<u64>load<u32>(wordOf(ring, mask, first + 64)) << (64 - shift));
}

/**
 * Returns the packets of an ACK's bitmap that the ring lacks, from `from` on; bit 0 is that of `from`.
 *
 * @param first packet of the bitmap's bit 0, at most `from`.
 */
export function newBits(ring: u32, mask: u32, map: u64, first: i64, from: i64): u64 {
  const passed = from - first;
  return passed >= MAP_PACKETS ? 0 : (map >> <u64>passed) & ~bitsFrom(ring, mask, from);
}
