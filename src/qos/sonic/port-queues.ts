/**
 * The queues of a port: QUEUE, with its SCHEDULER and WRED_PROFILE.
 *
 * Packets are green unless a policer colours them, so the green thresholds are those of ECN. Weights share what strict queues
 * leave: percent of the sum over the queues that have one. A queue without a scheduler has weight 1 of its round (SAI,
 * saischeduler.h: the defaults are WRR and 1).
 */
import { PRIORITY_COUNT, type EcnMarking, type Scheduler, type TrafficClassQos } from '../qos-map.js';
import { rejectField, textOf, wholeOf, type SonicEntry, type SonicTables } from './tables.js';
import type { SonicSetting } from './sonic-config.js';

/** The queues of a port. */
export interface PortQueues {
  readonly trafficClasses: readonly TrafficClassQos[];
  readonly settings: readonly SonicSetting[];
  readonly notes: readonly string[];
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
  readonly settings: readonly SonicSetting[];
}

/** Reads the first eight queues of a port; the others are for multicast, and carry no RoCE. */
export function readPortQueues(tables: SonicTables, entries: ReadonlyMap<number, SonicEntry> | undefined): PortQueues {
  const notes: string[] = [];
  const queues = Array.from({ length: PRIORITY_COUNT },
    (_, index) => readQueue(tables, entries?.get(index), index, notes));
  const sum = queues.reduce((total, { isStrict, weight }) => total + (isStrict ? 0 : weight), 0);
  const others = [...entries?.keys() ?? []].filter((index) => index >= PRIORITY_COUNT);
  if (others.length > 0) notes.push(`QUEUE also has ${others.length} queues from 8 on, which are left out.`);
  return {
    trafficClasses: queues.map(({ isStrict, weight, ecn }) => ({ scheduler: schedulerOf(isStrict, weight, sum), ecn })),
    settings: queues.flatMap(({ settings }) => settings),
    notes,
  };
}

function schedulerOf(isStrict: boolean, weight: number, sum: number): Scheduler {
  return isStrict ? { kind: 'strict' } : { kind: 'ets', weightPercent: (weight * PERCENT) / sum };
}

function readQueue(tables: SonicTables, entry: SonicEntry | undefined, index: number, notes: string[]): ReadQueue {
  if (entry === undefined) return { isStrict: false, weight: 1, ecn: null, settings: [] };
  const scheduler = tables.referred(entry, 'scheduler', 'SCHEDULER');
  const profile = tables.referred(entry, 'wred_profile', 'WRED_PROFILE');
  const type = scheduler === undefined ? 'WRR' : schedulerType(scheduler);
  return {
    isStrict: type === 'STRICT',
    weight: (scheduler && wholeOf(scheduler, 'weight', 1, PERCENT)) ?? 1,
    ecn: profile === undefined ? null : readEcn(profile, notes),
    settings: [...settingsOf(scheduler, index), ...settingsOf(profile, index)],
  };
}

function schedulerType(scheduler: SonicEntry): string {
  const type = textOf(scheduler, 'type') ?? 'WRR';
  return ['STRICT', 'DWRR', 'WRR'].includes(type) ? type : rejectField(scheduler, 'type', ['STRICT', 'DWRR', 'WRR']);
}

function readEcn(profile: SonicEntry, notes: string[]): EcnMarking | null {
  const mode = textOf(profile, 'ecn') ?? 'ecn_none';
  if (!ECN_MODES.includes(mode)) rejectField(profile, 'ecn', ECN_MODES);
  if (!MARKS_GREEN.has(mode)) {
    notes.push(`${profile.place} has ecn ${mode}: green packets are dropped, not marked.`);
    return null;
  }
  const minBytes = wholeOf(profile, 'green_min_threshold', 0, Number.MAX_SAFE_INTEGER);
  const maxBytes = wholeOf(profile, 'green_max_threshold', 0, Number.MAX_SAFE_INTEGER);
  if (minBytes === undefined || maxBytes === undefined) {
    const field = minBytes === undefined ? 'green_min_threshold' : 'green_max_threshold';
    return rejectField(profile, field, 'a number of bytes, as ecn is on');
  }
  // orchagent uses 100 for a missing field.
  const percent = wholeOf(profile, 'green_drop_probability', 0, PERCENT) ?? PERCENT;
  return { minBytes, maxBytes, probability: percent / PERCENT };
}

function settingsOf(entry: SonicEntry | undefined, queue: number): SonicSetting[] {
  if (entry === undefined) return [];
  return Object.keys(entry.fields).sort().map((field) => ({
    name: `queue ${queue}: ${entry.place} ${field}`,
    value: String(entry.fields[field]),
  }));
}
