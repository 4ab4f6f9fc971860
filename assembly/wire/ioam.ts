/**
 * IOAM traces, read in place (RFC 9197, section 4.4): from bytes of a packet to the hops of an AckEvent.
 *
 *   pre-allocated  header (8) | free space, 4 x RemainingLen | newest node ... first node
 *   incremental    header (8) | newest node ... first node
 *
 * A trace is rejected if its lengths are inconsistent or its namespace is another one. A node is skipped, and the record
 * becomes partial, if a field that the map (ioam-map.ts) requires is absent, "not available" (all ones) or invalid:
 * identity, time, queue; bytes sent and line rate if the map takes them from the trace; or if the line rate is not in the
 * table. Overflow also makes a record partial. Of more than PLUS_HOPS nodes the newest are used, since the newest is the
 * one that reported.
 *
 * Hops are in path order. Nothing is allocated, and nothing outside of the trace is read.
 */
import { ACK_HOP_BYTES, ACK_HOP_COUNT, ACK_HOPS, ACK_PARTIAL, ACK_PATH_ID, ACK_TELEMETRY, HOP_ID, HOP_LINE_RATE,
  HOP_NO_TX_BYTES, HOP_PORT, HOP_QLEN_BYTES, HOP_TIME, HOP_TX_BYTES, PLUS_HOPS, TELEMETRY_TRACE,
  TELEMETRY_TRACE_SECOND } from '../../src/abi/ack-layout';
import { be16, be32 } from './bytes';
import { defaultRateBps, fractionEnd, fractionPs, namespaceId, placeBit, placeBits, placeFrom, placeUnit, portEntry,
  queueBit, queueUnitBytes, schemaId } from './ioam-map';
import { TRACE_HEADER_BYTES } from './options';
import { KnownPort, TELEMETRY_ANY_NAMESPACE, TELEMETRY_NO_FIELD, TELEMETRY_RATE, TELEMETRY_TX, TRACE_SECONDS,
  TRACE_SECOND_PS } from '../records/telemetry';

const WORD_BYTES: u32 = 4;
const TYPE_PREALLOCATED: u32 = 0;
/** The overflow flag in the byte that it shares with NodeLen. */
const FLAG_OVERFLOW: u32 = 4;
const REMAINING_MASK: u32 = 0x7f;
/** Trace-type bits 0 to 21, whose fields NodeLen counts; those of 8, 9 and 10 have two words. */
const COUNTED: u32 = 0xfffffc;
const WIDE: u32 = 0x00e000;
const BIT_NODE: u32 = 0;
const BIT_INTERFACES: u32 = 1;
const BIT_SECONDS: u32 = 2;
const BIT_FRACTION: u32 = 3;
const BIT_NODE_WIDE: u32 = 8;
const BIT_INTERFACES_WIDE: u32 = 9;
const BIT_DATA_WIDE: i32 = 10;
const BIT_OPAQUE: u32 = 22;
const ALL_24: u32 = 0xffffff;
const ALL_16: u32 = 0xffff;
const ALL_32: u32 = 0xffffffff;

/** Value of a number that a node does not report. */
const ABSENT: f64 = -1;

/** Type of the current trace, and the identity found by `findIdentity`. */
let traceType: u32 = 0;
let nodeId: u32 = 0;
let portId: u32 = 0;

/** Reads a trace into an AckEvent with room for EXACT_HOPS_MAX hops. @returns whether it has readable hops. */
export function readTrace(trace: usize, bytes: u32, record: usize): bool {
  if (bytes < TRACE_HEADER_BYTES) return false;
  if (namespaceId != TELEMETRY_ANY_NAMESPACE && be16(trace) != <u32>namespaceId) return false;
  traceType = be32(trace + 4) >> 8;
  const fixedBytes = wordsOf(traceType) * WORD_BYTES;
  if (<u32>load<u8>(trace, 2) >> 3 != fixedBytes / WORD_BYTES) return false;
  // The IOAM Option-Type precedes the trace.
  const isPreallocated = <u32>load<u8>(trace - 1) == TYPE_PREALLOCATED;
  const freeBytes = isPreallocated ? (<u32>load<u8>(trace, 3) & REMAINING_MASK) * WORD_BYTES : 0;
  const newest = TRACE_HEADER_BYTES + freeBytes;
  if (newest > bytes || !isWhole(trace, newest, bytes, fixedBytes)) return false;
  const partial = (<u32>load<u8>(trace, 2) & FLAG_OVERFLOW) != 0;
  return readNodes(trace, newest, bytes, fixedBytes, record, partial);
}

/** NodeLen that a trace type implies, in words. */
@inline function wordsOf(type: u32): u32 {
  return popcnt<u32>(type & COUNTED) + popcnt<u32>(type & WIDE);
}

@inline function hasField(bit: u32): bool {
  return ((traceType >> (23 - bit)) & 1) != 0;
}

/** Address of the field of a trace-type bit in a node. */
@inline function fieldOf(node: usize, bit: u32): usize {
  return node + wordsOf(traceType & ~(ALL_24 >> bit)) * WORD_BYTES;
}

/** Length of a node, including its opaque snapshot. */
@inline function nodeBytes(node: usize, fixedBytes: u32): u32 {
  return hasField(BIT_OPAQUE) ? fixedBytes + WORD_BYTES + <u32>load<u8>(node + fixedBytes) * WORD_BYTES : fixedBytes;
}

/** Whether the data consist of a whole number of nodes. */
function isWhole(trace: usize, newest: u32, bytes: u32, fixedBytes: u32): bool {
  const leastBytes = hasField(BIT_OPAQUE) ? fixedBytes + WORD_BYTES : fixedBytes;
  if (leastBytes == 0) return newest == bytes;
  let at = newest;
  while (at < bytes) {
    if (at + leastBytes > bytes) return false;
    at += nodeBytes(trace + at, fixedBytes);
  }
  return at == bytes;
}

/** Reads nodes from the newest on, filling the record from its end; then moves the hops to its front. */
function readNodes(trace: usize, newest: u32, bytes: u32, fixedBytes: u32, record: usize, partial: bool): bool {
  const hops = record + ACK_HOPS;
  let inspected: u32 = 0;
  let taken: u32 = 0;
  let at = newest;
  while (at < bytes && inspected < <u32>PLUS_HOPS) {
    const hop = hops + <usize>(PLUS_HOPS - 1 - taken) * ACK_HOP_BYTES;
    if (readNode(trace + at, hop)) taken++;
    inspected++;
    at += nodeBytes(trace + at, fixedBytes);
  }
  memory.copy(hops, hops + <usize>(PLUS_HOPS - taken) * ACK_HOP_BYTES, <usize>taken * ACK_HOP_BYTES);
  store<u8>(record, <u8>(hasField(BIT_SECONDS) ? TELEMETRY_TRACE : TELEMETRY_TRACE_SECOND), ACK_TELEMETRY);
  store<u8>(record, <u8>taken, ACK_HOP_COUNT);
  store<u8>(record, <u8>(partial || taken != inspected || at < bytes), ACK_PARTIAL);
  store<u32>(record, 0, ACK_PATH_ID);
  return taken != 0;
}

/** Reads a node into a hop. @returns whether the node has all required fields. */
function readNode(node: usize, hop: usize): bool {
  if (!findIdentity(node)) return false;
  const timePs = timeOf(node);
  if (timePs < 0 || !hasField(queueBit)) return false;
  const queue = be32(fieldOf(node, queueBit));
  if (queue == ALL_32) return false;
  const counts = placeBit(TELEMETRY_TX) != TELEMETRY_NO_FIELD;
  const txBytes = counts ? numberAt(node, TELEMETRY_TX) : <f64>HOP_NO_TX_BYTES;
  if (counts && txBytes < 0) return false;
  const entry = portEntry(nodeId, portId);
  const lineRateBps = lineRateOf(node, entry);
  if (!(lineRateBps > 0)) return false;
  const ownUnit = entry ? changetype<KnownPort>(entry).queueUnitBytes : 0;
  store<f64>(hop, timePs, HOP_TIME);
  store<f64>(hop, txBytes, HOP_TX_BYTES);
  store<f64>(hop, <f64>queue * (ownUnit > 0 ? ownUnit : queueUnitBytes), HOP_QLEN_BYTES);
  store<f64>(hop, lineRateBps, HOP_LINE_RATE);
  store<u32>(hop, nodeId, HOP_ID);
  store<u32>(hop, portId, HOP_PORT);
  return true;
}

/** Stores node and egress port in module variables: from the short fields, or the low 32 bits of the wide ones. */
function findIdentity(node: usize): bool {
  if (hasField(BIT_NODE) && (be32(fieldOf(node, BIT_NODE)) & ALL_24) != ALL_24) {
    nodeId = be32(fieldOf(node, BIT_NODE)) & ALL_24;
  } else {
    if (!hasField(BIT_NODE_WIDE)) return false;
    const wide = fieldOf(node, BIT_NODE_WIDE);
    nodeId = be32(wide + 4);
    if (nodeId == ALL_32 && (be32(wide) & ALL_24) == ALL_24) return false;
  }
  const hasShort = hasField(BIT_INTERFACES);
  const hasWide = hasField(BIT_INTERFACES_WIDE);
  portId = 0;
  if (!hasShort && !hasWide) return true;
  if (hasShort) {
    portId = be32(fieldOf(node, BIT_INTERFACES)) & ALL_16;
    if (portId != ALL_16) return true;
  }
  if (!hasWide) return false;
  portId = be32(fieldOf(node, BIT_INTERFACES_WIDE) + 4);
  return portId != ALL_32;
}

/** Timestamp in picoseconds, modulo the span; ABSENT if it is invalid. */
function timeOf(node: usize): f64 {
  if (!hasField(BIT_FRACTION)) return ABSENT;
  const fraction = be32(fieldOf(node, BIT_FRACTION));
  if (fraction == ALL_32 || <f64>fraction >= fractionEnd) return ABSENT;
  const partPs = floor<f64>(<f64>fraction * fractionPs);
  if (!hasField(BIT_SECONDS)) return partPs;
  const seconds = be32(fieldOf(node, BIT_SECONDS));
  return seconds == ALL_32 ? ABSENT : <f64>(seconds & (TRACE_SECONDS - 1)) * <f64>TRACE_SECOND_PS + partPs;
}

function lineRateOf(node: usize, entry: usize): f64 {
  if (placeBit(TELEMETRY_RATE) != TELEMETRY_NO_FIELD) return numberAt(node, TELEMETRY_RATE);
  return entry ? changetype<KnownPort>(entry).lineRateBps : defaultRateBps;
}

/** A number within a field, in its unit; ABSENT if the field is absent or too short, or the number is all ones. */
function numberAt(node: usize, place: u32): f64 {
  const bit = <u32>placeBit(place);
  if (!hasField(bit)) return ABSENT;
  const from = placeFrom(place);
  const bits = placeBits(place);
  let field = fieldOf(node, bit);
  let bytes: u32 = <i32>bit == BIT_DATA_WIDE ? 8 : 4;
  if (bit == BIT_OPAQUE) {
    if ((be32(field) & ALL_24) != schemaId) return ABSENT;
    bytes = <u32>load<u8>(field) * WORD_BYTES;
    field += WORD_BYTES;
  }
  if (from + bits > bytes * 8) return ABSENT;
  const value = bitsAt(field, from, bits);
  return value == ((<u64>1) << bits) - 1 ? ABSENT : <f64>value * placeUnit(place);
}

/** Reads `bits` bits, at most 48, from bit `from` on, most significant first. */
function bitsAt(field: usize, from: u32, bits: u32): u64 {
  const last = (from + bits - 1) >> 3;
  let value: u64 = 0;
  for (let byte = from >> 3; byte <= last; byte++) value = (value << 8) | load<u8>(field + byte);
  const behind = 7 - ((from + bits - 1) & 7);
  return (value >> behind) & (((<u64>1) << bits) - 1);
}
