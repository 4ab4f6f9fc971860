/** Big-endian reads from memory. */

/** The two bytes at `at` as a number. */
@inline export function be16(at: usize): u32 {
  return <u32>bswap<u16>(load<u16>(at));
}

/** The four bytes at `at` as a number. */
@inline export function be32(at: usize): u32 {
  return bswap<u32>(load<u32>(at));
}
