/** Detours on Fast CNPs: networks, all with the hash, and reactions of senders. */
import type { HostSpec, ScenarioSpec, SwitchSpec } from '../../src/sim/scenario/spec.js';
import { shipped } from '../sweep.js';

/** Notification of senders, and its effect. */
export interface Reaction {
  readonly name: string;
  readonly switches: SwitchSpec;
  readonly hosts: HostSpec;
}

const FAST_CNP: SwitchSpec = { fastCnp: { enabled: true } };

export const REACTIONS: readonly Reaction[] = [
  { name: 'CNP', switches: {}, hosts: {} },
  { name: 'Fast CNP', switches: FAST_CNP, hosts: {} },
  { name: 'Fast CNP, detour', switches: FAST_CNP, hosts: { onFastCnp: 'slow-down-and-detour' } },
];

/** A network, and the seeds to run it with. */
export interface DetourCase {
  readonly name: string;
  readonly spec: ScenarioSpec;
  readonly seeds: readonly number[];
}

const DETOUR_SEEDS = [1, 2, 3, 4, 5] as const;
const INCAST_SENDERS = 8;

export function detourCases(): readonly DetourCase[] {
  const { name, topology, workload } = shipped('two-elephants-detour');
  const leafSpine = shipped('leaf-spine-permutation');
  return [
    { name: 'two elephants on one uplink', spec: { name, topology, workload }, seeds: [1] },
    { name: 'permutation, leaf-spine', spec: leafSpine, seeds: DETOUR_SEEDS },
    {
      name: `${INCAST_SENDERS}-to-1 incast, leaf-spine`,
      spec: { ...leafSpine, workload: { kind: 'incast', senders: INCAST_SENDERS, sizeBytes: 2_000_000 } },
      seeds: [1],
    },
  ];
}
