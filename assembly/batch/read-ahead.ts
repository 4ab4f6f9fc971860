/**
 * Reading ahead: with many QPs a batch jumps from cache line to cache line, and wasm has no prefetch. So the records of the
 * next events are fetched first, for nothing but to have them near (measured in bench/RESULTS.md):
 *
 *   load    of what is needed: many loads at once overlap, but what follows waits for the last
 *   store   of 0 into a byte that nothing reads: the processor fetches the line, and nothing waits. DCQCN's records have such a byte
 */
import { KEPT_HOP_BYTES } from '../../src/abi/ack-layout';
import { EVENT_ACK, QP_LIMITED, QP_PARAMETER_SET_SHIFT } from '../../src/abi/codes';
import { EVENT_ARG, EVENT_BYTES, EVENT_KIND_SHIFT, EVENT_QP, EVENT_VALUE_MAX } from '../../src/abi/layout';
import { KNOWS_OTHERS } from '../algorithms/registry';
import { ackEventBytes, ackEvents, eventCapacity, flagsOf, keptHops, keptHopsPerQp, qpCapacity,
  stateOf } from '../memory/map';

/** Below this many QPs (256 KiB of records) everything is near anyway. */
const AHEAD_FROM: u32 = 4096;

/** Where reads end whose only purpose is to have been made. */
let sink: u32 = 0;

/** Takes what was read, so that no optimiser finds the reads of no use. */
@inline export function keepReads(read: u32): void {
  sink += read;
}

/** Bit per parameter set: it is DCQCN's. */
let ofDcqcn: u32 = 0;

/** A parameter set is DCQCN's, or another algorithm's. */
export function noteAlgorithm(parameterSet: u32, isDcqcn: bool): void {
  const bit: u32 = 1 << parameterSet;
  ofDcqcn = isDcqcn ? ofDcqcn | bit : ofDcqcn & ~bit;
}

/** Prefetches the state of a QP; returns what was read, if anything. A QP without limiter needs none. */
@inline export function fetchState(qp: u32): u32 {
  if (qp >= qpCapacity) return 0;
  const flags = flagsOf(qp);
  if (!(flags & QP_LIMITED)) return 0;
  if (KNOWS_OTHERS && !((ofDcqcn >> (flags >> QP_PARAMETER_SET_SHIFT)) & 1)) return stateOf(qp).bytesCounted;
  stateOf(qp).touched = 0;
  return 0;
}

/** The states of the QPs of events, where there are many QPs. */
export function fetchStates(from: usize, end: usize): void {
  if (qpCapacity < AHEAD_FROM) return;
  let read: u32 = 0;
  for (let at = from; at < end; at += EVENT_BYTES) read += fetchState(load<u32>(at, EVENT_QP));
  keepReads(read);
}

/** The first lines of the hops that QPs keep: as many as HPCC's records of five hops take. */
export function readHops(from: usize, places: usize, size: u32): void {
  let read: u32 = 0;
  const hopsBytes = <usize>keptHopsPerQp * KEPT_HOP_BYTES;
  for (let i: usize = 0; i < <usize>size; i++) {
    const qp = load<u32>(from + <usize>load<u8>(places + i) * EVENT_BYTES, EVENT_QP);
    if (qp >= qpCapacity) continue;
    const hops = keptHops + <usize>qp * hopsBytes;
    read += load<u32>(hops) + load<u32>(hops, 64) + load<u32>(hops, 128);
  }
  keepReads(read);
}

/** The lines behind the first of AckEvent records that do not lie one behind the other: as many as five hops take. */
export function readRecords(from: usize, places: usize, size: u32): void {
  let read: u32 = 0;
  for (let i: usize = 0; i < <usize>size; i++) {
    const argument = load<u32>(from + <usize>load<u8>(places + i) * EVENT_BYTES, EVENT_ARG);
    const index = argument & EVENT_VALUE_MAX;
    if (argument >> EVENT_KIND_SHIFT != EVENT_ACK || index >= eventCapacity) continue;
    const record = ackEvents + <usize>index * ackEventBytes;
    read += load<u32>(record, 64) + load<u32>(record, 128) + load<u32>(record, 192);
  }
  keepReads(read);
}
