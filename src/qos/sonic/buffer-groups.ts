/**
 * Priority groups as configured in BUFFER_PG, or as the switch computes them at run time, so that the file does not have their
 * thresholds.
 *
 * Traditional buffer model: buffermgrd makes the groups of pfc_enable from PORT speed and CABLE_LENGTH, with the
 * profile `pg_lossless_<speed>_<cable>_profile` of pg_profile_lookup.ini; it makes none for a cable of 0m. Dynamic
 * buffer model (DEVICE_METADATA buffer_model `dynamic`): BUFFER_PG names the groups with the profile `NULL`, or a
 * profile whose headroom_type is `dynamic`, and buffermgrd computes the rest.
 *
 * Sources: sonic-swss, cfgmgr/buffermgr.cpp and buffermgrdyn.cpp; sonic-swss #2171, #3418.
 */
import type { LintRule } from '../lint-rules.js';
import { qosNote, type QosNote } from '../notes.js';
import { LOSSY_GROUP, type BufferGroup } from '../qos-map.js';
import { isMadeAtRunTime, profileOfPort, type CableLength, type ProfileHeadroom } from './headroom.js';
import type { SonicReason, SonicSetting } from './sonic-config.js';
import { textOf, type SonicEntry, type SonicTables } from './tables.js';

/** One ingress buffer, with how it was configured. */
export interface ReadGroup {
  readonly group: BufferGroup;
  readonly notTold?: readonly LintRule[];
  readonly settings?: readonly SonicSetting[];
  readonly note?: QosNote;
  readonly reason?: SonicReason;
  readonly headroom?: ProfileHeadroom;
}

/** Explains why a priority group drops when it is full. */
export function lossyReason(index: number, what: string): SonicReason {
  return {
    rule: 'pause-without-buffer',
    index,
    message: `pfc_enable is on, but priority group ${index} is lossy: ${what}`,
    got: what,
    expected: 'a BUFFER_PROFILE with xoff',
    source: 'sonic-buildimage, sonic-yang-models/doc/Configuration.md, BUFFER_PG',
  };
}

/** Makes a group that has no entry in BUFFER_PG. */
export type MissingGroup = (index: number) => ReadGroup;

/** Settings that buffermgrd makes groups from. */
export interface GroupInputs {
  readonly isDynamic: boolean;
  /** Speed of the port, Mb/s; undefined if it is not in the file. */
  readonly speedMbps: number | undefined;
  readonly cable: CableLength | null;
  /** Priorities in pfc_enable. */
  readonly pfcPriorities: readonly number[];
}

/** Whether the file uses the dynamic buffer model. */
export function isDynamicModel(tables: SonicTables): boolean {
  const metadata = tables.entry('DEVICE_METADATA', 'localhost');
  return metadata !== undefined && textOf(metadata, 'buffer_model') === 'dynamic';
}

/** Groups without an entry are made by buffermgrd if all its inputs are known; otherwise they are lossy. */
export function missingGroupOf({ isDynamic, speedMbps, cable, pfcPriorities }: GroupInputs): MissingGroup {
  return (index) => {
    if (!pfcPriorities.includes(index))
      return { group: LOSSY_GROUP, reason: absentReason(index, 'pfc_enable does not name it') };
    if (isDynamic) return { group: LOSSY_GROUP, reason: absentReason(index, 'the dynamic buffer model needs one') };
    if (speedMbps === undefined || cable === null) {
      const lacking = speedMbps === undefined ? 'PORT has no speed' : 'CABLE_LENGTH has no length';
      return { group: LOSSY_GROUP, reason: absentReason(index, `buffermgrd makes none: ${lacking} of the port`) };
    }
    const profile = profileOfPort(speedMbps, cable);
    return unknownGroup(index, 'made by buffermgrd', qosNote('group-made-at-run-time', { group: index, profile }));
  };
}

/** Whether the switch computes the buffers of a BUFFER_PG entry. */
export function isComputed(tables: SonicTables, entry: SonicEntry): boolean {
  const name = tables.nameReferred(entry, 'profile', 'BUFFER_PROFILE');
  if (name === undefined) return false;
  if (name === 'NULL') return true;
  const profile = tables.entry('BUFFER_PROFILE', name);
  return profile === undefined ? isMadeAtRunTime(name) : textOf(profile, 'headroom_type') === 'dynamic';
}

/** Makes a lossless group with unknown thresholds. */
export function computedGroup(tables: SonicTables, entry: SonicEntry, index: number): ReadGroup {
  const name = tables.nameReferred(entry, 'profile', 'BUFFER_PROFILE') ?? 'NULL';
  const isMade = name !== 'NULL' && tables.entry('BUFFER_PROFILE', name) === undefined;
  const note = isMade ?
    qosNote('profile-made-at-run-time', { profile: name }) :
    qosNote('group-computed-at-run-time', { group: index, profile: name });
  return unknownGroup(index, 'computed by the switch', note);
}

function unknownGroup(index: number, value: string, note: QosNote): ReadGroup {
  return {
    group: { kind: 'lossless', reservedBytes: 0, alpha: 1, xoffBytes: 0, xonBytes: 0, headroomBytes: 0 },
    notTold: ['pause-without-xoff', 'pause-without-headroom'],
    settings: [{ name: `priority group ${index}: BUFFER_PG profile`, value }],
    note,
  };
}

function absentReason(index: number, why: string) {
  return lossyReason(index, `BUFFER_PG has no entry for it, and ${why}`);
}
