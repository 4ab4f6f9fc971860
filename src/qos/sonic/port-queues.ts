/**
 * The queues of a port: QUEUE, with its SCHEDULER and WRED_PROFILE.
 *
 * Packets are green unless a policer colours them, so ECN uses the green thresholds, and only with `wred_green_enable`
 * (SAI, saiwred.h: false by default). `ecn_green_min_threshold` and similar fields take precedence over the drop
 * thresholds (sonic-wred-profile.yang). Non-strict queues share what strict queues leave, by their weight in percent of
 * the sum. A queue without a scheduler has weight 1 (SAI, saischeduler.h: the defaults are WRR and 1).
 */
import { qosNote, type QosNote } from '../notes.js';
import { PRIORITY_COUNT, type EcnMarking, type Scheduler, type TrafficClassQos } from '../qos-map.js';
import type { SonicReason, SonicSetting } from './sonic-config.js';
import { flagOf, rejectField, textOf, wholeOf, type SonicEntry, type SonicTables } from './tables.js';

/** The queues of a port. */
export interface PortQueues {
  readonly trafficClasses: readonly TrafficClassQos[];
  readonly settings: readonly SonicSetting[];
  readonly notes: readonly QosNote[];
  /** Why queues do not mark. */
  readonly reasons: readonly SonicReason[];
}

const ECN_MODES = [
  'ecn_none',
  'ecn_green',
  'ecn_yellow',
  'ecn_red',
  'ecn_green_yellow',
  'ecn_green_red',
  'ecn_yellow_red',
  'ecn_all',
];
const MARKS_GREEN = new Set(['ecn_green', 'ecn_green_yellow', 'ecn_green_red', 'ecn_all']);
const PERCENT = 100;

interface ReadQueue {
  readonly isStrict: boolean;
  readonly weight: number;
  readonly ecn: EcnMarking | null;
  /** Why it does not mark; null if it does. */
  readonly reason: SonicReason | null;
  readonly settings: readonly SonicSetting[];
}

/** Reads the first eight queues of a port; the others are for multicast and carry no RoCE. */
export function readPortQueues(tables: SonicTables, entries: ReadonlyMap<number, SonicEntry> | undefined): PortQueues {
  const queues = Array.from({ length: PRIORITY_COUNT }, (_, index) => readQueue(tables, entries?.get(index), index));
  const sum = queues.reduce((total, { isStrict, weight }) => total + (isStrict ? 0 : weight), 0);
  const others = [...entries?.keys() ?? []].filter((index) => index >= PRIORITY_COUNT);
  return {
    trafficClasses: queues.map(({ isStrict, weight, ecn }) => ({ scheduler: schedulerOf(isStrict, weight, sum), ecn })),
    settings: queues.flatMap(({ settings }) => settings),
    notes: others.length === 0 ?
      [] :
      [qosNote('further-queues-left-out', { queues: others.length, from: PRIORITY_COUNT })],
    reasons: queues.flatMap(({ reason }) => reason ?? []),
  };
}

function schedulerOf(isStrict: boolean, weight: number, sum: number): Scheduler {
  return isStrict ? { kind: 'strict' } : { kind: 'ets', weightPercent: (weight * PERCENT) / sum };
}

function readQueue(tables: SonicTables, entry: SonicEntry | undefined, index: number): ReadQueue {
  if (entry === undefined) {
    const reason = explainEcnOff(index, 'QUEUE has no entry', `no entry of QUEUE for queue ${index}`);
    return { isStrict: false, weight: 1, ecn: null, reason, settings: [] };
  }
  const scheduler = tables.referred(entry, 'scheduler', 'SCHEDULER');
  const profile = tables.referred(entry, 'wred_profile', 'WRED_PROFILE');
  const type = scheduler === undefined ? 'WRR' : schedulerType(scheduler);
  const reason = reasonOf(profile, index, tables);
  return {
    isStrict: type === 'STRICT',
    weight: (scheduler && wholeOf(scheduler, 'weight', 1, PERCENT)) ?? 1,
    ecn: profile === undefined || reason !== null ? null : readEcn(profile),
    reason,
    settings: [...settingsOf(scheduler, index), ...settingsOf(profile, index)],
  };
}

function schedulerType(scheduler: SonicEntry): string {
  const type = textOf(scheduler, 'type') ?? 'WRR';
  return ['STRICT', 'DWRR', 'WRR'].includes(type) ? type : rejectField(scheduler, 'type', ['STRICT', 'DWRR', 'WRR']);
}

/** Why a queue does not mark; null if it does. */
function reasonOf(profile: SonicEntry | undefined, index: number, tables: SonicTables): SonicReason | null {
  if (profile === undefined) {
    const others = tables.entries('WRED_PROFILE').map(([key]) => key);
    const hint = others.length === 0 ? '' : ` (WRED_PROFILE has ${others.slice(0, 3).join(', ')})`;
    return explainEcnOff(index, `QUEUE has no wred_profile${hint}`, 'no wred_profile');
  }
  const mode = textOf(profile, 'ecn') ?? 'ecn_none';
  if (!ECN_MODES.includes(mode)) rejectField(profile, 'ecn', ECN_MODES);
  if (!MARKS_GREEN.has(mode)) {
    const effect = mode === 'ecn_none' ?
      'marks no packets' :
      'marks no green packets, and only a policer colours packets';
    return explainEcnOff(index, `ecn of ${profile.place} is ${mode}, which ${effect}`, `ecn ${mode}`);
  }
  const isOn = flagOf(profile, 'wred_green_enable');
  if (isOn === true) return null;
  const value = isOn === undefined ? 'missing, which means false' : 'false';
  return {
    ...explainEcnOff(index, `ECN has no effect on green packets: wred_green_enable of ${profile.place} is ${value}`,
      `wred_green_enable ${isOn === undefined ? 'missing' : 'false'}`),
    expected: 'wred_green_enable true',
    source: 'sonic-buildimage #4545; SAI, saiwred.h',
  };
}

function explainEcnOff(index: number, what: string, got: string): SonicReason {
  return {
    rule: 'ecn-off',
    index,
    message: `queue ${index} never marks: ${what}`,
    got,
    expected: 'a WRED_PROFILE with ecn ecn_all and wred_green_enable true',
    source: 'sonic-buildimage, sonic-wred-profile.yang',
  };
}

function readEcn(profile: SonicEntry): EcnMarking {
  const minBytes = thresholdOf(profile, 'min_threshold');
  const maxBytes = thresholdOf(profile, 'max_threshold');
  // orchagent uses 100 if the field is missing.
  const percent = wholeOf(profile, 'ecn_green_mark_probability', 0, PERCENT) ??
    wholeOf(profile, 'green_drop_probability', 0, PERCENT) ?? PERCENT;
  return { minBytes, maxBytes, probability: percent / PERCENT };
}

function thresholdOf(profile: SonicEntry, name: 'min_threshold' | 'max_threshold'): number {
  const field = `green_${name}`;
  return wholeOf(profile, `ecn_${field}`, 0, Number.MAX_SAFE_INTEGER) ??
    wholeOf(profile, field, 0, Number.MAX_SAFE_INTEGER) ??
    rejectField(profile, field, 'a number of bytes, as ecn is on');
}

function settingsOf(entry: SonicEntry | undefined, queue: number): SonicSetting[] {
  if (entry === undefined) return [];
  return Object.keys(entry.fields).sort().map((field) => ({
    name: `queue ${queue}: ${entry.place} ${field}`,
    value: String(entry.fields[field]),
  }));
}
