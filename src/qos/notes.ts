/**
 * The sentence of each note on the QoS settings of a switch or an adapter, by code; the parameter type of each declares
 * its figures. Notes are created as data, and only this file words them.
 *
 * `place` is a table and key of config_db.json: `BUFFER_PROFILE|pg_lossless_100000_5m_profile`.
 */
import { noteMaker, type NoteOf } from '../note-record.js';

interface Placed {
  readonly place: string;
}

interface OfGroup {
  /** Number of a priority group. */
  readonly group: number;
  /** Name of the group's buffer profile. */
  readonly profile: string;
}

/** Settings missing at a port that are needed to compare its headroom. */
const LACKING_OF_PORT = { speed: 'PORT has no speed', length: 'CABLE_LENGTH has no length' } as const;

const LACKING_OF_OUTPUT = {
  'trust': 'the trust state',
  'dscp-map': 'dscp2prio',
  'pfc': 'PFC',
  'buffer-map': 'prio2buffer',
  'traffic-classes': 'the traffic class of each priority',
} as const;

const SONIC = {
  'table-missing': ({ table }: { readonly table: string }) => `config_db.json has no ${table}.`,
  'queues-of-other-asics': ({ table, others, read }: {
    readonly table: string;
    /** Hosts and ASICs, such as `lc3|asic0`. */
    readonly others: readonly string[];
    readonly read: readonly string[];
  }) => `${table} also has the queues of ${others.length} other ASICs (${others[0]}): only ${read.join(', ')} is read.`,
  'further-queues-left-out': ({ queues, from }: { readonly queues: number; readonly from: number }) =>
    `QUEUE also has ${queues} queues from ${from} on, which are left out.`,
  'dscp-before-pcp': () =>
    'Both dscp_to_tc_map and dot1p_to_tc_map are given: packets with an IP header are classified by their DSCP.',
  'map-incomplete': ({ place, missing }: Placed & { readonly missing: readonly number[] }) =>
    `${place} does not have ${showRuns(missing)}: taken as 0.`,
  'no-map-to-traffic-classes': () =>
    'PORT_QOS_MAP has neither dscp_to_tc_map nor dot1p_to_tc_map: all packets are in traffic class 0.',
  'no-map-to-priority-groups': () => 'PORT_QOS_MAP has no tc_to_pg_map: all traffic classes are in priority group 0.',
  'no-map-to-queues': () => 'PORT_QOS_MAP has no tc_to_queue_map: all traffic classes leave by queue 0.',
  'group-made-at-run-time': ({ group, profile }: OfGroup) =>
    `BUFFER_PG has no entry for priority group ${group}: buffermgrd makes it from PORT speed, CABLE_LENGTH and pfc_enable, ` +
    `as ${profile} of pg_profile_lookup.ini. Its thresholds are not known, and not checked.`,
  'profile-made-at-run-time': ({ profile }: { readonly profile: string }) =>
    `BUFFER_PROFILE has no ${profile}: buffermgrd makes it from pg_profile_lookup.ini. ` +
    'Its thresholds are not known, and not checked.',
  'group-computed-at-run-time': ({ group, profile }: OfGroup) =>
    `Buffers of priority group ${group} (profile ${profile}) are computed by the switch when it runs: ` +
    'their thresholds are not known, and not checked.',
  'size-missing': ({ place }: Placed) => `${place} has no size: where a pause is sent is not known, and not checked.`,
  'headroom-not-compared': ({ lacking, place }: Placed & { readonly lacking: keyof typeof LACKING_OF_PORT }) =>
    `${LACKING_OF_PORT[lacking]} of the port: xoff of ${place} is not compared with a headroom.`,
  'cable-of-profile': ({ cable, place }: Placed & {
    /** Cable length as in the profile's name: `300m`. */
    readonly cable: string;
  }) => `CABLE_LENGTH has no length of the port: ${cable}, as ${place} is named.`,
};

const MLNX_QOS = {
  'xoff-by-cable': () => 'mlnx_qos shows neither xoff nor headroom: the driver sets them by the length of the cable.',
  'output-incomplete': ({ lacking }: { readonly lacking: readonly OutputPart[] }) =>
    `The output does not have ${lacking.map((part) => LACKING_OF_OUTPUT[part]).join(', ')}: not checked.`,
};

const SENTENCES = { ...SONIC, ...MLNX_QOS };

/** A part of the output of mlnx_qos. */
export type OutputPart = keyof typeof LACKING_OF_OUTPUT;

/** A note on imported QoS settings: an assumption or an omission. */
export type QosNote = NoteOf<typeof SENTENCES>;

export const qosNote = noteMaker(SENTENCES);

/** Formats ascending numbers as runs: `0-7, 26`. */
export function showRuns(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}
