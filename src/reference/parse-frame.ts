/**
 * What the `js` backend reads from frames: the fields of the engine's packet record, from the dissector's result, and HPCC++'s
 * input from IOAM traces.
 *
 * Role: the oracle for the wasm parser; both are compared on every field of every frame (test/parser/agreement). The reader of
 * traces is the readable model of assembly/wire/ioam.ts.
 * Sources: see src/packet/dissect-into.ts; RFC 9197, section 4.4; docs/reference/sources.md, section HPCC++.
 * Deviations: RD and XRC acknowledgements count as data; a Routing header makes a packet "other".
 */
import { HOP_NO_TX_BYTES, PLUS_HOPS } from '../abi/ack-layout.js';
import { LINK_ETHERNET, LINK_RAW_IP } from '../abi/codes.js';
import { TRACE_SECOND_PS, TRACE_SECONDS } from '../abi/records/telemetry.js';
import { LINK_TYPE_ETHERNET, LINK_TYPE_RAW } from '../capture/link-types.js';
import { TRACE_FIELD_BITS, TRACE_FRACTIONS, type KnownPort, type TelemetrySettings,
  type TraceNumber } from '../config/telemetry.js';
import { RoceError } from '../errors.js';
import { dissectInto } from '../packet/dissect-into.js';
import { Dissection } from '../packet/dissection.js';
import { NO_DISCOVERY, type DissectionRules } from '../packet/rules.js';
import { IoamTraceHeader, IoamTraceType } from '../wire/telemetry/ioam-trace.js';
import { IoamNode } from '../wire/telemetry/ioam-node.js';
import { IoamNodeCursor, IoamTraceData, traceTypeAt } from '../wire/telemetry/ioam-trace-data.js';
import type { TraceTelemetry } from './algorithms/hpcc-pp/hops.js';
import type { HopSample } from './algorithms/hpcc/hops.js';

/** Options of the parser: the same choices as the engine's. */
export type ParseRules = Pick<DissectionRules, 'mode' | 'optionType1' | 'optionType2' | 'checksIcrc' | 'icrcPolicy'>;

/** A link type that the dissector does not know. */
const NO_LINK_TYPE = -1;

const FIELDS = [
  'classCode',
  'why',
  'ipVersion',
  'trafficClass',
  'opcode',
  'icrc',
  'ipOffset',
  'bthOffset',
  'originalDestinationOffset',
  'ioamOffset',
  'ioamBytes',
  'destQpn',
  'fromReceiver',
  'endOffset',
] as const satisfies (keyof Dissection)[];

/** The packet record of src/abi/layout.ts as an object; offsets are in bytes from the start of the frame, 0 if absent. */
export type ParsedFrame = Readonly<Pick<Dissection, (typeof FIELDS)[number]>>;

/** Reused for all frames; made with the first one. */
let dissection: Dissection | undefined;

/**
 * Parses one frame. Never throws: every sequence of bytes has a class.
 *
 * @param bytes - the captured bytes
 * @param originalBytes - bytes on the wire; fewer than captured counts as equal
 * @param link - LINK_ETHERNET, LINK_RAW_IP or LINK_OTHER
 */
export function parseFrame(bytes: Uint8Array, originalBytes: number, link: number, rules: ParseRules): ParsedFrame {
  const linkType = link === LINK_ETHERNET ? LINK_TYPE_ETHERNET : link === LINK_RAW_IP ? LINK_TYPE_RAW : NO_LINK_TYPE;
  dissection ??= new Dissection();
  const found = dissectInto(dissection, bytes, originalBytes, {
    ...rules,
    ...NO_DISCOVERY,
    linkType,
    readsTunnels: false,
  });
  return Object.fromEntries(FIELDS.map((field) => [field, found[field]])) as unknown as ParsedFrame;
}

const ALL_16 = 0xffff;
const ALL_24 = 0xffffff;
const ALL_32 = 0xffffffff;

/**
 * Reads the hops of a trace in a packet.
 *
 *   identity   node: bit 0, else the low 32 bits of bit 8; egress port: bit 1, else bit 9; without such a field 0
 *   time       (seconds mod 4096) 10^12 + fraction in its unit, picoseconds; without bit 2 only the fraction
 *   queue      bit 6 or 11 times its unit, which may be specific to a known port
 *   txBytes    a number in bit 5, 10 or 22, or not reported
 *   B          a number in bit 5, 10 or 22, or the rate of the known port, of its node, or the default
 *
 * A trace is rejected if its lengths are inconsistent or its namespace is another one. A node is skipped, and the result
 * becomes partial, if a field that the settings require is absent, all ones, or invalid. Overflow also makes the result
 * partial. Of more than 15 nodes the newest are used, since the newest is the one that reported.
 *
 * Byte counters wrap, so their span is returned too.
 *
 * @param offset offset of the Namespace-ID, which follows the IOAM Option-Type.
 * @param lenBytes length from there to the end of the node data.
 * @returns undefined if the trace is unusable: of another namespace, inconsistent, or without a readable hop.
 */
export function readTraceHops(bytes: Uint8Array, offset: number, lenBytes: number, settings: TelemetrySettings):
  | TraceTelemetry
  | undefined {
  try {
    return readNodes(bytes, offset, lenBytes, settings);
  } catch (error) {
    if (error instanceof RoceError && error.code === 'invalid-packet') return undefined;
    throw error;
  }
}

function readNodes(bytes: Uint8Array, offset: number, lenBytes: number, settings: TelemetrySettings): TraceTelemetry
  | undefined {
  const kind = IoamTraceData.kindOf(bytes[offset - 1]);
  if (kind === undefined) return undefined;
  const cursor = new IoamNodeCursor().moveTo(bytes, offset, lenBytes, kind);
  const header = new IoamTraceHeader.View(bytes, offset);
  if (settings.namespaceId !== 'any' && header.namespaceId !== settings.namespaceId) return undefined;
  const traceType = traceTypeAt(bytes, offset);
  const hops: HopSample[] = [];
  let inspected = 0;
  let hasMore = cursor.next();
  for (; hasMore && inspected < PLUS_HOPS; hasMore = cursor.next()) {
    const hop = readNode(bytes, cursor, traceType, settings);
    if (hop) hops.unshift(hop);
    inspected += 1;
  }
  if (hops.length === 0) return undefined;
  const isOverflown = (header.flags & IoamTraceHeader.FLAG_OVERFLOW) !== 0;
  const { txBytes } = settings;
  return {
    kind: 'trace',
    hops,
    partial: isOverflown || hops.length < inspected || hasMore,
    hasSeconds: IoamTraceType.has(traceType, IoamTraceType.BIT_TIMESTAMP_SECONDS),
    txSpanBytes: txBytes === 'none' ? 0 : 2 ** txBytes.bits * txBytes.unit,
  };
}

function readNode(bytes: Uint8Array, cursor: IoamNodeCursor, traceType: number, settings: TelemetrySettings): HopSample
  | undefined {
  const hopId = nodeOf(cursor);
  const portId = portOf(cursor);
  const timePs = timeOf(cursor, settings);
  const queue = cursor.word(
    settings.queueField === 'queue-depth' ? IoamTraceType.BIT_QUEUE_DEPTH : IoamTraceType.BIT_BUFFER_OCCUPANCY,
  );
  if (hopId === undefined || portId === undefined || timePs === undefined || queue < 0 || queue === ALL_32) {
    return undefined;
  }
  const number = (place: TraceNumber): number | undefined => numberAt(bytes, cursor, traceType, settings, place);
  const txBytes = settings.txBytes === 'none' ? HOP_NO_TX_BYTES : number(settings.txBytes);
  const port = knownPort(settings, hopId, portId);
  const tableBps = port === undefined ? settings.defaultLineRateBps : port.lineRateBps;
  const lineRateBps = settings.lineRate === 'table' ? tableBps : (number(settings.lineRate) ?? 0);
  if (txBytes === undefined || lineRateBps <= 0) return undefined;
  const qlenBytes = queue * (port?.queueUnitBytes ?? settings.queueUnitBytes);
  return { timePs, txBytes, qlenBytes, lineRateBps, hopId, portId };
}

function nodeOf(cursor: IoamNodeCursor): number | undefined {
  const { nodeId } = cursor;
  if (nodeId >= 0 && nodeId !== ALL_24) return nodeId;
  const high = cursor.word(IoamTraceType.BIT_NODE_WIDE, 0);
  const low = cursor.word(IoamTraceType.BIT_NODE_WIDE, 1);
  return low < 0 || (low === ALL_32 && (high & ALL_24) === ALL_24) ? undefined : low;
}

function portOf(cursor: IoamNodeCursor): number | undefined {
  const { egressInterface } = cursor;
  const wide = cursor.word(IoamTraceType.BIT_INTERFACES_WIDE, 1);
  if (egressInterface < 0 && wide < 0) return 0;
  if (egressInterface >= 0 && egressInterface !== ALL_16) return egressInterface;
  return wide < 0 || wide === ALL_32 ? undefined : wide;
}

function timeOf(cursor: IoamNodeCursor, { timestampFormat }: TelemetrySettings): number | undefined {
  const { perUnitPs, end } = TRACE_FRACTIONS[timestampFormat];
  const fraction = cursor.word(IoamTraceType.BIT_TIMESTAMP_FRACTION);
  if (fraction < 0 || fraction === ALL_32 || fraction >= end) return undefined;
  const partPs = Math.floor(fraction * perUnitPs);
  const seconds = cursor.word(IoamTraceType.BIT_TIMESTAMP_SECONDS);
  if (seconds === ALL_32) return undefined;
  return seconds < 0 ? partPs : (seconds % TRACE_SECONDS) * TRACE_SECOND_PS + partPs;
}

/** A number within a field, in its unit; undefined if the field is absent or too short, or the number is all ones. */
function numberAt(bytes: Uint8Array, cursor: IoamNodeCursor, traceType: number, { opaqueSchemaId }: TelemetrySettings,
  place: TraceNumber): number | undefined {
  const start = IoamTraceType.fieldOffset(traceType, TRACE_FIELD_BITS[place.field]);
  if (start < 0) return undefined;
  const field = cursor.offset + start;
  const head = cursor.word(TRACE_FIELD_BITS[place.field]);
  const isOpaque = place.field === 'opaque';
  if (isOpaque && ((head & IoamNode.NO_SCHEMA) !== opaqueSchemaId || place.fromBit + place.bits > (head >>> 24) * 32)) {
    return undefined;
  }
  const value = bitsAt(bytes, isOpaque ? field + 4 : field, place.fromBit, place.bits);
  return value === 2 ** place.bits - 1 ? undefined : value * place.unit;
}

/** Reads at most 48 bits, most significant first. */
function bitsAt(bytes: Uint8Array, at: number, fromBit: number, bits: number): number {
  let value = 0;
  for (let i = fromBit; i < fromBit + bits; i += 1) value = value * 2 + ((bytes[at + (i >> 3)] >> (7 - (i & 7))) & 1);
  return value;
}

/** The entry of a port, or else that of all ports of its node. */
function knownPort({ ports }: TelemetrySettings, nodeId: number, portId: number): KnownPort | undefined {
  const ofNode = ports.filter((port) => port.nodeId === nodeId);
  return ofNode.find(({ egressInterface }) => egressInterface === portId) ??
    ofNode.find(({ egressInterface }) => egressInterface === undefined);
}
