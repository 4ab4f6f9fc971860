/**
 * What a dissection reports about packets of MRC and Ultra Ethernet, beyond their headers. Problems of MRC packets
 * (malformed) and remarks (legal but notable) are bits in a dissection, MRC_NOTE_*, and names in a reading.
 */
import { MrcOpcode, type MrcPacketKind } from '../wire/mrc/bth.js';
import { type MrcDscpName, mrcEntropy, UsidCarrier } from '../wire/mrc/ip-fields.js';
import { Eeth, type MrcNackReason, Neth, type SackMap, Seth } from '../wire/mrc/response-headers.js';
import { UetType, type UetTypeName } from '../wire/uet/codes.js';
import type { Dissection } from './dissection.js';
import type { LayerKind } from './layer-kinds.js';
import type { Layer, LayerOf } from './layers.js';
import type { MrcSettings } from './multipath-settings.js';

/** The TVer of the BTH is not 0. */
export const MRC_NOTE_VERSION = 1 << 0;
/** An undefined opcode of MRC's class. */
export const MRC_NOTE_OPCODE = 1 << 1;
/** A header extends beyond the packet. */
export const MRC_NOTE_HEADER_SHORT = 1 << 2;
/** More pad bytes than the packet has. */
export const MRC_NOTE_PAD = 1 << 3;
/** The UDP length exceeds the IP payload, or is shorter than the UDP header. */
export const MRC_NOTE_UDP_LENGTH = 1 << 4;
/** Bytes after the headers of a packet without payload. */
export const MRC_NOTE_EXTRA = 1 << 5;
/** An endpoint operation to a QP other than 2. */
export const MRC_NOTE_ENDPOINT_QP = 1 << 6;
/** One of the four upper bits of the flow label is set. */
const MRC_NOTE_FLOW_LABEL = 1 << 7;
/** The DSCP is not one of MRC's. */
const MRC_NOTE_DSCP = 1 << 8;
/** The mark of a SACK is the reserved number 3. */
const MRC_NOTE_MARK = 1 << 9;
/** The congestion control state after a SETH has an unknown form. */
const MRC_NOTE_CC_TYPE = 1 << 10;
/** The reason of a NACK is unknown. */
const MRC_NOTE_REASON = 1 << 11;
/** The operation of an endpoint response may be in the other bits. */
const MRC_NOTE_EETH_PLACE = 1 << 12;

/** Names of the bits, lowest first. */
const NOTES = [
  'transport-version',
  'reserved-opcode',
  'header-short',
  'pad-beyond-end',
  'udp-length',
  'extra-bytes',
  'endpoint-qp',
  'flow-label-upper-bits',
  'unknown-dscp',
  'reserved-mark',
  'unknown-cc-type',
  'unknown-nack-reason',
  'operation-ambiguous',
] as const;
const PROBLEM_COUNT = 7;

const FLOW_LABEL_UPPER_BITS = 0xf0000;
const MARK_RESERVED = 3;
/** SE and M, in either order. */
const BYTE_1_FLAGS = 0xc0;

/** A reason why an MRC packet is malformed. */
export type MrcProblem = 'transport-version' | 'reserved-opcode' | 'header-short' | 'pad-beyond-end' | 'udp-length'
  | 'extra-bytes' | 'endpoint-qp';
/** A legal but reserved, unknown or ambiguous value in an MRC packet. */
export type MrcRemark = Exclude<(typeof NOTES)[number], MrcProblem>;

/** Descriptions of problems and remarks. */
export const MRC_NOTE_WORDS: Readonly<Record<MrcProblem | MrcRemark, string>> = {
  'transport-version': 'TVer is not 0',
  'reserved-opcode': 'a reserved opcode',
  'header-short': 'the packet ends inside a header',
  'pad-beyond-end': 'more pad bytes than the packet has',
  'udp-length': 'the UDP length does not fit the datagram',
  'extra-bytes': 'bytes after the headers',
  'endpoint-qp': 'an endpoint operation to a QP other than 2',
  'flow-label-upper-bits': 'one of the four unused bits of the flow label is set',
  'unknown-dscp': 'the DSCP is not an MRC DSCP',
  'reserved-mark': 'mark 3 is reserved',
  'unknown-cc-type': 'the congestion control state has an unknown form',
  'unknown-nack-reason': 'the reason is unknown',
  'operation-ambiguous': 'the operation may be in the other bits',
};

/** The source route around an MRC packet: the destination of the outer IPv6 header. */
export interface MrcCarrier extends UsidCarrier {
  /** Segments Left of the Segment Routing header; absent without one. */
  readonly segmentsLeft?: number;
  /** Segments of the Segment Routing header, last segment of the path first; absent without one. */
  readonly segments?: readonly UsidCarrier[];
}

/** An MRC packet. */
export interface MrcReading {
  /** Kind of packet, by the opcode. */
  readonly kind: MrcPacketKind;
  /** Opcode of the BTH, 0xc0..0xdf. */
  readonly opcode: number;
  /** Destination QP, 24 bits; absent if the BTH is incomplete. */
  readonly destQpn?: number;
  /** PSN of the BTH, 24 bits, whose meaning depends on the kind; absent if the BTH is incomplete. */
  readonly psn?: number;
  /**
   * Second byte of the BTH, unchanged. Its upper two bits are SE and M, in an order that is not known; absent if both
   * are 0.
   */
  readonly byte1?: number;
  /** Entropy value, 0..2^32 − 1; over IPv4 only its lower 16 bits are present. */
  readonly entropy?: number;
  /** Name of the DSCP of the outermost IP header; absent if it is not a DSCP of MRC. */
  readonly dscpName?: MrcDscpName;
  /** Whether that DSCP marks the packet as trimmed by a switch. */
  readonly isTrimmed: boolean;
  /** Source route of uSIDs; absent without an outer IPv6 header. */
  readonly carrier?: MrcCarrier;
  /** Payload bytes according to the packet's lengths; absent without a payload, and for a trimmed packet. */
  readonly payloadBytes?: number;
  /** PSNs of a SACK. */
  readonly sack?: SackMap;
  /** Reason of a NACK; absent if unknown. */
  readonly nackReason?: MrcNackReason;
  /** Operation of an endpoint request or response: 0 port status, 1 probe of an entropy value. */
  readonly operation?: number;
  /** Why the packet is malformed. */
  readonly problems: readonly MrcProblem[];
  /** Values that are legal, but reserved, unknown or ambiguous. */
  readonly remarks: readonly MrcRemark[];
}

/** Reads a dissected MRC packet; the layers must be of the same frame. @returns undefined for other packets. */
export function readMrc(d: Dissection, layers: readonly Layer[]): MrcReading | undefined {
  const { mrcSettings: settings } = d;
  if (settings === undefined) return undefined;
  const opcode = d.bytes[d.mrcOffset];
  const dscpName = settings.dscps.get(d.carrierTrafficClass >> 2);
  const bth = layerOf(layers, 'mrc-bth', d.mrcOffset);
  const entropy = entropyOf(d, layers, settings);
  const carrier = carrierOf(d, layers);
  const contents = readContents(layers, settings);
  const notes = d.mrcNotes | contents.notes | (dscpName === undefined ? MRC_NOTE_DSCP : 0) | (entropy?.notes ?? 0);
  return {
    kind: MrcOpcode.kindOf(opcode) ?? 'reserved',
    opcode,
    ...(bth && { destQpn: bth.value.destQpn, psn: bth.value.psn }),
    ...(bth && byte1Of(d)),
    ...(entropy && { entropy: entropy.value }),
    ...(dscpName !== undefined && { dscpName }),
    isTrimmed: d.mrcIsTrimmed,
    ...(carrier && { carrier }),
    ...(d.mrcPayloadBytes >= 0 && { payloadBytes: d.mrcPayloadBytes }),
    ...contents.fields,
    problems: mrcProblems(notes),
    remarks: mrcRemarks(notes),
  };
}

/** Problems among the bits. */
function mrcProblems(notes: number): MrcProblem[] {
  return namesOf(notes, 0, PROBLEM_COUNT) as MrcProblem[];
}

/** Remarks among the bits. */
function mrcRemarks(notes: number): MrcRemark[] {
  return namesOf(notes, PROBLEM_COUNT, NOTES.length) as MrcRemark[];
}

function namesOf(notes: number, from: number, to: number): string[] {
  return NOTES.slice(from, to).filter((_, index) => (notes & (1 << (from + index))) !== 0);
}

function byte1Of({ bytes, mrcOffset }: Dissection): Pick<MrcReading, 'byte1'> {
  const byte1 = bytes[mrcOffset + 1];
  return (byte1 & BYTE_1_FLAGS) === 0 ? {} : { byte1 };
}

function entropyOf({ innerIpOffset }: Dissection, layers: readonly Layer[], { evOrder }: MrcSettings): {
  readonly value: number;
  readonly notes: number;
} | undefined {
  const udp = layerOf(layers, 'udp', innerIpOffset);
  if (udp === undefined) return undefined;
  const ipv6 = layers.find((layer): layer is LayerOf<'ipv6'> =>
    layer.kind === 'ipv6' && layer.offset === innerIpOffset
  );
  const flowLabel = ipv6?.value.flowLabel ?? 0;
  return {
    value: mrcEntropy(flowLabel, udp.value.sourcePort, evOrder),
    notes: (flowLabel & FLOW_LABEL_UPPER_BITS) === 0 ? 0 : MRC_NOTE_FLOW_LABEL,
  };
}

function carrierOf({ innerIpOffset, carrierIpOffset }: Dissection, layers: readonly Layer[]): MrcCarrier | undefined {
  if (carrierIpOffset === innerIpOffset) return undefined;
  const outer = layerOf(layers, 'ipv6', carrierIpOffset);
  if (outer?.offset !== carrierIpOffset) return undefined;
  const srh = layerOf(layers, 'segment-routing', carrierIpOffset);
  const isOfCarrier = srh !== undefined && srh.offset < innerIpOffset;
  return {
    ...UsidCarrier.read(outer.value.destination),
    ...(isOfCarrier &&
      {
        segmentsLeft: srh.value.segmentsLeft,
        segments: srh.value.segments.map((segment) => UsidCarrier.read(segment)),
      }),
  };
}

type Contents = Pick<MrcReading, 'sack' | 'nackReason' | 'operation'>;

function readContents(layers: readonly Layer[],
  { eethPlace }: MrcSettings): { readonly fields: Contents; readonly notes: number } {
  const seth = layerOf(layers, 'seth', 0)?.value;
  if (seth !== undefined) {
    const notes = (seth.mark === MARK_RESERVED ? MRC_NOTE_MARK : 0) | (seth.ccType === 0 ? 0 : MRC_NOTE_CC_TYPE);
    return { fields: { sack: Seth.readSackMap(seth) }, notes };
  }
  const neth = layerOf(layers, 'neth', 0)?.value;
  if (neth !== undefined) {
    const nackReason = Neth.reasonOf(neth.reason);
    return nackReason === undefined ? { fields: {}, notes: MRC_NOTE_REASON } : { fields: { nackReason }, notes: 0 };
  }
  const erth = layerOf(layers, 'erth', 0)?.value;
  if (erth !== undefined) return { fields: { operation: erth.operation }, notes: 0 };
  const eeth = layerOf(layers, 'eeth', 0)?.value;
  if (eeth === undefined) return { fields: {}, notes: 0 };
  const { operation, isAmbiguous } = Eeth.operationOf(eeth, eethPlace);
  return { fields: { operation }, notes: isAmbiguous ? MRC_NOTE_EETH_PLACE : 0 };
}

/** The first layer of a kind at or after an offset. */
function layerOf<Kind extends LayerKind>(layers: readonly Layer[], kind: Kind, from: number): LayerOf<Kind>
  | undefined {
  return layers.find((layer) => layer.kind === kind && layer.offset >= from) as LayerOf<Kind> | undefined;
}

/** An Ultra Ethernet packet. */
export interface UetReading {
  /** Type of its packet delivery header, 0..31. */
  readonly type: number;
  /** Name of the type; absent if it is unknown. */
  readonly typeName?: UetTypeName;
  /** Name of the DSCP of the outermost IP-in-IP header, as the network's settings give it; absent without one. */
  readonly dscpName?: MrcDscpName;
  /** Whether the DSCP marks the packet as trimmed by a switch. */
  readonly isTrimmed: boolean;
  /** Bytes of payload in the packet; absent if its headers are incomplete. */
  readonly payloadBytes?: number;
}

/** @returns undefined for other packets. */
export function readUet(d: Dissection): UetReading | undefined {
  if (d.uetOffset === 0) return undefined;
  const type = d.bytes[d.uetOffset] >> 3;
  const typeName = UetType.nameOf(type);
  const dscpName = d.uetDscps?.get(d.carrierTrafficClass >> 2);
  return {
    type,
    ...(typeName === undefined ? {} : { typeName }),
    ...(dscpName === undefined ? {} : { dscpName }),
    isTrimmed: d.uetIsTrimmed,
    ...(d.uetPayloadBytes < 0 ? {} : { payloadBytes: d.uetPayloadBytes }),
  };
}
