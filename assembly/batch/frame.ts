/**
 * Addresses that the passes of the raw-packet loop share: of a frame, its descriptor, its record and its scratch memory.
 */
import { DESCRIPTOR_BYTES, DESCRIPTOR_OFFSET, PACKET_BYTES, PACKET_CLASS, PACKET_IP_OFFSET,
  PACKET_IP_VERSION } from '../../src/abi/layout';
import { BLOCK, SCRATCH_BYTES, descriptors, frames, packets, scratch } from '../memory/map';

// Scratch memory of a frame: flow hash u64 | QPN hash u64 | sending endpoint u32 | receiving endpoint u32 | candidate u32 | table line u32.
export const FLOW_HASH: usize = 0;
export const QPN_HASH: usize = 8;
export const SENDER: usize = 16;
export const RECEIVER: usize = 20;
export const CANDIDATE: usize = 24;
/** Value of the candidate before the lookup of a flow. No entry has this address. */
export const WANTED: u32 = 1;
/** First cache line of the lookup, of tags or QPNs; the frame's own scratch memory if there is no lookup. */
export const LINE: usize = 28;

/** The address found by `loadAddress`, as two u64 in memory byte order; IPv4 as IPv4-mapped. */
export let low: u64 = 0;
export let high: u64 = 0;

@inline export function descriptorOf(index: u32): usize {
  return descriptors + <usize>index * DESCRIPTOR_BYTES;
}

@inline export function recordOf(index: u32): usize {
  return packets + <usize>index * PACKET_BYTES;
}

@inline export function scratchOf(index: u32): usize {
  return scratch + <usize>(index & (BLOCK - 1)) * SCRATCH_BYTES;
}

@inline export function frameOf(index: u32): usize {
  return frames + load<u32>(descriptorOf(index), DESCRIPTOR_OFFSET);
}

@inline export function classOf(record: usize): u32 {
  return load<u8>(record, PACKET_CLASS);
}

/** Loads a frame's source or destination address into `low` and `high`. */
@inline export function loadAddress(frame: usize, record: usize, destination: bool): void {
  const ip = frame + load<u16>(record, PACKET_IP_OFFSET);
  if (load<u8>(record, PACKET_IP_VERSION) == 6) {
    const at = ip + (destination ? 24 : 8);
    low = load<u64>(at);
    high = load<u64>(at, 8);
  } else {
    low = 0;
    high = 0xffff0000 | (<u64>load<u32>(ip + (destination ? 16 : 12)) << 32);
  }
}
