/**
 * Class/QoS map data of lossless discovery, version 1. Technical Disclosure Commons 1652 reserves up to 64 bytes for it
 * but does not define the contents; this format is the library's own.
 *
 *   0 version 4 bits, kind 4 bits | 1 type 1 | 2 length 8 | 3 lossless | 4 PFC | 5 ECN | 6 trust mode
 *   7 RoCE DSCP | 8 RoCE priority | 9 CNP DSCP | 10 CNP priority | 11 further parts: type, length, value (qos-parts.ts)
 *
 * Each part is type (1), length of the value (1), value. Part 1 is mandatory and comes first; the others follow in
 * ascending order, each at most once, so that each value has a single encoding. Unknown parts are kept. In the three
 * bitmaps priority 0 is the lowest bit, as in the class-enable vector of PFC. IPv4's 26 bytes hold these 11 bytes and
 * 15 more.
 */
import { invalidArgument } from '../bytes.js';
import { type ValueOf, defineHeader, extendHeader } from '../header/define-header.js';
import { atMost } from '../header/field.js';
import { DscpMap, QosParts, requireQosParts } from './qos-parts.js';

const QOS_DATA_VERSION = 1;
const QOS_PART_CLASSES = 1;
const QOS_PART_CLASSES_BYTES = 8;

const DSCP_MAX = 63;

const QOS_DATA = /* @__PURE__ */ defineHeader({
  title: 'class/QoS map data',
  source: 'own definition for TDCommons 1652, figures 1 and 2',
  layer: 'qos data',
  where: 'qosData',
  followedBy: 'further parts: type, length, value; ascending types, each at most once',
  fields: (field) => ({
    /** Kind of message, `QosData.KIND_*`; 4 bits. */
    kind: field.constant('version', 4, QOS_DATA_VERSION).bits(4),
    /** Bitmap of lossless priorities: their packets are never dropped for lack of buffer. */
    losslessPriorities: field.constant('partType', 8, QOS_PART_CLASSES)
      .constant('partLength', 8, QOS_PART_CLASSES_BYTES)
      .bits(8),
    /** Bitmap of priorities with PFC. */
    pfcPriorities: field.bits(8),
    /** Bitmap of priorities with ECN marking. */
    ecnPriorities: field.bits(8),
    /** What determines a packet's priority, `QosData.TRUST_*`; 8 bits. */
    trustMode: field.bits(8),
    /** DSCP of RoCE data, 0..63. */
    roceDscp: field.ruled(atMost(DSCP_MAX), 8),
    /** Priority of RoCE data, 0..7. */
    rocePriority: field.ruled(atMost(DscpMap.PRIORITY_MAX), 8),
    /** DSCP of CNPs, 0..63. */
    cnpDscp: field.ruled(atMost(DSCP_MAX), 8),
    /** Priority of CNPs, 0..7. */
    cnpPriority: field.ruled(atMost(DscpMap.PRIORITY_MAX), 8),
  }),
});

/** How a node treats traffic classes, or is requested to. */
export interface QosClasses extends Omit<ValueOf<typeof QOS_DATA>, 'kind'> {}

/** The QoS settings that a discovery message reports or requests, as a value. */
export interface QosData extends ValueOf<typeof QOS_DATA>, QosParts {}

/** Reads the mandatory part in place; the data extends to the end of the bytes. */
export class QosDataView extends QOS_DATA.View {
  /** Version of the data, always 1: others are rejected. */
  declare readonly version: number;
}

/** The QoS settings that a discovery message reports or requests. */
export const QosData = /* @__PURE__ */ extendHeader(QOS_DATA, {
  /** Reads the mandatory part in place; the data extends to the end of the bytes. */
  View: QosDataView,
  /** The only supported version of the data, 1. */
  VERSION: QOS_DATA_VERSION,
  /** Type of the mandatory part, the fields of `QosClasses`. */
  PART_CLASSES: QOS_PART_CLASSES,
  /** Length of the mandatory part's value: 8 bytes. */
  PART_CLASSES_BYTES: QOS_PART_CLASSES_BYTES,
  /** Kind of a request: compare the node's settings with these. */
  KIND_CHECK: 0,
  /** Kind of a request: apply these settings. */
  KIND_APPLY: 1,
  /** Kind of a reply: the node's current settings. */
  KIND_STATE: 2,
  /** Kind of a reply: the node has applied the requested settings; these are its settings now. */
  KIND_TAKEN: 3,
  /** Kind of a reply: the node keeps its settings, which are these; part 7 gives the reason. */
  KIND_REJECTED: 4,
  /** Trust mode: the port determines a packet's priority. */
  TRUST_PORT: 0,
  /** Trust mode: the PCP of the VLAN tag determines a packet's priority. */
  TRUST_PCP: 1,
  /** Trust mode: the DSCP determines a packet's priority. */
  TRUST_DSCP: 2,
  /** Trust mode: the DSCP determines the priority of IP packets, the PCP that of others. */
  TRUST_BOTH: 3,
  /** Number of bytes that `QosData.write` writes. */
  lenBytesOf(data: QosParts): number {
    return QOS_DATA.lenBytes + QosParts.lenBytesOf(data);
  },
  /**
   * Reads class/QoS map data; the inverse of `QosData.write`.
   *
   * @param bytes that end with the data.
   * @throws RoceError `invalid-packet`: truncated, another version, parts out of order or repeated, values out of
   * range.
   */
  read(bytes: Uint8Array, offset = 0): QosData {
    return { ...QOS_DATA.read(bytes, offset), ...QosParts.read(bytes, offset + QOS_DATA.lenBytes) };
  },
  /**
   * Writes class/QoS map data.
   *
   * Source: own definition, see the top of this file.
   * @returns the offset after the data.
   * @throws RoceError `invalid-argument` naming a field out of range. The size limit depends on the option or message:
   * see `fitQosData`.
   */
  writeInto(target: Uint8Array, offset: number, data: QosData): number {
    requireQosParts('qosData', data);
    return QosParts.writeInto(target, QOS_DATA.writePartInto(target, offset, data, QosData.lenBytesOf(data)), data);
  },
});

/** Parts in the order of omission. A DSCP map is replaced by its hash, which is omitted last (a rejection never is). */
const LEFT_OUT_IN_ORDER = [
  'unknownParts',
  'dscpToPriority',
  'etsShares',
  'pfcLevels',
  'mtuBytes',
  'dscpMapHash',
] as const;

/**
 * Returns the data, or as much of it as fits. The first part and a rejection are always kept.
 *
 * @param roomBytes 26 for any IPv4 option, 64 for an IPv6 option and for replies.
 * @throws RoceError `invalid-argument` if not even these fit.
 */
export function fitQosData(data: QosData, roomBytes: number): QosData {
  if (typeof roomBytes !== 'number') throw invalidArgument('roomBytes', roomBytes, { min: 0, unit: 'bytes' });
  let fitting = data;
  for (const part of LEFT_OUT_IN_ORDER) {
    if (QosData.lenBytesOf(fitting) <= roomBytes) return fitting;
    fitting = without(fitting, part);
  }
  if (QosData.lenBytesOf(fitting) <= roomBytes) return fitting;
  const allowed = { min: QosData.lenBytes, unit: 'bytes, 3 more with a rejection' };
  throw invalidArgument('roomBytes', roomBytes, allowed, 'room for class/QoS map data');
}

function without(data: QosData, part: keyof QosParts): QosData {
  const { [part]: leftOut, ...rest } = data;
  if (part === 'dscpToPriority' && leftOut !== undefined) return { ...rest, dscpMapHash: mapHash(data) };
  return rest;
}

function mapHash({ dscpToPriority = [] }: QosData): number {
  return DscpMap.hash(dscpToPriority);
}
