/**
 * Class/QoS map data of lossless discovery, version 1. Technical Disclosure Commons 1652 reserves up to 64 bytes for
 * it and leaves the contents open; this form is the library's own.
 *
 *   0 version 4 bits, kind 4 bits | 1 type 1 | 2 length 8 | 3 lossless | 4 PFC | 5 ECN | 6 trust mode
 *   7 RoCE DSCP | 8 RoCE priority | 9 CNP DSCP | 10 CNP priority | 11 further parts: type, length, value (qos-parts.ts)
 *
 * Each part is type (1), length of the value (1), value. Part 1 comes first and always; the others follow in ascending
 * order, each at most once, so that there is one way to write a value. Unknown parts are kept. In the three bitmaps
 * priority 0 is the last bit, as in the class-enable vector of PFC. The 11 bytes, and 15 more, fit IPv4's 26.
 */
import { HeaderView } from '../header/header-view.js';
import type { HeaderLayout } from '../header/layout.js';
import { invalidPacket, requireField, requireBytes, requireTarget } from '../bytes.js';
import type { QosParts } from './qos-parts.js';
import { qosPartsBytes, readQosParts, requireQosParts, writeQosParts } from './qos-parts.js';
import { PRIORITY_MAX } from './dscp-map.js';

/** Offsets from the first byte of the data. */
export const QOS_DATA_VERSION_KIND = 0;
export const QOS_DATA_PART_TYPE = 1;
export const QOS_DATA_PART_LENGTH = 2;
export const QOS_DATA_LOSSLESS = 3;
export const QOS_DATA_PFC = 4;
export const QOS_DATA_ECN = 5;
export const QOS_DATA_TRUST = 6;
export const QOS_DATA_ROCE_DSCP = 7;
export const QOS_DATA_ROCE_PRIORITY = 8;
export const QOS_DATA_CNP_DSCP = 9;
export const QOS_DATA_CNP_PRIORITY = 10;
/** Data without further parts. */
export const QOS_DATA_BYTES = 11;

export const QOS_DATA_VERSION = 1;
/** Type and length of the part that always stands. */
export const QOS_PART_CLASSES = 1;
export const QOS_PART_CLASSES_BYTES = 8;

/** Kinds: what the data is for. In requests the wanted policy, in replies the node's configuration. */
export const QOS_KIND_CHECK = 0;
export const QOS_KIND_APPLY = 1;
export const QOS_KIND_STATE = 2;
export const QOS_KIND_TAKEN = 3;
export const QOS_KIND_REFUSED = 4;

/** Trust modes: what decides a packet's priority. */
export const QOS_TRUST_PORT = 0;
export const QOS_TRUST_PCP = 1;
export const QOS_TRUST_DSCP = 2;
/** DSCP of IP packets, PCP of others. */
export const QOS_TRUST_BOTH = 3;

/** The drawing of docs/wire.md. */
export const QOS_DATA_LAYOUT: HeaderLayout = {
  title: 'class/QoS map data',
  source: 'own definition for TDCommons 1652, figures 1 and 2',
  bytes: QOS_DATA_BYTES,
  fields: [
    { name: 'version', offset: QOS_DATA_VERSION_KIND, bits: 4 },
    { name: 'kind', offset: QOS_DATA_VERSION_KIND, bit: 4, bits: 4 },
    { name: 'partType', offset: QOS_DATA_PART_TYPE, bits: 8 },
    { name: 'partLength', offset: QOS_DATA_PART_LENGTH, bits: 8 },
    { name: 'losslessPriorities', offset: QOS_DATA_LOSSLESS, bits: 8 },
    { name: 'pfcPriorities', offset: QOS_DATA_PFC, bits: 8 },
    { name: 'ecnPriorities', offset: QOS_DATA_ECN, bits: 8 },
    { name: 'trustMode', offset: QOS_DATA_TRUST, bits: 8 },
    { name: 'roceDscp', offset: QOS_DATA_ROCE_DSCP, bits: 8 },
    { name: 'rocePriority', offset: QOS_DATA_ROCE_PRIORITY, bits: 8 },
    { name: 'cnpDscp', offset: QOS_DATA_CNP_DSCP, bits: 8 },
    { name: 'cnpPriority', offset: QOS_DATA_CNP_PRIORITY, bits: 8 },
  ],
  followedBy: 'further parts: type, length, value; ascending types, each at most once',
};

const LAYER = 'qos data';

/** How a node treats classes, or shall treat them. */
export interface QosClasses {
  /** Bitmap: priorities whose packets are never dropped for want of buffer. */
  readonly losslessPriorities: number;
  /** Bitmap: priorities with PFC on. */
  readonly pfcPriorities: number;
  /** Bitmap: priorities with ECN marking on. */
  readonly ecnPriorities: number;
  /** `QOS_TRUST_*`; 8 bits. */
  readonly trustMode: number;
  /** 0..63. */
  readonly roceDscp: number;
  /** 0..7: where RoCE data goes. */
  readonly rocePriority: number;
  /** 0..63. */
  readonly cnpDscp: number;
  /** 0..7: where CNPs go. */
  readonly cnpPriority: number;
}

/** The QoS settings that a discovery message tells or asks for, as a value. */
export interface QosData extends QosClasses, QosParts {
  /** `QOS_KIND_*`; 4 bits. */
  readonly kind: number;
}

/** Reads the part that always stands, in place; the data ends where the bytes end. */
export class QosDataView extends HeaderView {
  get version(): number {
    return this.bytes[this.offset + QOS_DATA_VERSION_KIND] >> 4;
  }
  get kind(): number {
    return this.bytes[this.offset + QOS_DATA_VERSION_KIND] & 15;
  }
  get losslessPriorities(): number {
    return this.bytes[this.offset + QOS_DATA_LOSSLESS];
  }
  get pfcPriorities(): number {
    return this.bytes[this.offset + QOS_DATA_PFC];
  }
  get ecnPriorities(): number {
    return this.bytes[this.offset + QOS_DATA_ECN];
  }
  get trustMode(): number {
    return this.bytes[this.offset + QOS_DATA_TRUST];
  }
  get roceDscp(): number {
    return this.bytes[this.offset + QOS_DATA_ROCE_DSCP];
  }
  get rocePriority(): number {
    return this.bytes[this.offset + QOS_DATA_ROCE_PRIORITY];
  }
  get cnpDscp(): number {
    return this.bytes[this.offset + QOS_DATA_CNP_DSCP];
  }
  get cnpPriority(): number {
    return this.bytes[this.offset + QOS_DATA_CNP_PRIORITY];
  }
  /** Where the further parts begin. */
  override get payloadOffset(): number {
    return this.offset + QOS_DATA_BYTES;
  }

  protected override check(bytes: Uint8Array, offset: number): void {
    requireBytes(LAYER, bytes, offset, QOS_DATA_BYTES);
    const version = bytes[offset] >> 4;
    if (version !== QOS_DATA_VERSION) throw invalidPacket(LAYER, offset, 'has another version', version, '1');
    const type = bytes[offset + QOS_DATA_PART_TYPE];
    const length = bytes[offset + QOS_DATA_PART_LENGTH];
    if (type !== QOS_PART_CLASSES || length !== QOS_PART_CLASSES_BYTES) {
      throw invalidPacket(LAYER, offset, 'lacks its first part', `type ${type}, ${length} bytes`, 'type 1, 8 bytes');
    }
    expectAtMost(bytes, offset + QOS_DATA_ROCE_DSCP, 63);
    expectAtMost(bytes, offset + QOS_DATA_ROCE_PRIORITY, PRIORITY_MAX);
    expectAtMost(bytes, offset + QOS_DATA_CNP_DSCP, 63);
    expectAtMost(bytes, offset + QOS_DATA_CNP_PRIORITY, PRIORITY_MAX);
  }
}

function expectAtMost(bytes: Uint8Array, at: number, maximum: number): void {
  if (bytes[at] <= maximum) return;
  throw invalidPacket(LAYER, at, 'has a DSCP or priority out of range', bytes[at], `0..${maximum}`);
}

/**
 * Reads class/QoS map data; the inverse of `buildQosData`.
 *
 * @param bytes up to the end of the data.
 * @throws RoceError `invalid-packet`: cut short, another version, parts out of order or twice, values out of range.
 */
export function parseQosData(bytes: Uint8Array, offset = 0): QosData {
  const view = new QosDataView(bytes, offset);
  const { kind, losslessPriorities, pfcPriorities, ecnPriorities, trustMode } = view;
  const { roceDscp, rocePriority, cnpDscp, cnpPriority } = view;
  return {
    kind,
    losslessPriorities,
    pfcPriorities,
    ecnPriorities,
    trustMode,
    roceDscp,
    rocePriority,
    cnpDscp,
    cnpPriority,
    ...readQosParts(bytes, view.payloadOffset),
  };
}

/** Bytes that `buildQosData` writes. */
export function qosDataBytes(data: QosParts): number {
  return QOS_DATA_BYTES + qosPartsBytes(data);
}

/**
 * Writes class/QoS map data.
 *
 * Source: own definition, see the head of this file.
 * @throws RoceError `invalid-argument` naming a field out of range. How much fits is for the option or message to say:
 * see `fitQosData`.
 */
export function buildQosData(data: QosData): Uint8Array {
  const bytes = new Uint8Array(qosDataBytes(data));
  buildQosDataInto(bytes, 0, data);
  return bytes;
}

/** As `buildQosData`, into `target`. @returns the offset behind the data. */
export function buildQosDataInto(target: Uint8Array, offset: number, data: QosData): number {
  requireField('qosData.kind', data.kind, 15);
  requireQosClasses('qosData', data);
  requireQosParts('qosData', data);
  requireTarget('qosData', target, offset, qosDataBytes(data));
  target[offset + QOS_DATA_VERSION_KIND] = (QOS_DATA_VERSION << 4) | data.kind;
  target[offset + QOS_DATA_PART_TYPE] = QOS_PART_CLASSES;
  target[offset + QOS_DATA_PART_LENGTH] = QOS_PART_CLASSES_BYTES;
  target[offset + QOS_DATA_LOSSLESS] = data.losslessPriorities;
  target[offset + QOS_DATA_PFC] = data.pfcPriorities;
  target[offset + QOS_DATA_ECN] = data.ecnPriorities;
  target[offset + QOS_DATA_TRUST] = data.trustMode;
  target[offset + QOS_DATA_ROCE_DSCP] = data.roceDscp;
  target[offset + QOS_DATA_ROCE_PRIORITY] = data.rocePriority;
  target[offset + QOS_DATA_CNP_DSCP] = data.cnpDscp;
  target[offset + QOS_DATA_CNP_PRIORITY] = data.cnpPriority;
  return writeQosParts(target, offset + QOS_DATA_BYTES, data);
}

/** @throws RoceError `invalid-argument` naming the field that is out of range. */
function requireQosClasses(where: string, classes: QosClasses): void {
  requireField(`${where}.losslessPriorities`, classes.losslessPriorities, 0xff);
  requireField(`${where}.pfcPriorities`, classes.pfcPriorities, 0xff);
  requireField(`${where}.ecnPriorities`, classes.ecnPriorities, 0xff);
  requireField(`${where}.trustMode`, classes.trustMode, 0xff);
  requireField(`${where}.roceDscp`, classes.roceDscp, 63);
  requireField(`${where}.rocePriority`, classes.rocePriority, PRIORITY_MAX);
  requireField(`${where}.cnpDscp`, classes.cnpDscp, 63);
  requireField(`${where}.cnpPriority`, classes.cnpPriority, PRIORITY_MAX);
}
