/**
 * Access list of source addresses that may send Fast CNPs (draft-xiao-rtgwg-rocev2-fast-cnp-01, section 5).
 *
 * The host flattens prefixes into disjoint ranges with their longest-match verdict, sorted by first address, from :: on, so
 * a check is a single binary search.
 */
import { ACCESS_ALLOW, ACCESS_BYTES, ACCESS_LOW } from '../../src/abi/layout';
import { access } from '../memory/map';
import { accessRanges } from '../memory/settings';

/** Whether this source may send Fast CNPs. `source`: address of its 16 bytes. */
export function isAllowed(source: usize): bool {
  const high = bswap<u64>(load<u64>(source));
  const low = bswap<u64>(load<u64>(source, 8));
  let first: u32 = 0;
  let count = accessRanges;
  while (count > 1) {
    const half = count >> 1;
    const at = access + <usize>(first + half) * ACCESS_BYTES;
    const rangeHigh = load<u64>(at);
    if (rangeHigh < high || (rangeHigh == high && load<u64>(at, ACCESS_LOW) <= low)) first += half;
    count -= half;
  }
  return load<u32>(access + <usize>first * ACCESS_BYTES, ACCESS_ALLOW) != 0;
}
