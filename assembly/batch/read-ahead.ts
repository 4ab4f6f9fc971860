/**
 * Reading ahead: with many QPs a batch accesses random cache lines, and wasm has no prefetch instruction. So the records of
 * the next events are accessed first, only to bring them into the cache (measured in bench/RESULTS.md):
 *
 *   load    many loads overlap, but later code waits for the last one
 *   store   of 0 into a byte that nothing reads: the processor fetches the line without stalling. DCQCN's records have such a byte
 */
import { KEPT_HOP_BYTES } from '../../src/abi/ack-layout';
import { EVENT_ACK, QP_LIMITED, QP_PARAMETER_SET_SHIFT } from '../../src/abi/codes';
import { EVENT_ARG, EVENT_BYTES, EVENT_KIND_SHIFT, EVENT_QP, EVENT_VALUE_MAX } from '../../src/abi/layout';
import { KNOWS_OTHERS } from '../algorithms/registry';
import { ackEventBytes, ackEvents, eventCapacity, flagsOf, keptHops, keptHopsPerQp, qpCapacity,
  stateOf } from '../memory/map';

/** Below this many QPs (256 KiB of records) everything stays cached. */
const AHEAD_FROM: u32 = 4096;

/** Stores the results of prefetching loads, so that they are not optimised away. */
let sink: u32 = 0;

/** Uses the result of a load, so that the load is not optimised away. */
@inline export function keepReads(read: u32): void {
  sink += read;
}

/** One bit per parameter set: whether it is DCQCN's. */
let ofDcqcn: u32 = 0;

/** Records whether a parameter set is DCQCN's. */
export function noteAlgorithm(parameterSet: u32, isDcqcn: bool): void {
  const bit: u32 = 1 << parameterSet;
  ofDcqcn = isDcqcn ? ofDcqcn | bit : ofDcqcn & ~bit;
}

/** Prefetches the state of a QP, unless it has no limiter; returns the loaded value, if any. */
@inline export function fetchState(qp: u32): u32 {
  if (qp >= qpCapacity) return 0;
  const flags = flagsOf(qp);
  if (!(flags & QP_LIMITED)) return 0;
  if (KNOWS_OTHERS && !((ofDcqcn >> (flags >> QP_PARAMETER_SET_SHIFT)) & 1)) return stateOf(qp).bytesCounted;
  stateOf(qp).touched = 0;
  return 0;
}

/** Prefetches the states of the events' QPs, if there are many QPs. */
export function fetchStates(from: usize, end: usize): void {
  if (qpCapacity < AHEAD_FROM) return;
  let read: u32 = 0;
  for (let at = from; at < end; at += EVENT_BYTES) read += fetchState(load<u32>(at, EVENT_QP));
  keepReads(read);
}

/** Reads the first cache lines of the QPs' stored hops: those of five HPCC hops. */
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

/** Reads the cache lines of non-contiguous AckEvent records, except the first line of each: those of five hops. */
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
