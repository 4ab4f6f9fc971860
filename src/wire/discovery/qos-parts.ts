/**
 * The parts of class/QoS map data that may be missing (see qos-data.ts); type, length, value:
 *
 *   2 MTU (2)                    3 hash of the DSCP map (4)      4 priorities that PFC can serve at once (1)
 *   5 DSCP map (24)              6 ETS shares, one per priority, percent (8)      7 reasons of a refusal, bitmap (1)
 *   8..255 unknown to this version, kept as they are
 */
import { RoceError } from '../../errors.js';
import { invalidPacket, readU16, requireField, requireBytes, writeU16 } from '../bytes.js';
import { readU32, writeU32 } from '../wide-bytes.js';
import type { DscpMap } from './dscp-map.js';
import { DSCP_MAP_BYTES, readDscpMap, requireDscpMap, writeDscpMap } from './dscp-map.js';

/** Offsets from the first byte of a part. */
export const QOS_PART_TYPE = 0;
export const QOS_PART_LENGTH = 1;
export const QOS_PART_VALUE = 2;

/** Types. */
export const QOS_PART_MTU = 2;
export const QOS_PART_DSCP_MAP_HASH = 3;
export const QOS_PART_PFC_LEVELS = 4;
export const QOS_PART_DSCP_MAP = 5;
export const QOS_PART_ETS_SHARES = 6;
export const QOS_PART_REFUSAL = 7;
export const QOS_PART_FIRST_UNKNOWN = 8;

/** Reasons of a refusal. */
export const QOS_REFUSAL_NOT_ALLOWED = 0x01;
export const QOS_REFUSAL_NO_ROCE = 0x02;
export const QOS_REFUSAL_PFC_LEVELS = 0x04;
export const QOS_REFUSAL_ECN = 0x08;
export const QOS_REFUSAL_TRUST = 0x10;
export const QOS_REFUSAL_MTU = 0x20;
export const QOS_REFUSAL_CONTRADICTION = 0x40;

/** ETS shares and priorities go by eights. */
export const PRIORITY_COUNT = 8;

const LAYER = 'qos data part';

/** A part that this version does not know. */
export interface QosUnknownPart {
  /** 8..255. */
  readonly type: number;
  /** At most 255 bytes. */
  readonly value: Uint8Array;
}

/** The parts that QoS data may have behind their fixed fields, as a value. */
export interface QosParts {
  /** Longest IP packet, bytes, 0..65535. */
  readonly mtuBytes?: number;
  /** `hashDscpMap` of the node's map, told where the map itself has no room. */
  readonly dscpMapHash?: number;
  /** How many priorities the node can hold lossless at once, 0..8. */
  readonly pfcLevels?: number;
  /** Priority of each DSCP, 64 numbers. */
  readonly dscpToPriority?: DscpMap;
  /** Share of bandwidth of each priority under ETS, percent, 8 numbers. */
  readonly etsShares?: readonly number[];
  /** Bitmap of `QOS_REFUSAL_*`: why a policy was not taken; 8 bits. */
  readonly refusal?: number;
  /** In ascending order of types; absent when there are none. */
  readonly unknownParts?: readonly QosUnknownPart[];
}

/** The parts, writable while they are read. */
type PartsInProgress = { -readonly [Name in keyof QosParts]: QosParts[Name] };

/** One part in place. */
interface PartAt {
  readonly type: number;
  readonly valueOffset: number;
  readonly valueBytes: number;
}

/** Length of the value, by type. */
const VALUE_BYTES: Readonly<Record<number, number>> = {
  [QOS_PART_MTU]: 2,
  [QOS_PART_DSCP_MAP_HASH]: 4,
  [QOS_PART_PFC_LEVELS]: 1,
  [QOS_PART_DSCP_MAP]: DSCP_MAP_BYTES,
  [QOS_PART_ETS_SHARES]: PRIORITY_COUNT,
  [QOS_PART_REFUSAL]: 1,
};

/** Bytes that `writeQosParts` writes. */
export function qosPartsBytes(parts: QosParts): number {
  let bytes = 0;
  if (parts.mtuBytes !== undefined) bytes += partBytes(QOS_PART_MTU);
  if (parts.dscpMapHash !== undefined) bytes += partBytes(QOS_PART_DSCP_MAP_HASH);
  if (parts.pfcLevels !== undefined) bytes += partBytes(QOS_PART_PFC_LEVELS);
  if (parts.dscpToPriority !== undefined) bytes += partBytes(QOS_PART_DSCP_MAP);
  if (parts.etsShares !== undefined) bytes += partBytes(QOS_PART_ETS_SHARES);
  if (parts.refusal !== undefined) bytes += partBytes(QOS_PART_REFUSAL);
  for (const { value } of parts.unknownParts ?? []) bytes += QOS_PART_VALUE + value.length;
  return bytes;
}

function partBytes(type: number): number {
  return QOS_PART_VALUE + VALUE_BYTES[type];
}

/**
 * Reads the parts from `offset` to the end of the bytes.
 * @throws RoceError `invalid-packet`: cut short, out of order or twice, a wrong length, a value out of range.
 */
export function readQosParts(bytes: Uint8Array, offset: number): QosParts {
  const parts: PartsInProgress = {};
  const unknownParts: QosUnknownPart[] = [];
  let at = offset;
  let lastType = 1;
  while (at < bytes.length) {
    const part = readPart(bytes, at, lastType);
    if (part.type >= QOS_PART_FIRST_UNKNOWN) {
      const value = bytes.slice(part.valueOffset, part.valueOffset + part.valueBytes);
      unknownParts.push({ type: part.type, value });
    } else {
      readKnownPart(bytes, part, parts);
    }
    lastType = part.type;
    at = part.valueOffset + part.valueBytes;
  }
  if (unknownParts.length > 0) parts.unknownParts = unknownParts;
  return parts;
}

function readPart(bytes: Uint8Array, offset: number, lastType: number): PartAt {
  requireBytes(LAYER, bytes, offset, QOS_PART_VALUE);
  const type = bytes[offset + QOS_PART_TYPE];
  const valueBytes = bytes[offset + QOS_PART_LENGTH];
  if (type <= lastType) throw invalidPacket(LAYER, offset, 'is out of order', type, `a type above ${lastType}`);
  const expected = VALUE_BYTES[type] ?? valueBytes;
  if (valueBytes !== expected) {
    throw invalidPacket(LAYER, offset, 'has a wrong length', valueBytes, `${expected} bytes`);
  }
  requireBytes(LAYER, bytes, offset, QOS_PART_VALUE + valueBytes);
  return { type, valueOffset: offset + QOS_PART_VALUE, valueBytes };
}

function readKnownPart(bytes: Uint8Array, { type, valueOffset }: PartAt, parts: PartsInProgress): void {
  switch (type) {
    case QOS_PART_MTU:
      parts.mtuBytes = readU16(bytes, valueOffset);
      return;
    case QOS_PART_DSCP_MAP_HASH:
      parts.dscpMapHash = readU32(bytes, valueOffset);
      return;
    case QOS_PART_PFC_LEVELS:
      parts.pfcLevels = expectAtMost(bytes, valueOffset, PRIORITY_COUNT);
      return;
    case QOS_PART_DSCP_MAP:
      parts.dscpToPriority = readDscpMap(bytes, valueOffset);
      return;
    case QOS_PART_ETS_SHARES:
      parts.etsShares = Array.from({ length: PRIORITY_COUNT }, (_, i) => expectAtMost(bytes, valueOffset + i, 100));
      return;
    default:
      parts.refusal = bytes[valueOffset];
  }
}

function expectAtMost(bytes: Uint8Array, at: number, maximum: number): number {
  if (bytes[at] <= maximum) return bytes[at];
  throw invalidPacket(LAYER, at, 'has a value out of range', bytes[at], `0..${maximum}`);
}

/** Writes the parts; the caller has checked them and the room. @returns the offset behind them. */
export function writeQosParts(target: Uint8Array, offset: number, parts: QosParts): number {
  let at = offset;
  if (parts.mtuBytes !== undefined) {
    at = startPart(target, at, QOS_PART_MTU);
    writeU16(target, at - 2, parts.mtuBytes);
  }
  if (parts.dscpMapHash !== undefined) {
    at = startPart(target, at, QOS_PART_DSCP_MAP_HASH);
    writeU32(target, at - 4, parts.dscpMapHash);
  }
  if (parts.pfcLevels !== undefined) {
    at = startPart(target, at, QOS_PART_PFC_LEVELS);
    target[at - 1] = parts.pfcLevels;
  }
  if (parts.dscpToPriority !== undefined) {
    at = startPart(target, at, QOS_PART_DSCP_MAP);
    writeDscpMap(target, at - DSCP_MAP_BYTES, parts.dscpToPriority);
  }
  if (parts.etsShares !== undefined) {
    at = startPart(target, at, QOS_PART_ETS_SHARES);
    target.set(parts.etsShares, at - PRIORITY_COUNT);
  }
  if (parts.refusal !== undefined) {
    at = startPart(target, at, QOS_PART_REFUSAL);
    target[at - 1] = parts.refusal;
  }
  return writeUnknownParts(target, at, parts.unknownParts ?? []);
}

/** Writes type and length of a known part. @returns the offset behind the part. */
function startPart(target: Uint8Array, at: number, type: number): number {
  target[at + QOS_PART_TYPE] = type;
  target[at + QOS_PART_LENGTH] = VALUE_BYTES[type];
  return at + partBytes(type);
}

function writeUnknownParts(target: Uint8Array, offset: number, parts: readonly QosUnknownPart[]): number {
  let at = offset;
  for (const { type, value } of parts) {
    target[at + QOS_PART_TYPE] = type;
    target[at + QOS_PART_LENGTH] = value.length;
    target.set(value, at + QOS_PART_VALUE);
    at += QOS_PART_VALUE + value.length;
  }
  return at;
}

/** @throws RoceError `invalid-argument` naming the part that is out of range. */
export function requireQosParts(where: string, parts: QosParts): void {
  requireField(`${where}.mtuBytes`, parts.mtuBytes ?? 0, 0xffff);
  requireField(`${where}.dscpMapHash`, parts.dscpMapHash ?? 0, 0xffffffff);
  requireField(`${where}.pfcLevels`, parts.pfcLevels ?? 0, PRIORITY_COUNT);
  requireField(`${where}.refusal`, parts.refusal ?? 0, 0xff);
  if (parts.dscpToPriority !== undefined) requireDscpMap(`${where}.dscpToPriority`, parts.dscpToPriority);
  if (parts.etsShares !== undefined) requireShares(`${where}.etsShares`, parts.etsShares);
  let lastType = QOS_PART_FIRST_UNKNOWN - 1;
  for (const { type, value } of parts.unknownParts ?? []) {
    requireField(`${where}.unknownParts.type`, type, 0xff);
    requireField(`${where}.unknownParts.length`, value.length, 0xff);
    if (type <= lastType) {
      const allowed = `above ${lastType}: ascending, none twice`;
      throw new RoceError('invalid-argument', 'part out of order', {
        got: type,
        allowed,
        where: `${where}.unknownParts.type`,
      });
    }
    lastType = type;
  }
}

function requireShares(where: string, shares: readonly number[]): void {
  if (shares.length !== PRIORITY_COUNT) {
    const got = `${shares.length} shares`;
    throw new RoceError('invalid-argument', 'no ETS shares', { got, allowed: `${PRIORITY_COUNT} shares`, where });
  }
  shares.forEach((share, priority) => requireField(`${where}[${priority}]`, share, 100));
}
