/**
 * The raw-packet loop of the `js` backend: parses each frame, finds its endpoints and QP, and applies it.
 *
 * A data frame can concern an engine twice: as sent by a local endpoint (reaction point), and as received by one
 * (notification point, if marked). Its outcome is the notification point's if it was marked for a local QP.
 */
import * as code from '../../abi/codes.js';
import * as layout from '../../abi/layout.js';
import type { EngineConfig } from '../../config/engine-config.js';
import type { TelemetrySettings } from '../../config/telemetry.js';
import { readU16 } from '../../wire/bytes.js';
import { mapIpv4 } from '../../wire/ip/ip-address.js';
import { Ipv4 } from '../../wire/ip/ipv4.js';
import { Ipv6 } from '../../wire/ip/ipv6.js';
import { Bth } from '../../wire/roce/bth.js';
import type { HpccPpTelemetry } from '../algorithms/hpcc-pp/hops.js';
import type { RecordLayout } from '../../abi/state/state-record.js';
import { asU32, type BackendMemory } from '../backend-memory.js';
import { readTraceHops, parseFrame, type ParsedFrame, type ParseRules } from '../parse-frame.js';
import type { BackendState } from './state.js';

const CONGESTION_EXPERIENCED = 3;
const ECN_MASK = 3;
const NO_ADDRESS = new Uint8Array(16);
const POLICIES = { literal: code.ICRC_LITERAL, omit: code.ICRC_OMIT, normalise: code.ICRC_NORMALISE };

/** A frame with a valid descriptor, and its parsed fields. */
interface Frame {
  readonly index: number;
  readonly timePs: number;
  readonly bytes: Uint8Array;
  readonly originalBytes: number;
  readonly parsed: ParsedFrame;
  /** Layout of IOAM traces; absent: they are not read. */
  readonly telemetry: TelemetrySettings | undefined;
}

type Descriptor = Readonly<Record<keyof typeof DESCRIPTOR_FIELDS, number>>;

/** Result for a frame: OUTCOME_*, and its QP. */
interface Resolved {
  readonly outcome: number;
  readonly qp: number | undefined;
}

/** Outcomes of the frame classes that concern no QP. */
const OUTCOME_OF_CLASS: Readonly<Record<number, number>> = {
  [code.CLASS_OTHER]: code.OUTCOME_NOT_ROCE_V2,
  [code.CLASS_NAK]: code.OUTCOME_NAK,
  [code.CLASS_ROCE_V1]: code.OUTCOME_ROCE_V1,
  [code.CLASS_PFC]: code.OUTCOME_PFC,
  [code.CLASS_CUT]: code.OUTCOME_CUT,
  [code.CLASS_DISCARD]: code.OUTCOME_DISCARDED,
};

const PACKET_FIELDS: RecordLayout<keyof ParsedFrame | keyof Resolved> = {
  classCode: ['u8', layout.PACKET_CLASS],
  why: ['u8', layout.PACKET_WHY],
  ipVersion: ['u8', layout.PACKET_IP_VERSION],
  trafficClass: ['u8', layout.PACKET_TRAFFIC_CLASS],
  opcode: ['u8', layout.PACKET_OPCODE],
  icrc: ['u8', layout.PACKET_ICRC],
  ipOffset: ['u16', layout.PACKET_IP_OFFSET],
  bthOffset: ['u16', layout.PACKET_BTH_OFFSET],
  originalDestinationOffset: ['u16', layout.PACKET_ORIGINAL_DESTINATION_OFFSET],
  ioamOffset: ['u16', layout.PACKET_IOAM_OFFSET],
  ioamBytes: ['u16', layout.PACKET_IOAM_BYTES],
  destQpn: ['u32', layout.PACKET_DEST_QPN],
  qp: ['u32', layout.PACKET_QP],
  outcome: ['u8', layout.PACKET_OUTCOME],
  fromReceiver: ['u8', layout.PACKET_FROM_RECEIVER],
  endOffset: ['u16', layout.PACKET_END_OFFSET],
};
const DESCRIPTOR_FIELDS = {
  timePs: ['f64', layout.DESCRIPTOR_TIME],
  offset: ['u32', layout.DESCRIPTOR_OFFSET],
  capturedBytes: ['u32', layout.DESCRIPTOR_CAPTURED],
  originalBytes: ['u32', layout.DESCRIPTOR_ORIGINAL],
  link: ['u32', layout.DESCRIPTOR_LINK],
} as const;

/** The parser's rules for a configuration. */
export function parseRulesOf({ parser, fastCnp }: EngineConfig): ParseRules {
  return {
    mode: parser.mode === 'strict-a17' ? code.PARSE_STRICT_A17 : code.PARSE_FAST_CNP_DOMAIN,
    optionType1: fastCnp.optionType1,
    optionType2: fastCnp.optionType2,
    checksIcrc: parser.icrc === 'check',
    icrcPolicy: POLICIES[parser.icrcWithExtensionHeaders],
  };
}

/** Parses and applies the first `n` frames of the descriptor region. */
export function applyPackets(state: BackendState, rules: ParseRules, telemetry: TelemetrySettings | undefined,
  n: number): void {
  for (let index = 0; index < n; index++) applyPacket(state, rules, telemetry, index);
  state.memory.count(layout.COUNTER_PACKETS_IN, n);
}

function applyPacket(state: BackendState, rules: ParseRules, telemetry: TelemetrySettings | undefined,
  index: number): void {
  const { memory } = state;
  const at = memory.at(layout.REGION_DESCRIPTORS, index, layout.DESCRIPTOR_BYTES);
  const descriptor = memory.read(at, DESCRIPTOR_FIELDS);
  const bytes = bytesOf(memory, descriptor);
  const { timePs, originalBytes, link } = descriptor;
  const frame = bytes &&
    { index, timePs, bytes, originalBytes, parsed: parseFrame(bytes, originalBytes, link, rules), telemetry };
  const resolved = frame ? resolve(state, frame) : { outcome: code.OUTCOME_BAD_DESCRIPTOR, qp: undefined };
  const classCode = frame ? frame.parsed.classCode : code.CLASS_MALFORMED;
  writeRecord(state, index, frame?.parsed, resolved);
  memory.count(layout.COUNTER_CLASSES + classCode, 1);
  memory.countOutcome(resolved.outcome);
  memory.count(layout.COUNTER_PACKET_BYTES_IN, originalBytes);
}

/** The bytes of a descriptor; undefined if it exceeds the frame region or is inconsistent. */
function bytesOf(memory: BackendMemory, { offset, capturedBytes, originalBytes }: Descriptor): Uint8Array | undefined {
  if (offset + capturedBytes > memory.sizes.frameBytes || capturedBytes > originalBytes) return undefined;
  const first = memory.at(layout.REGION_FRAMES) + offset;
  return memory.u8.subarray(first, first + capturedBytes);
}

function resolve(state: BackendState, frame: Frame): Resolved {
  const { classCode, icrc, why } = frame.parsed;
  if (icrc === code.ICRC_WRONG) return { outcome: code.OUTCOME_ICRC_WRONG, qp: undefined };
  switch (classCode) {
    case code.CLASS_DATA:
      return resolveData(state, frame);
    case code.CLASS_CNP:
      return resolveCnp(state, frame);
    case code.CLASS_FAST_CNP_1:
    case code.CLASS_FAST_CNP_2:
      return resolveFastCnp(state, frame);
    case code.CLASS_ACK:
      return resolveAck(state, frame);
    case code.CLASS_MALFORMED:
      if (why === code.WHY_FAST_CNP_OPTION) return resolveBadFastCnp(state, frame);
      return { outcome: code.OUTCOME_MALFORMED, qp: undefined };
    default:
      return { outcome: OUTCOME_OF_CLASS[classCode] ?? code.OUTCOME_NOT_ROCE_V2, qp: undefined };
  }
}

function resolveData(state: BackendState, frame: Frame): Resolved {
  const destination = destinationOf(frame);
  const sender = state.addresses.endpointOf(sourceOf(frame));
  const receiver = state.addresses.endpointOf(destination);
  if (sender === undefined && receiver === undefined) return { outcome: code.OUTCOME_NOT_LOCAL, qp: undefined };
  const asSent = sender === undefined ? undefined : resolveSent(state, frame, sender, destination);
  const resolved = asSent ?? { outcome: code.OUTCOME_UNKNOWN_QP, qp: undefined };
  if (receiver === undefined) return resolved;
  if ((frame.parsed.trafficClass & ECN_MASK) !== CONGESTION_EXPERIENCED) {
    return asSent ?? { outcome: code.OUTCOME_RECEIVED, qp: undefined };
  }
  const qp = state.qps.flows.findByLocal(receiver, frame.parsed.destQpn);
  if (qp === undefined) return resolved;
  return { outcome: state.marks.marked(qp, frame.timePs, pKeyOf(frame)), qp };
}

/** Applies a data frame at the reaction point of the local QP that sent it; undefined if there is none. */
function resolveSent(state: BackendState, frame: Frame, sender: number, destination: Uint8Array): Resolved | undefined {
  const qp = state.qps.flows.findByPeer(sender, destination, frame.parsed.destQpn);
  if (qp === undefined) return undefined;
  const outcome = state.sent(qp, frame.timePs, Math.min(frame.originalBytes, layout.EVENT_VALUE_MAX));
  if (outcome === code.OUTCOME_SENT) state.memory.count(layout.COUNTER_DATA_SENT, 1);
  return { outcome, qp };
}

function resolveCnp(state: BackendState, frame: Frame): Resolved {
  const receiver = state.addresses.endpointOf(destinationOf(frame));
  if (receiver === undefined) return { outcome: code.OUTCOME_NOT_LOCAL, qp: undefined };
  const qp = state.qps.flows.findByLocal(receiver, frame.parsed.destQpn);
  return { outcome: qp === undefined ? code.OUTCOME_UNKNOWN_QP : state.cnp(qp, frame.timePs), qp };
}

/** Applies an ACK, which is only used if it echoes a trace. */
function resolveAck(state: BackendState, frame: Frame): Resolved {
  const nothing = { outcome: code.OUTCOME_ACK, qp: undefined };
  if (frame.telemetry?.ackTraces !== 'echo' || frame.parsed.ioamBytes === 0) return nothing;
  const receiver = state.addresses.endpointOf(destinationOf(frame)) ?? code.NONE;
  const qp = state.qps.flows.findByLocal(receiver, frame.parsed.destQpn);
  if (qp === undefined) return nothing;
  return { outcome: state.echo(qp, frame.timePs, () => readTrace(frame)), qp };
}

/** The readable hops of a frame's trace, if any. */
function readTrace({ bytes, parsed, telemetry }: Frame): HpccPpTelemetry | undefined {
  if (telemetry === undefined || parsed.ioamBytes === 0) return undefined;
  return readTraceHops(bytes, parsed.ioamOffset, parsed.ioamBytes, telemetry);
}

function resolveFastCnp(state: BackendState, frame: Frame): Resolved {
  const endpoint = state.addresses.endpointOf(destinationOf(frame));
  if (endpoint === undefined) return { outcome: code.OUTCOME_NOT_LOCAL, qp: undefined };
  const { originalDestinationOffset: at, destQpn } = frame.parsed;
  const originalDestination = frame.bytes.slice(at, at + 16);
  const option = { optionWellFormed: true, originalDestination, destQpn, readTelemetry: () => readTrace(frame) };
  return state.fastCnp({ timePs: frame.timePs, endpoint, source: sourceOf(frame), ...option }, frame.index);
}

/** A Fast CNP with a bad option is still subject to the checks that precede "option well formed". */
function resolveBadFastCnp(state: BackendState, frame: Frame): Resolved {
  const option = { optionWellFormed: false, originalDestination: NO_ADDRESS, destQpn: 0 };
  return state.fastCnp({ timePs: frame.timePs, endpoint: code.NONE, source: sourceOf(frame), ...option }, frame.index);
}

function sourceOf(frame: Frame): Uint8Array {
  return addressAt(frame, Ipv4.offsetOf('source'), Ipv6.offsetOf('source'));
}

function destinationOf(frame: Frame): Uint8Array {
  return addressAt(frame, Ipv4.offsetOf('destination'), Ipv6.offsetOf('destination'));
}

/** An address of the IP header as 16 bytes, IPv4 as IPv4-mapped. */
function addressAt({ bytes, parsed: { ipOffset, ipVersion } }: Frame, inIpv4: number, inIpv6: number): Uint8Array {
  if (ipVersion === 4) return mapIpv4(bytes, ipOffset + inIpv4);
  return bytes.slice(ipOffset + inIpv6, ipOffset + inIpv6 + 16);
}

function pKeyOf({ bytes, parsed }: Frame): number {
  return readU16(bytes, parsed.bthOffset + Bth.offsetOf('pKey'));
}

function writeRecord({ memory }: BackendState, index: number, parsed: ParsedFrame | undefined,
  resolved: Resolved): void {
  const at = memory.at(layout.REGION_PACKETS, index, layout.PACKET_BYTES);
  memory.u8.fill(0, at, at + layout.PACKET_BYTES);
  const { outcome, qp } = resolved;
  memory.write(at, PACKET_FIELDS, { classCode: code.CLASS_MALFORMED, ...parsed, outcome, qp: asU32(qp) });
}
