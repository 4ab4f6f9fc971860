/**
 * Flattens an access list of prefixes into sorted, disjoint ranges, so that longest-prefix match is one binary search.
 *
 * Two prefixes are either nested or disjoint. They are visited in order of first address, shorter prefixes first, while
 * a stack holds those that cover the current address; the innermost one decides.
 */
import type { AccessRule } from '../config/fast-cnp.js';
import { parsePrefix } from '../wire/ip/ip-address.js';

/** A range from `first` up to the next range's first address, with one verdict. */
export interface AccessRange {
  readonly first: bigint;
  readonly allow: boolean;
}

interface Span extends AccessRange {
  readonly last: bigint;
}

const ADDRESS_BITS = 128;
const LAST_ADDRESS = (1n << BigInt(ADDRESS_BITS)) - 1n;

/** Returns ranges in order of first address; the first one begins at `::`. */
export function flattenAccessList(rules: readonly AccessRule[], defaultAllow: boolean): AccessRange[] {
  const spans = rules.map(spanOf).sort(byFirstThenWidest);
  const ranges: AccessRange[] = [{ first: 0n, allow: defaultAllow }];
  const open: Span[] = [{ first: 0n, last: LAST_ADDRESS, allow: defaultAllow }];
  for (const span of spans) {
    closeBefore(open, span.first, ranges);
    append(ranges, span.first, span.allow);
    open.push(span);
  }
  closeBefore(open, LAST_ADDRESS + 1n, ranges);
  return ranges;
}

function spanOf(rule: AccessRule): Span {
  const { address, lengthBits } = parsePrefix(rule.prefix, 'accessList.prefix');
  let first = 0n;
  for (const byte of address) first = (first << 8n) | BigInt(byte);
  const size = 1n << BigInt(ADDRESS_BITS - lengthBits);
  return { first, last: first + size - 1n, allow: rule.action === 'allow' };
}

function byFirstThenWidest(a: Span, b: Span): number {
  if (a.first !== b.first) return a.first < b.first ? -1 : 1;
  return a.last > b.last ? -1 : 1;
}

/** Pops the spans that end before `address`; after each one, the enclosing span decides again. */
function closeBefore(open: Span[], address: bigint, ranges: AccessRange[]): void {
  for (let inner = open.at(-1); inner && open.length > 1 && inner.last < address; inner = open.at(-1)) {
    open.pop();
    const outer = open.at(-1);
    if (outer && inner.last < LAST_ADDRESS) append(ranges, inner.last + 1n, outer.allow);
  }
}

/**
 * Appends a range: replaces the last one if both begin at the same address, and merges with it if the verdict is the
 * same.
 */
function append(ranges: AccessRange[], first: bigint, allow: boolean): void {
  if (ranges.at(-1)?.first === first) ranges.pop();
  if (ranges.at(-1)?.allow !== allow) ranges.push({ first, allow });
}
