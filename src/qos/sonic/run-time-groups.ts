/**
 * Priority groups whose buffers the switch makes when it runs, so that the file has no thresholds of them.
 *
 * Traditional buffer model: buffermgrd makes the groups that pfc_enable names, from PORT speed and CABLE_LENGTH, with the profile
 * `pg_lossless_<speed>_<cable>_profile` of pg_profile_lookup.ini; a cable of 0m has none. Dynamic buffer model
 * (DEVICE_METADATA buffer_model `dynamic`): BUFFER_PG names the groups with the profile `NULL`, or a profile whose
 * headroom_type is `dynamic`, and buffermgrd computes the rest.
 *
 * Sources: sonic-swss, cfgmgr/buffermgr.cpp and buffermgrdyn.cpp; sonic-swss #2171, #3418.
 */
import { qosNote, type QosNote } from '../notes.js';
import { LOSSY_GROUP } from '../qos-map.js';
import { isMadeAtRunTime, profileOfPort, type CableLength } from './cable-length.js';
import { lossyReason, type ReadGroup } from './read-group.js';
import { textOf, type SonicEntry, type SonicTables } from './tables.js';

/** What becomes of a group that BUFFER_PG does not name. */
export type MissingGroup = (index: number) => ReadGroup;

/** What buffermgrd makes groups from. */
export interface GroupInputs {
  readonly isDynamic: boolean;
  /** Speed of the port, Mb/s; undefined: not in the file. */
  readonly speedMbps: number | undefined;
  readonly cable: CableLength | null;
  /** pfc_enable. */
  readonly pfcPriorities: readonly number[];
}

/** Whether the file has the dynamic buffer model. */
export function isDynamicModel(tables: SonicTables): boolean {
  const metadata = tables.entry('DEVICE_METADATA', 'localhost');
  return metadata !== undefined && textOf(metadata, 'buffer_model') === 'dynamic';
}

/** Groups without an entry: made by buffermgrd where it has all that it needs, and lossy otherwise. */
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

/** Whether the switch computes the buffers of an entry of BUFFER_PG. */
export function isComputed(tables: SonicTables, entry: SonicEntry): boolean {
  const name = tables.nameReferred(entry, 'profile', 'BUFFER_PROFILE');
  if (name === undefined) return false;
  if (name === 'NULL') return true;
  const profile = tables.entry('BUFFER_PROFILE', name);
  return profile === undefined ? isMadeAtRunTime(name) : textOf(profile, 'headroom_type') === 'dynamic';
}

/** A lossless group of which only that is known. */
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
