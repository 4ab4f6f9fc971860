/**
 * The packet pool: records of equal length at the end of memory, so that the pool can grow during the run.
 *
 * Conservation: created = consumed at the edge of the network + dropped + in use, in packets and in bytes.
 */
import { DROP_BIT_ERRORS, DROP_REASONS, PACKET_CREDIT, PACKET_DATA, RUN_NO_MEMORY,
  SIM_NONE } from '../../src/abi/sim-codes';
import { LIMIT } from '../memory/map';
import { halt, packetGone, packetMade } from './halt';
import { packetEntered, packetLeft, recycling } from './messages/memory';
import { total } from './network';
import { TOTAL_BYTES_DROPPED, TOTAL_BYTES_IN, TOTAL_BYTES_OUT, TOTAL_CREDITS_DROPPED, TOTAL_DROPS, TOTAL_HAZARD_DROPS,
  TOTAL_KINDS, TOTAL_PACKETS_IN, TOTAL_PACKETS_OUT } from '../records/sim-run';
import { PACKET_HOP_BYTES, SIM_PACKET_BYTES, SimPacket } from '../records/network';

const PAGE: usize = 65536;
/** Kind of a free record. */
const FREE: u8 = 0xff;
/** Offsets of bytes that are always 0, in a time below 2^53 ps and in a packet's length. */
const TIME_TOP: usize = 7;
const LENGTH_TOP: usize = 3;
/** Minimum number of records by which the pool grows. */
const CHUNK: u32 = 4096;

let pool: usize = 0;
let recordBytes: u32 = 0;
/** Offset of the additional part of packets, after their telemetry. */
let partOffset: u32 = 0;
let capacity: u32 = 0;
let made: u32 = 0;
let firstFree: u32 = SIM_NONE;

/** Begins an empty pool at `address`, the end of all other memory; `partBytes`: size of the part after each packet's telemetry. */
export function beginPool(address: usize, hops: u32, partBytes: u32): void {
  pool = address;
  partOffset = (SIM_PACKET_BYTES + hops * PACKET_HOP_BYTES + 7) & ~7;
  recordBytes = partOffset + partBytes;
  capacity = 0;
  made = 0;
  firstFree = SIM_NONE;
}

@inline export function packetAt(index: u32): SimPacket {
  return changetype<SimPacket>(pool + <usize>index * recordBytes);
}

/**
 * Prefetches the packet that is next in its queue or on its link, whose record is not cached in large networks. It stores 0 to
 * bytes that are already 0, the highest of a time and of a length, because a store does not stall as a load does. There are two
 * stores, because a record with telemetry may span two cache lines.
 */
@inline export function fetchPacket(index: u32): void {
  const packet = changetype<usize>(packetAt(index));
  store<u8>(packet, 0, offsetof<SimPacket>('sentPs') + TIME_TOP);
  store<u8>(packet, 0, offsetof<SimPacket>('lenBytes') + LENGTH_TOP);
}

@inline export function hopOf(packet: SimPacket, hop: u32): usize {
  return changetype<usize>(packet) + SIM_PACKET_BYTES + <usize>hop * PACKET_HOP_BYTES;
}

/** Address of the part after a packet's telemetry. */
@inline export function packetPart(packet: SimPacket): usize {
  return changetype<usize>(packet) + partOffset;
}

@inline export function packetBytes(): u32 {
  return recordBytes;
}

/** Takes a record that does not count as a packet; SIM_NONE if memory is exhausted. */
@inline export function takeRecord(): u32 {
  const index = firstFree;
  if (index != SIM_NONE) {
    firstFree = packetAt(index).next;
    return index;
  }
  if (made == capacity && !grow()) {
    halt(RUN_NO_MEMORY);
    return SIM_NONE;
  }
  packetAt(made).kind = FREE;
  return made++;
}

/** Returns a record that did not count as a packet. */
export function giveRecord(index: u32): void {
  packetAt(index).next = firstFree;
  firstFree = index;
}

/** Makes a packet that enters the network; SIM_NONE if memory is exhausted. */
export function makePacket(kind: u32, flow: u32, cls: u32, lenBytes: u32): u32 {
  const index = takeRecord();
  if (index == SIM_NONE) return SIM_NONE;
  const packet = packetAt(index);
  packet.next = SIM_NONE;
  // Sets kind and class, and clears marks, hops, corruption, echo, switches passed and detours.
  store<u32>(changetype<usize>(packet), kind | (cls << 8), offsetof<SimPacket>('kind'));
  store<u32>(changetype<usize>(packet), 0, offsetof<SimPacket>('corrupted'));
  packet.flow = flow;
  packet.lenBytes = lenBytes;
  packet.power = 0;
  if (recycling && flow != SIM_NONE) packetEntered(flow);
  packetMade();
  total(TOTAL_PACKETS_IN, 1);
  total(TOTAL_BYTES_IN, lenBytes);
  total(TOTAL_KINDS + kind, 1);
  return index;
}

/** Removes a packet that has reached its destination. */
export function consume(index: u32): void {
  total(TOTAL_PACKETS_OUT, 1);
  total(TOTAL_BYTES_OUT, packetAt(index).lenBytes);
  release(index);
}

/** Drops a packet; `reason`: DROP_*. */
export function drop(index: u32, reason: u32): void {
  total(TOTAL_DROPS + reason % DROP_REASONS, 1);
  lose(index);
}

/** Drops a packet for a reason of hazards, from DROP_BIT_ERRORS on. */
export function dropHazard(index: u32, reason: u32): void {
  total(TOTAL_HAZARD_DROPS + reason - DROP_BIT_ERRORS, 1);
  lose(index);
}

function lose(index: u32): void {
  const packet = packetAt(index);
  total(TOTAL_BYTES_DROPPED, packet.lenBytes);
  if (packet.kind == PACKET_CREDIT) total(TOTAL_CREDITS_DROPPED, 1);
  release(index);
}

/** Reuses a data packet as its own response, counted as one packet out and one in. Keeps telemetry and sending time; echoes the mark. */
export function turnAround(index: u32, kind: u32, cls: u32, lenBytes: u32): void {
  const packet = packetAt(index);
  total(TOTAL_PACKETS_OUT, 1);
  total(TOTAL_BYTES_OUT, packet.lenBytes);
  packet.kind = <u8>kind;
  packet.cls = <u8>cls;
  packet.lenBytes = lenBytes;
  packet.echo = packet.marked;
  packet.marked = 0;
  packet.passed = 0;
  total(TOTAL_PACKETS_IN, 1);
  total(TOTAL_BYTES_IN, lenBytes);
  total(TOTAL_KINDS + kind, 1);
}

/** Packets in flight, counted record by record, as a check of the sums of created and removed packets. */
export function countInFlight(): u32 {
  let count: u32 = 0;
  for (let index: u32 = 0; index < made; index++) count += <u32>(packetAt(index).kind != FREE);
  return count;
}

/** Bytes of the packets in flight. */
export function countBytesInFlight(): f64 {
  let bytes: f64 = 0;
  for (let index: u32 = 0; index < made; index++) {
    if (packetAt(index).kind != FREE) bytes += <f64>packetAt(index).lenBytes;
  }
  return bytes;
}

@inline export function isData(packet: SimPacket): bool {
  return packet.kind == PACKET_DATA;
}

@inline function release(index: u32): void {
  const packet = packetAt(index);
  packet.kind = FREE;
  if (recycling && packet.flow != SIM_NONE) packetLeft(packet.flow);
  packetGone();
  packet.next = firstFree;
  firstFree = index;
}

/**
 * Grows the pool by half, but at least by the minimum: engines may collect garbage at each growth, and untouched pages use no
 * memory.
 */
function grow(): bool {
  const half = capacity >>> 1;
  return (half > CHUNK && growBy(half)) || growBy(CHUNK);
}

function growBy(records: u32): bool {
  if (<u64>pool + <u64>(capacity + records) * recordBytes > <u64>LIMIT) return false;
  const end = pool + <usize>(capacity + records) * recordBytes;
  const pages = <i32>((end + PAGE - 1) / PAGE) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) return false;
  capacity += records;
  return true;
}
