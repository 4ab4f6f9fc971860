/** Cases of the study of many paths: networks, balancers, transports. */
import { readFileSync } from 'node:fs';
import type { HostSpec, LoadBalancing, ScenarioSpec, SwitchSpec } from '../../src/sim/scenario/spec.js';

/** A shipped scenario, examples/scenarios. */
export interface Network {
  readonly file: string;
  readonly title: string;
  readonly balancers: readonly Balancer[];
}

/** A setting of switches. */
export interface Balancer {
  readonly name: string;
  readonly switches: SwitchSpec & { readonly loadBalancing: LoadBalancing };
}

const balancer = (loadBalancing: LoadBalancing): Balancer => ({ name: loadBalancing, switches: { loadBalancing } });

/** Two packets at line rate: the gaps of a flow that congestion control has slowed down are longer. */
const SHORT_GAP_US = 0.2;

const shortGap = (loadBalancing: LoadBalancing): Balancer => ({
  name: `${loadBalancing}, gap ${SHORT_GAP_US} µs`,
  switches: { loadBalancing, flowletGapUs: SHORT_GAP_US },
});

const ANYWHERE: readonly Balancer[] = [
  balancer('ecmp'),
  balancer('flowlet'),
  shortGap('flowlet'),
  ...(['random', 'round-robin', 'drill', 'least-queue'] as const).map(balancer),
];

export const NETWORKS: readonly Network[] = [
  {
    file: 'leaf-spine-permutation',
    title: 'Leaf-spine, 16 hosts, 4 spines',
    balancers: [...ANYWHERE, balancer('conga'), shortGap('conga')],
  },
  { file: 'fat-tree-k4-permutation', title: 'Fat-tree, k = 4, 16 hosts', balancers: ANYWHERE },
];

/** A setting of hosts. */
export interface Transport {
  readonly name: string;
  readonly hosts: HostSpec;
}

/** More than a flow has. */
const WIDE_WINDOW_PACKETS = 4096;

/** The list of transports, in this place only. */
export const TRANSPORTS: readonly Transport[] = [
  { name: 'go-back-n', hosts: { transport: 'go-back-n' } },
  { name: 'selective-repeat', hosts: { transport: 'selective-repeat' } },
  {
    name: `selective-repeat, window ${WIDE_WINDOW_PACKETS}`,
    hosts: { transport: 'selective-repeat', reorderingWindowPackets: WIDE_WINDOW_PACKETS },
  },
  { name: 'irn', hosts: { transport: 'irn' } },
  { name: 'tolerant', hosts: { transport: 'tolerant' } },
];

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

/** Networks of the detours, all with the hash. */
export interface DetourCase {
  readonly name: string;
  readonly spec: ScenarioSpec;
  readonly seeds: readonly number[];
}

const DETOUR_SEEDS = [1, 2, 3, 4, 5] as const;
const INCAST_SENDERS = 8;

/** A shipped scenario. */
export function shipped(file: string): ScenarioSpec {
  const url = new URL(`../../examples/scenarios/${file}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as ScenarioSpec;
}

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
