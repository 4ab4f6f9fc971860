/**
 * The memory map: a list of consecutive regions, laid out once by `initialise`.
 *
 * Memory per QP: 64 state + 1 flags + 4 local QPN + 4 flow entry address + 8 CNP window (16 under `trailing`)
 * + 37.8 flow table (33 bytes a slot and one for 16, 16 slots for 14 flows) + 9.1 QPN table (8 bytes a slot, 8 for 7)
 * = 127.9 bytes; + 8 if a parameter set checks for cuts per period; + 46 if CNPs are coalesced by destination.
 */
import { ACK_EVENT_ALIGNMENT, ACK_HOPS, ACK_HOP_BYTES, KEPT_HOP_BYTES } from '../../src/abi/ack-layout';
import { FEATURE_ACKS, FEATURE_CUT_TIMES, FEATURE_PEERS, FEATURE_TRAILING } from '../../src/abi/codes';
import { ACCESS_BYTES, ACTION_BYTES, ACTIONS_PER_INPUT, CAPACITY_ADDRESS, DESCRIPTOR_BYTES, EVENT_BYTES,
  FAST_CNP_EVENT_BYTES, FIXED_END, PACKET_BYTES, PARAMETER_SETS_ADDRESS, PARAMETER_SET_BYTES, QP_BYTES, REGIONS_ADDRESS,
  REGION_ACCESS, REGION_ACK_EVENTS, REGION_ACTIONS, REGION_CNP_WINDOWS, REGION_CUT_TIMES, REGION_DESCRIPTORS,
  REGION_END, REGION_EVENTS, REGION_FAST_CNP_EVENTS, REGION_FLOW_ENTRIES, REGION_FRAMES, REGION_KEPT_HOPS,
  REGION_LOCAL_QPNS, REGION_PACKETS, REGION_PEER_OF, REGION_PEER_REFERENCES, REGION_QPS, REGION_QP_FLAGS,
  REGION_TABLES } from '../../src/abi/layout';
import { QP_PARAMETER_SET_SHIFT } from '../../src/abi/codes';
import { ParameterSet, QpState } from './records';
import { CAPACITY_ACCESS_RANGES, CAPACITY_ENDPOINTS, CAPACITY_EVENTS, CAPACITY_FEATURES, CAPACITY_FRAME_BYTES,
  CAPACITY_HOPS, CAPACITY_MODULE_BYTES, CAPACITY_PACKETS, CAPACITY_QPS,
  CAPACITY_TABLE_BYTES } from '../records/engine-capacity';

/** Number of frames processed together: each pass handles all of them. */
export const BLOCK = 64;
/** Scratch memory of one frame between the passes of a block. */
export const SCRATCH_BYTES: usize = 32;
/** Scratch memory for sorting a run of events (batch/by-algorithm.ts); never used at the same time as that of frames. */
export const SORTING_BYTES: usize = 4384;

export let qpCapacity: u32 = 0;
export let endpointCapacity: u32 = 0;
export let eventCapacity: u32 = 0;
let packetCapacity: u32 = 0;
export let frameBytes: u32 = 0;
export let actionCapacity: u32 = 0;
let accessCapacity: u32 = 0;

export let events: usize = 0;
export let fastCnpEvents: usize = 0;
export let descriptors: usize = 0;
export let packets: usize = 0;
export let frames: usize = 0;
export let actions: usize = 0;
export let access: usize = 0;
export let scratch: usize = 0;
export let crcTable: usize = 0;

export let qps: usize = 0;
export let qpFlags: usize = 0;
export let localQpns: usize = 0;
export let flowEntries: usize = 0;
export let cutTimes: usize = 0;
/** AckEvent records: one per event of a batch, and one for frames. Their length depends on the maximum number of hops. */
export let ackEvents: usize = 0;
export let ackEventBytes: usize = 0;
/** Tables of parameter sets (algorithms/hpcc-pint/transitions.ts). */
export let tables: usize = 0;
/** Number of hops that a QP stores. */
export let keptHops: usize = 0;
export let keptHopsPerQp: u32 = 0;
export let windows: usize = 0;
export let windowShift: u32 = 0;
export let peerOf: usize = 0;
export let peerReferences: usize = 0;

/** Limit of memory: 4 GiB in wasm32, minus one page so that address sums stay below 2^32. */
export const LIMIT: usize = 0xffff0000;

let top: usize = 0;
let beyond: bool = false;

/** Allocates a region on its own cache line. No single region is larger than 2^30 + 2^29 bytes. */
export function allocate(bytes: usize): usize {
  const at = top;
  if (bytes > LIMIT - top) beyond = true;
  else top = (top + bytes + 63) & ~(63 as usize);
  return at;
}

/** Grows memory to the end of the regions; false if they don't fit or the allocation fails. */
export function commit(): bool {
  if (beyond) return false;
  const pages = <i32>((top + 0xffff) >>> 16) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) return false;
  publish(REGION_END, top);
  return true;
}

export function publish(region: u32, address: usize): void {
  store<u32>(<usize>REGIONS_ADDRESS + (<usize>region << 2), <u32>address);
}

/** One word of the host's capacity, CAPACITY_*. */
@inline export function capacity(field: u32): u32 {
  return load<u32>(<usize>CAPACITY_ADDRESS + (<usize>field << 2));
}

export function allocateBuffers(): void {
  top = FIXED_END + capacity(CAPACITY_MODULE_BYTES);
  eventCapacity = capacity(CAPACITY_EVENTS);
  packetCapacity = capacity(CAPACITY_PACKETS);
  frameBytes = capacity(CAPACITY_FRAME_BYTES);
  accessCapacity = capacity(CAPACITY_ACCESS_RANGES);
  // One more than can be used: `emitRate` writes before it decides.
  actionCapacity = max(eventCapacity, packetCapacity) * ACTIONS_PER_INPUT;
  publish(REGION_EVENTS, events = allocate(<usize>eventCapacity * EVENT_BYTES));
  publish(REGION_FAST_CNP_EVENTS, fastCnpEvents = allocate(<usize>eventCapacity * FAST_CNP_EVENT_BYTES));
  publish(REGION_DESCRIPTORS, descriptors = allocate(<usize>packetCapacity * DESCRIPTOR_BYTES));
  publish(REGION_PACKETS, packets = allocate(<usize>packetCapacity * PACKET_BYTES));
  publish(REGION_ACTIONS, actions = allocate((<usize>actionCapacity + 1) * ACTION_BYTES));
  publish(REGION_ACCESS, access = allocate(<usize>accessCapacity * ACCESS_BYTES));
  scratch = allocate(max<usize>(<usize>BLOCK * SCRATCH_BYTES, SORTING_BYTES));
  crcTable = allocate(8192);
  publish(REGION_FRAMES, frames = allocate(frameBytes));
}

export function allocateQps(): void {
  const features = capacity(CAPACITY_FEATURES);
  qpCapacity = capacity(CAPACITY_QPS);
  endpointCapacity = capacity(CAPACITY_ENDPOINTS);
  publish(REGION_QPS, qps = allocate(<usize>qpCapacity * QP_BYTES));
  publish(REGION_QP_FLAGS, qpFlags = allocate(qpCapacity));
  publish(REGION_LOCAL_QPNS, localQpns = allocate(<usize>qpCapacity << 2));
  publish(REGION_FLOW_ENTRIES, flowEntries = allocate(<usize>qpCapacity << 2));
  windowShift = features & FEATURE_TRAILING ? 4 : 3;
  publish(REGION_CNP_WINDOWS, windows = allocate(<usize>max(qpCapacity, endpointCapacity) << windowShift));
  cutTimes = allocateIf(features & FEATURE_CUT_TIMES, REGION_CUT_TIMES, <usize>qpCapacity << 3);
  peerOf = allocateIf(features & FEATURE_PEERS, REGION_PEER_OF, <usize>qpCapacity << 2);
  peerReferences = allocateIf(features & FEATURE_PEERS, REGION_PEER_REFERENCES, <usize>qpCapacity << 2);
}

/** Allocates a region only if it is needed. @returns its address, or 0. */
function allocateIf(isNeeded: u32, region: u32, bytes: usize): usize {
  const at = allocate(isNeeded ? bytes : 0);
  publish(region, at);
  return isNeeded ? at : 0;
}

/** Allocates memory for algorithms that read ACKs: AckEvent records, hops per QP, and tables. */
export function allocateAcks(): void {
  const hops = capacity(CAPACITY_HOPS);
  const wanted = (capacity(CAPACITY_FEATURES) & FEATURE_ACKS) != 0;
  publish(REGION_TABLES, tables = allocate(capacity(CAPACITY_TABLE_BYTES)));
  const recordBytes = <usize>ACK_HOPS + <usize>hops * ACK_HOP_BYTES;
  ackEventBytes = wanted ? (recordBytes + ACK_EVENT_ALIGNMENT - 1) & ~(ACK_EVENT_ALIGNMENT - 1) : 0;
  keptHopsPerQp = wanted ? hops : 0;
  publish(REGION_ACK_EVENTS, ackEvents = allocate((<usize>eventCapacity + 1) * ackEventBytes));
  publish(REGION_KEPT_HOPS, keptHops = allocate(<usize>qpCapacity * keptHopsPerQp * KEPT_HOP_BYTES));
}

@inline export function stateOf(qp: u32): QpState {
  return changetype<QpState>(qps + <usize>qp * QP_BYTES);
}

@inline export function flagsOf(qp: u32): u32 {
  return load<u8>(qpFlags + <usize>qp);
}

@inline export function setFlags(qp: u32, flags: u32): void {
  store<u8>(qpFlags + <usize>qp, <u8>flags);
}

@inline export function parameterSetOf(flags: u32): ParameterSet {
  return changetype<ParameterSet>(
    <usize>PARAMETER_SETS_ADDRESS + <usize>(flags >> QP_PARAMETER_SET_SHIFT) * PARAMETER_SET_BYTES,
  );
}

/** Address of a QP's stored hops. */
@inline export function hopsOf(qp: u32): usize {
  return keptHops + <usize>qp * keptHopsPerQp * KEPT_HOP_BYTES;
}
