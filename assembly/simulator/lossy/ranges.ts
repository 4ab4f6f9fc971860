/**
 * Sets of bytes as ascending, non-adjacent ranges [start, end): bytes that a receiver holds beyond the expected one, and those that
 * the sender knows to be held. A set is the index of its first range; SIM_NONE if empty. Ranges use records of the packet pool.
 *
 * Source: docs/specs/reference-lossy.md, section 5.
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { giveRecord, packetAt, takeRecord } from '../packets';

@inline export function startOf(range: u32): i64 {
  return packetAt(range).sequence;
}

@inline export function endOf(range: u32): i64 {
  return packetAt(range).sentPs;
}

/** Adds bytes; returns the set's first range. If memory is exhausted, the run ends and the set is unchanged. */
export function addRange(first: u32, start: i64, end: i64): u32 {
  let before: u32 = SIM_NONE;
  let at = first;
  while (at != SIM_NONE && endOf(at) < start) {
    before = at;
    at = packetAt(at).next;
  }
  if (at == SIM_NONE || startOf(at) > end) return insert(first, before, at, start, end);
  const range = packetAt(at);
  if (start < range.sequence) range.sequence = start;
  if (end > range.sentPs) extend(at, end);
  return first;
}

function insert(first: u32, before: u32, behind: u32, start: i64, end: i64): u32 {
  const made = takeRecord();
  if (made == SIM_NONE) return first;
  const range = packetAt(made);
  range.sequence = start;
  range.sentPs = end;
  range.next = behind;
  if (before == SIM_NONE) return made;
  packetAt(before).next = made;
  return first;
}

/** Extends a range, and merges it with those that it reaches. */
function extend(index: u32, end: i64): void {
  const range = packetAt(index);
  range.sentPs = end;
  while (range.next != SIM_NONE && startOf(range.next) <= range.sentPs) {
    const reached = range.next;
    if (endOf(reached) > range.sentPs) range.sentPs = endOf(reached);
    range.next = packetAt(reached).next;
    giveRecord(reached);
  }
}

/** Removes everything below a byte; returns the set's first range. */
export function trim(first: u32, below: i64): u32 {
  let at = first;
  while (at != SIM_NONE && endOf(at) <= below) {
    const next = packetAt(at).next;
    giveRecord(at);
    at = next;
  }
  if (at != SIM_NONE && startOf(at) < below) packetAt(at).sequence = below;
  return at;
}

/** Removes all ranges; returns the empty set. */
export function clear(first: u32): u32 {
  return trim(first, i64.MAX_VALUE);
}

/** Whether all of these bytes are inside one range. */
export function contains(first: u32, start: i64, end: i64): bool {
  let at = first;
  while (at != SIM_NONE && endOf(at) < end) at = packetAt(at).next;
  return at != SIM_NONE && startOf(at) <= start;
}
