/** When senders first learn of congestion, by what tells them: packets as they leave the last switch before the sender. */
import type { PacketRecord } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { ScenarioSpec, SwitchSpec } from '../../src/sim/scenario/spec.js';
import { PS_PER_US } from '../../src/units.js';
import { STACKS, type StackKey } from './cases.js';

const SENDERS = 8;
const SIZE_BYTES = 1_000_000;
/** 4 km of fibre behind the congested port. */
const FAR_NS = 20_000;
const NEAR_NS = 500;

/** All senders share one port of `s0`, the first switch of a dumbbell; the receivers are far or near. */
export const DISTANCES = { near: NEAR_NS, far: FAR_NS } as const;
export type Distance = keyof typeof DISTANCES;

interface Mechanism {
  readonly name: string;
  readonly stack: StackKey;
  readonly switches: SwitchSpec;
  readonly tells: (record: PacketRecord) => boolean;
}

export const MECHANISMS = {
  cnp: { name: 'CNP of the receiver', stack: 'goBackN', switches: {}, tells: ({ kind }) => kind === 'cnp' },
  fastCnp: {
    name: 'Fast CNP of the switch',
    stack: 'goBackN',
    switches: { fastCnp: true },
    tells: ({ kind }) => kind === 'fast-cnp',
  },
  mark: { name: 'ECN echo in a SACK', stack: 'mrc', switches: {}, tells: ({ mrc }) => mrc?.echo === true },
  nack: { name: 'NACK of a trimmed packet', stack: 'mrc', switches: {}, tells: ({ kind }) => kind === 'nack' },
} as const satisfies Record<string, Mechanism>;
export type MechanismKey = keyof typeof MECHANISMS;
export const MECHANISM_KEYS = Object.keys(MECHANISMS) as readonly MechanismKey[];

function scenarioOf(distance: Distance, { stack, switches }: Mechanism): ScenarioSpec {
  const { preset, hosts, switches: own } = STACKS[stack];
  return {
    name: `first notification, ${distance}`,
    topology: {
      kind: 'dumbbell',
      left: SENDERS,
      right: SENDERS,
      rateGbps: 400,
      delayNs: NEAR_NS,
      bottleneck: { rateGbps: 400, delayNs: DISTANCES[distance] },
    },
    workload: {
      kind: 'flows',
      flows: Array.from({ length: SENDERS },
        (_, at) => ({ from: `h${at}`, to: `h${SENDERS + at}`, sizeBytes: SIZE_BYTES })),
    },
    algorithms: { only: { preset } },
    hosts,
    switches: { ...own, ...switches },
    record: { flows: 0, ports: [], capture: Array.from({ length: SENDERS }, (_, at) => `s0:h${at}`) },
  };
}

/** Microseconds until the first sender is notified, and until half of them are; Infinity: never. */
export function notifiedUs(distance: Distance, key: MechanismKey): { readonly first: number; readonly half: number } {
  const mechanism: Mechanism = MECHANISMS[key];
  const first = new Map<number, number>();
  runScenarioSync(scenarioOf(distance, mechanism), {
    onPackets: (records) => {
      for (const record of records)
        if (mechanism.tells(record) && !first.has(record.flow)) first.set(record.flow, record.timePs / PS_PER_US);
    },
  });
  const times = [...first.values()].sort((a, b) => a - b);
  return { first: times[0] ?? Infinity, half: times[SENDERS / 2 - 1] ?? Infinity };
}
