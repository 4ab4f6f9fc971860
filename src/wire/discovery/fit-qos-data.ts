/** Shortens class/QoS map data to a given space: omits parts, the least important first, until the rest fits. */
import { invalidArgument } from '../bytes.js';
import { DscpMap } from './dscp-map.js';
import { QosData } from './qos-data.js';
import type { QosParts } from './qos-parts.js';

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
