/**
 * The optional parts of class/QoS map data (see qos-data.ts); type, length, value:
 *
 *   2 MTU (2)                    3 hash of the DSCP map (4)      4 number of priorities that PFC supports at once (1)
 *   5 DSCP map (24)              6 ETS shares, one per priority, percent (8)      7 reasons of a rejection, bitmap (1)
 *   8..255 unknown to this version, kept unchanged
 *
 * A map from DSCP to priority is complete, or a hash if space is short:
 *
 *   whole  24 bytes: 64 priorities of 3 bits, DSCP 0 first, most significant bits first
 *   hash   32 bits: FNV-1a over the 64 priorities, one byte each, DSCP 0 first
 *
 * Different maps have equal hashes with probability 2^-32 (deliberate collisions gain nothing: a forger could also send
 * a false map).
 */
import { invalidArgument, invalidPacket, lengthOf, requireBytes, requireField, requireList, requirePlace, requireRecord,
  requireTarget, readU24, writeU24, readUint, writeUint } from '../bytes.js';

/** Priority of each DSCP: 64 numbers, 0..7. */
export const DscpMap = {
  /** Number of entries: a DSCP has 6 bits. */
  DSCP_COUNT: 64,
  /** Largest priority (IEEE 802.1Q: 3 bits). */
  PRIORITY_MAX: 7,
  /** Length of the map on the wire, bytes. */
  lenBytes: 24,
  /** Reads the 24 bytes at `offset`; all values are valid. @throws RoceError `invalid-packet` if they are truncated. */
  read(bytes: Uint8Array, offset: number): number[] {
    requireBytes('DSCP map', bytes, offset, DscpMap.lenBytes);
    return Array.from({ length: DscpMap.DSCP_COUNT }, (_, dscp) => {
      const entry = dscp % GROUP_ENTRIES;
      const at = offset + Math.floor(dscp / GROUP_ENTRIES) * GROUP_BYTES;
      return (readU24(bytes, at) >> ((GROUP_ENTRIES - 1 - entry) * PRIORITY_BITS)) & DscpMap.PRIORITY_MAX;
    });
  },
  /**
   * Writes the 24 bytes at `offset`. @throws RoceError `invalid-argument` like `requireDscpMap`, and if they do not
   * fit.
   */
  writeInto(target: Uint8Array, offset: number, map: DscpMap): void {
    requireTarget('DSCP map', target, offset, DscpMap.lenBytes);
    requireDscpMap('map', map);
    for (let first = 0, at = offset; first < DscpMap.DSCP_COUNT; first += GROUP_ENTRIES, at += GROUP_BYTES) {
      let group = 0;
      for (let dscp = first; dscp < first + GROUP_ENTRIES; dscp++) group = (group << PRIORITY_BITS) | map[dscp];
      writeU24(target, at, group);
    }
  },
  /** The map's hash, 0..2^32 - 1. @throws RoceError `invalid-argument` like `requireDscpMap`. */
  hash(map: DscpMap): number {
    requireDscpMap('map', map);
    return map.reduce((hash, priority) => Math.imul(hash ^ priority, FNV_PRIME) >>> 0, FNV_BASIS);
  },
} as const;

const PRIORITY_BITS = 3;
const GROUP_BYTES = 3;
const GROUP_ENTRIES = 8;
/** FNV-1a, 32 bits: offset basis and prime. */
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Priority of each DSCP: 64 numbers, 0..7. */
export type DscpMap = readonly number[];

/** @throws RoceError `invalid-argument` unless there are 64 priorities of 0..7. */
export function requireDscpMap(where: string, map: DscpMap): void {
  const got = Array.isArray(map) ? map.length : map;
  if (got !== DscpMap.DSCP_COUNT) throw invalidArgument(where, got, DscpMap.DSCP_COUNT, 'number of priorities');
  map.forEach((priority, dscp) => requireField(`${where}[${dscp}]`, priority, DscpMap.PRIORITY_MAX));
}

/** Offset of the type from the first byte of a part. */
export const QOS_PART_TYPE = 0;
/** Offset of the length of the value, in bytes, from the first byte of a part. */
export const QOS_PART_LENGTH = 1;
/** Offset of the value from the first byte of a part. */
export const QOS_PART_VALUE = 2;

/** The optional parts of QoS data, after the fixed fields. */
export const QosParts = {
  /** Type of the part with the maximum IP packet size, 2 bytes. */
  MTU: 2,
  /** Type of the part with the hash of the DSCP map, 4 bytes. */
  DSCP_MAP_HASH: 3,
  /** Type of the part with the number of priorities that can be lossless at once, 1 byte. */
  PFC_LEVELS: 4,
  /** Type of the part with the priority of each DSCP, 24 bytes. */
  DSCP_MAP: 5,
  /** Type of the part with each priority's share of bandwidth in percent, 8 bytes. */
  ETS_SHARES: 6,
  /** Type of the part with the reasons of a rejection, a bitmap of 1 byte. */
  REJECTION: 7,
  /** First type unknown to this version; such parts are kept unchanged. */
  FIRST_UNKNOWN: 8,
  /** Bit of `rejection`: the node accepts no policy from this originator. */
  REJECTION_NOT_ALLOWED: 0x01,
  /** Bit of `rejection`: the node does not support RoCE. */
  REJECTION_NO_ROCE: 0x02,
  /** Bit of `rejection`: the node does not support that many lossless priorities. */
  REJECTION_PFC_LEVELS: 0x04,
  /** Bit of `rejection`: the node cannot mark with ECN. */
  REJECTION_ECN: 0x08,
  /** Bit of `rejection`: the node does not support this trust mode. */
  REJECTION_TRUST: 0x10,
  /** Bit of `rejection`: the MTU exceeds the node's maximum. */
  REJECTION_MTU: 0x20,
  /** Bit of `rejection`: the policy is inconsistent. */
  REJECTION_CONTRADICTION: 0x40,
  /** Number of priorities, and of ETS shares. */
  PRIORITY_COUNT: 8,
  /** Number of bytes that `QosParts.writeInto` writes. */
  lenBytesOf(parts: QosParts): number {
    requireRecord('parts', parts);
    let bytes = 0;
    for (const { name, lenBytes } of KNOWN_PARTS) if (parts[name] !== undefined) bytes += QOS_PART_VALUE + lenBytes;
    for (const { value } of unknownPartsOf(parts)) bytes += QOS_PART_VALUE + lengthOf('parts.unknownParts', value);
    return bytes;
  },
  /**
   * Reads the parts from `offset` to the end of the bytes.
   * @throws RoceError `invalid-packet`: truncated, out of order or repeated, a wrong length, a value out of range.
   */
  read(bytes: Uint8Array, offset: number): QosParts {
    const parts: Partial<Record<keyof QosParts, unknown>> = {};
    const unknownParts: QosUnknownPart[] = [];
    requirePlace(bytes, offset);
    let lastType = 1;
    for (let at = offset; at < bytes.length;) {
      requireBytes(LAYER, bytes, at, QOS_PART_VALUE);
      const type = bytes[at + QOS_PART_TYPE];
      const lenBytes = bytes[at + QOS_PART_LENGTH];
      if (type <= lastType) throw invalidPacket(LAYER, at, 'is out of order', type, { above: lastType });
      const known = KNOWN_PARTS.find((part) => part.type === type);
      if (known && known.lenBytes !== lenBytes) {
        throw invalidPacket(LAYER, at, 'has a wrong length', lenBytes, known.lenBytes);
      }
      const valueOffset = at + QOS_PART_VALUE;
      requireBytes(LAYER, bytes, at, QOS_PART_VALUE + lenBytes);
      at = valueOffset + lenBytes;
      if (known) parts[known.name] = known.read(bytes, valueOffset);
      else unknownParts.push({ type, value: bytes.slice(valueOffset, at) });
      lastType = type;
    }
    if (unknownParts.length > 0) parts.unknownParts = unknownParts;
    return parts as QosParts;
  },
  /** Writes the parts. @returns the offset after them. */
  writeInto(target: Uint8Array, offset: number, parts: QosParts): number {
    requireQosParts('parts', parts);
    requireTarget('qos data parts', target, offset, QosParts.lenBytesOf(parts));
    let at = offset;
    for (const { name, type, lenBytes, write } of KNOWN_PARTS) {
      const value = parts[name];
      if (value === undefined) continue;
      at = beginPart(target, at, type, lenBytes);
      write(target, at - lenBytes, value as never);
    }
    for (const { type, value } of parts.unknownParts ?? []) {
      at = beginPart(target, at, type, value.length);
      target.set(value, at - value.length);
    }
    return at;
  },
} as const;

const LAYER = 'qos data part';

/** A part unknown to this version. */
export interface QosUnknownPart {
  /** Type of the part, 8..255. */
  readonly type: number;
  /** At most 255 bytes. */
  readonly value: Uint8Array;
}

/** The optional parts of QoS data, as a value. */
export interface QosParts {
  /** Maximum IP packet size, bytes, 0..65535. */
  readonly mtuBytes?: number;
  /** `DscpMap.hash` of the node's map, reported if there is no space for the map itself. */
  readonly dscpMapHash?: number;
  /** Maximum number of lossless priorities that the node supports at once, 0..8. */
  readonly pfcLevels?: number;
  /** Priority of each DSCP, 64 numbers. */
  readonly dscpToPriority?: DscpMap;
  /** Share of bandwidth of each priority under ETS, percent, 8 numbers. */
  readonly etsShares?: readonly number[];
  /** Bitmap of `QosParts.REJECTION_*`: why a policy was rejected; 8 bits. */
  readonly rejection?: number;
  /** In ascending order of types; absent if there are none. */
  readonly unknownParts?: readonly QosUnknownPart[];
}

/** Codec of a part's value. */
interface PartForm<Value> {
  readonly lenBytes: number;
  readonly read: (bytes: Uint8Array, at: number) => Value;
  /** @throws RoceError `invalid-argument` naming the value out of range. */
  readonly require: (where: string, value: Value) => void;
  readonly write: (target: Uint8Array, at: number, value: Value) => void;
}

/** A part known to this version. */
interface KnownPart extends Omit<PartForm<never>, 'read'> {
  readonly read: (bytes: Uint8Array, at: number) => unknown;
  readonly type: number;
  readonly name: Exclude<keyof QosParts, 'unknownParts'>;
}

/** Codec for a number of this many bytes. */
function numberOf(lenBytes: number, maximum = 2 ** (8 * lenBytes) - 1): PartForm<number> {
  return {
    lenBytes,
    read: (bytes, at) => readAtMost(maximum, bytes, at, lenBytes),
    require: (where, value) => requireField(where, value, maximum),
    write: (target, at, value) => writeUint(target, at, lenBytes, value),
  };
}

const SHARES: PartForm<readonly number[]> = {
  lenBytes: QosParts.PRIORITY_COUNT,
  read: (bytes, at) => Array.from({ length: QosParts.PRIORITY_COUNT }, (_, i) => readAtMost(100, bytes, at + i, 1)),
  require: (where, shares) => {
    requireList(where, shares);
    if (shares.length !== QosParts.PRIORITY_COUNT)
      throw invalidArgument(where, shares.length, QosParts.PRIORITY_COUNT, 'number of shares');
    shares.forEach((share, priority) => requireField(`${where}[${priority}]`, share, 100));
  },
  write: (target, at, shares) => target.set(shares, at),
};

const DSCP_MAP: PartForm<DscpMap> = {
  lenBytes: DscpMap.lenBytes,
  read: (bytes, offset) => DscpMap.read(bytes, offset),
  require: requireDscpMap,
  write: (target, offset, map) => DscpMap.writeInto(target, offset, map),
};

/** In ascending order of types. */
const KNOWN_PARTS: readonly KnownPart[] = [
  { type: QosParts.MTU, name: 'mtuBytes', ...numberOf(2) },
  { type: QosParts.DSCP_MAP_HASH, name: 'dscpMapHash', ...numberOf(4) },
  { type: QosParts.PFC_LEVELS, name: 'pfcLevels', ...numberOf(1, QosParts.PRIORITY_COUNT) },
  { type: QosParts.DSCP_MAP, name: 'dscpToPriority', ...DSCP_MAP },
  { type: QosParts.ETS_SHARES, name: 'etsShares', ...SHARES },
  { type: QosParts.REJECTION, name: 'rejection', ...numberOf(1) },
];

function readAtMost(maximum: number, bytes: Uint8Array, at: number, lenBytes: number): number {
  const value = readUint(bytes, at, lenBytes);
  if (value > maximum) throw invalidPacket(LAYER, at, 'has a value out of range', value, { min: 0, max: maximum });
  return value;
}

/** Writes type and length. @returns the offset after the part. */
function beginPart(target: Uint8Array, at: number, type: number, lenBytes: number): number {
  target[at + QOS_PART_TYPE] = type;
  target[at + QOS_PART_LENGTH] = lenBytes;
  return at + QOS_PART_VALUE + lenBytes;
}

/** @throws RoceError `invalid-argument` naming the part that is out of range. */
export function requireQosParts(where: string, parts: QosParts): void {
  requireRecord('parts', parts);
  for (const { name, require } of KNOWN_PARTS) {
    if (parts[name] !== undefined) require(`${where}.${name}`, parts[name] as never);
  }
  let lastType = QosParts.FIRST_UNKNOWN - 1;
  for (const { type, value } of unknownPartsOf(parts)) {
    // Types must ascend, without duplicates.
    requireField(`${where}.unknownParts.type`, type, 0xff, lastType + 1);
    requireField(`${where}.unknownParts.length`, lengthOf(`${where}.unknownParts.value`, value), 0xff);
    lastType = type;
  }
}

function unknownPartsOf({ unknownParts = [] }: QosParts): readonly QosUnknownPart[] {
  requireList('parts.unknownParts', unknownParts);
  for (const part of unknownParts) requireRecord('parts.unknownParts', part);
  return unknownParts;
}
