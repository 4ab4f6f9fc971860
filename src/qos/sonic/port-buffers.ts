/**
 * The ingress buffers of a port: BUFFER_PG, its BUFFER_PROFILE, and the profile's BUFFER_POOL; and the headroom that its
 * cable needs.
 *
 *   size        reserved bytes of the group
 *   dynamic_th  alpha = 2^dynamic_th, -8: 0, 7: unlimited; static_th: a limit in bytes instead
 *   xoff        space for data that arrives after the pause was sent: the headroom, although NVIDIA's page calls it a
 *               threshold
 *   xon         fill level at which the sender may resume
 *
 * The pause is sent at the group's limit. With alpha, the limit is a share of the free buffer: at most alpha / (1 +
 * alpha) of the pool, when no other group uses it. `xoffBytes` here is this maximum.
 *
 * Groups whose buffers the switch computes at run time are lossless with unknown numbers. Traditional buffer model:
 * buffermgrd makes the groups of pfc_enable from PORT speed and CABLE_LENGTH, with the profile
 * `pg_lossless_<speed>_<cable>_profile` of pg_profile_lookup.ini; it makes none for a cable of 0m. Dynamic buffer model
 * (DEVICE_METADATA buffer_model `dynamic`): BUFFER_PG names the groups with the profile `NULL`, or a profile whose
 * headroom_type is `dynamic`, and buffermgrd computes the rest.
 *
 * CABLE_LENGTH is a length such as `300m`; `0m` and `None` mean no cable. If it is missing, the length comes from the
 * name of a profile that buffermgrd made. Sources: sonic-swss, cfgmgr/buffermgr.cpp and buffermgrdyn.cpp; sonic-swss
 * #2171, #3418; sonic-cable-length.yang.
 */
import { CABLE_DELAY_PS_PER_M, portHeadroom, CABLE_MAX_M } from '../../analysis/headroom.js';
import { distinctNotes } from '../../note-record.js';
import type { LintRule } from '../lint-rules.js';
import { qosNote, type QosNote } from '../notes.js';
import { LOSSY_GROUP, PRIORITY_COUNT, type BufferGroup } from '../qos-map.js';
import type { SonicReason, SonicSetting } from './sonic-config.js';
import { findSonic, type SonicFinding } from './sonic-rules.js';
import { wholeOf, type SonicEntry, type SonicTables, textOf, rejectField } from './tables.js';

/** The ingress buffers of a port. */
interface PortBuffers {
  readonly groups: readonly BufferGroup[];
  readonly notStated: readonly LintRule[];
  readonly settings: readonly SonicSetting[];
  readonly notes: readonly QosNote[];
  /** Why groups are not lossless. */
  readonly reasons: readonly SonicReason[];
  /** The distinct profiles with a headroom. */
  readonly headrooms: readonly ProfileHeadroom[];
}

/** A profile with a headroom, and its pool. */
export interface ProfileHeadroom {
  /** Table and key: `BUFFER_PROFILE|pg_lossless_100000_300m_profile`. */
  readonly place: string;
  /** Headroom, bytes, above 0. */
  readonly xoffBytes: number;
  /** Reserved buffer of the group, bytes. */
  readonly sizeBytes: number;
  /** xoff of the pool, bytes; null if it has none. */
  readonly poolXoffBytes: number | null;
  /** Table and key of the pool: `BUFFER_POOL|ingress_lossless_pool`. */
  readonly poolPlace: string;
}

/** The link of a port. */
interface PortLink {
  /** Rate, bits per second. */
  readonly rateBps: number;
  readonly cable: CableLength;
}

/** The length of a port's cable. */
export interface CableLength {
  /** Length in metres, above 0. */
  readonly metres: number;
  /** Length as SONiC writes it: `300m`. */
  readonly text: string;
}

const DYNAMIC_TH_NONE = -8;
const DYNAMIC_TH_ALL = 7;
const BYTES_MAX = Number.MAX_SAFE_INTEGER;
const LENGTH_PATTERN = /^(\d{1,6})m$/;
const PROFILE_PATTERN = /^pg_lossless_(\d{1,7})_(\d{1,6})m_(?:.*_)?profile$/;

/**
 * Reads the priority groups of a port.
 * @param missing makes the group for an index without an entry.
 */
export function readPortBuffers(tables: SonicTables, entries: ReadonlyMap<number, SonicEntry> | undefined,
  missing: MissingGroup): PortBuffers {
  const read = Array.from({ length: PRIORITY_COUNT }, (_, index) => {
    const entry = entries?.get(index);
    return entry === undefined ? missing(index) : readGroup(tables, entry, index);
  });
  const headrooms = new Map(
    read.flatMap(({ headroom }) => (headroom === undefined ? [] : [[headroom.place, headroom]])),
  );
  return {
    groups: read.map(({ group }) => group),
    notStated: [...new Set(read.flatMap(({ notStated = [] }) => notStated))],
    settings: read.flatMap(({ settings = [] }) => settings),
    notes: distinctNotes(read.flatMap(({ note }) => note ?? [])),
    reasons: read.flatMap(({ reason }) => reason ?? []),
    headrooms: [...headrooms.values()],
  };
}

function readGroup(tables: SonicTables, entry: SonicEntry, index: number): ReadGroup {
  if (isComputed(tables, entry)) return computedGroup(tables, entry, index);
  const profile = tables.referred(entry, 'profile', 'BUFFER_PROFILE');
  if (profile === undefined)
    return { group: LOSSY_GROUP, reason: lossyReason(index, 'the entry of BUFFER_PG has no profile') };
  const pool = tables.referred(profile, 'pool', 'BUFFER_POOL');
  const reservedBytes = wholeOf(profile, 'size', 0, BYTES_MAX) ?? 0;
  const alpha = alphaOf(profile);
  const headroomBytes = wholeOf(profile, 'xoff', 0, BYTES_MAX) ?? 0;
  const settings = settingsOf([profile, ...pool === undefined ? [] : [pool]], index);
  if (headroomBytes === 0) {
    const reason = lossyReason(index, `${profile.place} has no xoff`);
    return { group: { kind: 'lossy', reservedBytes, alpha }, settings, reason };
  }
  const headroom = headroomOf(profile, pool, headroomBytes, reservedBytes);
  const limitBytes = limitOf(profile, pool, alpha);
  if (limitBytes === null) {
    return {
      group: { kind: 'lossless', reservedBytes, alpha, xoffBytes: 0, xonBytes: 0, headroomBytes },
      notStated: ['pause-without-xoff'],
      settings,
      headroom,
      note: qosNote('size-missing', { place: pool?.place ?? profile.place }),
    };
  }
  const xonBytes = Math.min(wholeOf(profile, 'xon', 0, BYTES_MAX) ?? 0, limitBytes);
  return {
    group: { kind: 'lossless', reservedBytes, alpha, xoffBytes: limitBytes, xonBytes, headroomBytes },
    settings,
    headroom,
  };
}

function headroomOf(profile: SonicEntry, pool: SonicEntry | undefined, xoffBytes: number,
  sizeBytes: number): ProfileHeadroom {
  const poolXoffBytes = (pool && wholeOf(pool, 'xoff', 0, BYTES_MAX)) ?? null;
  return { place: profile.place, xoffBytes, sizeBytes, poolXoffBytes, poolPlace: pool?.place ?? 'BUFFER_POOL' };
}

function alphaOf(profile: SonicEntry): number {
  const exponent = wholeOf(profile, 'dynamic_th', DYNAMIC_TH_NONE, DYNAMIC_TH_ALL);
  if (exponent === undefined || exponent === DYNAMIC_TH_NONE) return 0;
  return exponent === DYNAMIC_TH_ALL ? Number.MAX_VALUE : 2 ** exponent;
}

/** Maximum fill level at which the pause is sent; null if the pool's size is not stated. */
function limitOf(profile: SonicEntry, pool: SonicEntry | undefined, alpha: number): number | null {
  const staticBytes = wholeOf(profile, 'static_th', 0, BYTES_MAX);
  if (staticBytes !== undefined) return staticBytes;
  const poolBytes = pool && wholeOf(pool, 'size', 0, BYTES_MAX);
  if (poolBytes === undefined) return null;
  return alpha === Number.MAX_VALUE ? poolBytes : Math.floor((poolBytes * alpha) / (1 + alpha));
}

function settingsOf(entries: readonly SonicEntry[], group: number): SonicSetting[] {
  return entries.flatMap((entry) =>
    Object.keys(entry.fields).sort().map((field) => ({
      name: `priority group ${group}: ${entry.place} ${field}`,
      value: String(entry.fields[field]),
    }))
  );
}

/** One ingress buffer, with how it was configured. */
interface ReadGroup {
  readonly group: BufferGroup;
  readonly notStated?: readonly LintRule[];
  readonly settings?: readonly SonicSetting[];
  readonly note?: QosNote;
  readonly reason?: SonicReason;
  readonly headroom?: ProfileHeadroom;
}

/** Explains why a priority group drops when it is full. */
function lossyReason(index: number, what: string): SonicReason {
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
type MissingGroup = (index: number) => ReadGroup;

/** Settings that buffermgrd makes groups from. */
interface GroupInputs {
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
function isComputed(tables: SonicTables, entry: SonicEntry): boolean {
  const name = tables.nameReferred(entry, 'profile', 'BUFFER_PROFILE');
  if (name === undefined) return false;
  if (name === 'NULL') return true;
  const profile = tables.entry('BUFFER_PROFILE', name);
  return profile === undefined ? isMadeAtRunTime(name) : textOf(profile, 'headroom_type') === 'dynamic';
}

/** Makes a lossless group with unknown thresholds. */
function computedGroup(tables: SonicTables, entry: SonicEntry, index: number): ReadGroup {
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
    notStated: ['pause-without-xoff', 'pause-without-headroom'],
    settings: [{ name: `priority group ${index}: BUFFER_PG profile`, value }],
    note,
  };
}

function absentReason(index: number, why: string) {
  return lossyReason(index, `BUFFER_PG has no entry for it, and ${why}`);
}

/**
 * Compares xoff with the headroom of the link, as `roce-cc headroom` calculates it: below the cable's round-trip data it
 * loses packets, below the limits of the standards it may lose them.
 */
export function checkLinkHeadroom({ place, xoffBytes }: ProfileHeadroom, link: PortLink): SonicFinding[] {
  const { rateBps, cable } = link;
  const { terms, totalBytes } = portHeadroom({ rateBps, linkDelayPs: cable.metres * CABLE_DELAY_PS_PER_M });
  if (xoffBytes >= totalBytes) return [];
  const cableBytes = terms.find(({ name }) => name === 'cable')?.bytes ?? 0;
  const figures = {
    place,
    xoffBytes,
    rateBps,
    cableMetres: cable.metres,
    cable: cable.text,
    neededBytes: totalBytes,
  };
  return [
    xoffBytes >= cableBytes ?
      findSonic('headroom-below-limit', figures) :
      findSonic('headroom-below-cable', { ...figures, cableBytes }),
  ];
}

/** Checks that size or a shared headroom pool (xoff of BUFFER_POOL, or over_subscribe_ratio) holds xoff. */
export function checkReserve({ place, xoffBytes, sizeBytes, poolXoffBytes, poolPlace }: ProfileHeadroom,
  isOversubscribed: boolean): SonicFinding[] {
  const isShared = isOversubscribed || (poolXoffBytes ?? 0) > 0;
  if (!isShared && sizeBytes < xoffBytes) {
    return [findSonic('headroom-not-reserved', { place, xoffBytes, sizeBytes, pool: poolPlace })];
  }
  if (poolXoffBytes === null || poolXoffBytes === 0 || poolXoffBytes >= xoffBytes) return [];
  return [findSonic('headroom-pool-too-small', { place, xoffBytes, pool: poolPlace, poolXoffBytes })];
}

/**
 * Reads the cable length of a port from CABLE_LENGTH, whose lists (`AZURE`) have a field per port; null if there is
 * none.
 * @throws RoceError `invalid-settings` if the field is not a length.
 */
export function cableLengthOf(tables: SonicTables, port: string): CableLength | null {
  const entry = tables.entries('CABLE_LENGTH').find(([, { fields }]) => Object.hasOwn(fields, port))?.[1];
  if (entry === undefined) return null;
  const text = textOf(entry, port)?.trim() ?? '';
  if (text === 'None' || text === '') return null;
  const metres = Number(LENGTH_PATTERN.exec(text)?.[1] ?? NaN);
  if (!(metres <= CABLE_MAX_M)) return rejectField(entry, port, `a length up to ${CABLE_MAX_M}m, such as 300m`);
  return metres === 0 ? null : { metres, text };
}

/** Reads the cable length from the name of a profile made by buffermgrd; null for other names. */
export function cableOfProfile(name: string): CableLength | null {
  const metres = Number(PROFILE_PATTERN.exec(name)?.[2] ?? NaN);
  return metres >= 1 && metres <= CABLE_MAX_M ? { metres, text: `${metres}m` } : null;
}

/** Whether a profile with this name is made by buffermgrd at run time. */
function isMadeAtRunTime(name: string): boolean {
  return PROFILE_PATTERN.test(name);
}

/** The name that buffermgrd gives to a port's profile. */
function profileOfPort(speedMbps: number, { text }: CableLength): string {
  return `pg_lossless_${speedMbps}_${text}_profile`;
}
