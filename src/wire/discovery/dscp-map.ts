/**
 * A map from DSCP to priority on the wire: complete, or as a hash if space is short.
 *
 *   whole  24 bytes: 64 priorities of 3 bits, DSCP 0 first, most significant bits first
 *   hash   32 bits: FNV-1a over the 64 priorities, one byte each, DSCP 0 first
 *
 * Different maps have equal hashes with probability 2^-32 (deliberate collisions gain nothing: a forger could also send
 * a false map).
 */
import { invalidArgument, readU24, requireBytes, requireField, requireTarget, writeU24 } from '../bytes.js';

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
