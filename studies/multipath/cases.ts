/** Cases of the study of transports over many paths: networks, transports with their congestion control, workloads, faults. */
import type { FaultSpec, HostSpec, ScenarioSpec, SwitchSpec, TopologySpec,
  WorkloadSpec } from '../../src/sim/scenario/spec.js';
import { withSlowLink } from '../paths/slow-link.js';

const MTU_BYTES = 4096;
const NIC_GBPS = 400;
const PLANES = 4;
const DELAY_NS = 500;

/** A transport with its congestion control, and what its switches do. */
export interface Stack {
  readonly name: string;
  readonly preset: string;
  readonly hosts: HostSpec;
  readonly switches: SwitchSpec;
}

/** More than the packets of any flow that adaptive routing puts out of order here. */
const RC_WINDOW_PACKETS = 1024;
/** Local ACK timeout 1.024 µs x 2^6, and a SACK for each packet (docs/reference/sources.md, O9). */
const MRC_HOSTS: HostSpec = {
  mtuBytes: MTU_BYTES,
  transport: 'mrc',
  retransmitTimeoutUs: 65.536,
  mrc: { sackBytes: MTU_BYTES },
};
const LOSSY: SwitchSpec = { pfc: false, trimming: true };

export const STACKS = {
  goBackN: {
    name: 'RC go-back-N, ECMP, DCQCN',
    preset: 'dcqcn-connectx',
    hosts: { mtuBytes: MTU_BYTES, transport: 'go-back-n' },
    switches: { pfc: true, loadBalancing: 'ecmp' },
  },
  selectiveRepeat: {
    name: 'RC selective repeat, adaptive routing, DCQCN',
    preset: 'dcqcn-connectx',
    hosts: { mtuBytes: MTU_BYTES, transport: 'selective-repeat', reorderingWindowPackets: RC_WINDOW_PACKETS },
    switches: { pfc: true, loadBalancing: 'adaptive' },
  },
  mrc: {
    name: 'MRC, NSCC',
    preset: 'nscc-mrc',
    hosts: { ...MRC_HOSTS, pathSelection: 'bitmap' },
    switches: LOSSY,
  },
  uet: {
    name: 'UET (`standard`), NSCC',
    preset: 'nscc-uet',
    hosts: { ...MRC_HOSTS, pathSelection: 'reps' },
    switches: LOSSY,
  },
} as const satisfies Record<string, Stack>;

export type StackKey = keyof typeof STACKS;
export const STACK_KEYS = Object.keys(STACKS) as readonly StackKey[];

/** The same capacity for each host: one port of 400 Gb/s, or four of 100 Gb/s into four planes. */
export interface NetworkCase {
  readonly name: string;
  readonly topology: (side: number) => TopologySpec & { readonly kind: 'leaf-spine' };
  /** An uplink of the first leaf. */
  readonly link: readonly [string, string];
}

const square = (side: number) => ({
  kind: 'leaf-spine' as const,
  leaves: side,
  spines: side,
  hostsPerLeaf: side,
  delayNs: DELAY_NS,
});

export const ONE_PLANE: NetworkCase = {
  name: '1 x 400 Gb/s',
  topology: (side) => ({ ...square(side), rateGbps: NIC_GBPS }),
  link: ['leaf0', 'spine0'],
};
export const FOUR_PLANES: NetworkCase = {
  name: '4 x 100 Gb/s',
  topology: (side) => ({ ...square(side), rateGbps: NIC_GBPS / PLANES, planes: PLANES }),
  link: ['p0.leaf0', 'p0.spine0'],
};
export const NETWORKS: readonly NetworkCase[] = [ONE_PLANE, FOUR_PLANES];

/** Leaves, spines, and hosts per leaf. */
export const LARGE_SIDE = 32;
export const SMALL_SIDE = 8;

/** A workload of a square network. */
export interface WorkloadCase {
  readonly name: string;
  readonly workload: (side: number) => WorkloadSpec | readonly WorkloadSpec[];
}

const PERMUTATION_BYTES = 1_000_000;
const INCAST_BYTES = 250_000;
const PAIR_BYTES = 16_384;
const ALL_TO_ALL_RANKS = 64;
const RING_RANKS = 8;
const RING_BYTES = 1_000_000;

/** Every n-th host, so that each leaf has as many. */
const spread = (ranks: number, side: number): string[] =>
  Array.from({ length: ranks }, (_, rank) => `h${Math.floor((rank * side * side) / ranks)}`);

/** A ring has a host of each of eight leaves. */
function rings(side: number): WorkloadSpec[] {
  return Array.from({ length: (side * side) / RING_RANKS }, (_, ring) => {
    const [column, block] = [ring % side, Math.floor(ring / side)];
    const hosts = Array.from({ length: RING_RANKS }, (__, rank) => `h${(block * RING_RANKS + rank) * side + column}`);
    return {
      kind: 'collective',
      collective: 'all-reduce',
      by: 'ring',
      name: `ring${ring}`,
      sizeBytes: RING_BYTES,
      hosts,
    };
  });
}

export const WORKLOADS = {
  permutation: { name: 'permutation', workload: () => ({ kind: 'permutation', sizeBytes: PERMUTATION_BYTES }) },
  incast: {
    name: 'incast, 48 to 1',
    workload: (side) => ({ kind: 'incast', senders: 48, to: `h${side * side - 1}`, sizeBytes: INCAST_BYTES }),
  },
  allToAll: {
    name: 'all-to-all, 64 ranks',
    workload: (side) => ({
      kind: 'collective',
      collective: 'all-to-all',
      by: 'direct',
      name: 'exchange',
      sizeBytes: ALL_TO_ALL_RANKS * PAIR_BYTES,
      hosts: spread(ALL_TO_ALL_RANKS, side),
    }),
  },
  training: { name: 'training, rings of 8', workload: rings },
} as const satisfies Record<string, WorkloadCase>;

/** Those that last long enough for notifications to matter. */
export const LONG_WORKLOADS: readonly WorkloadCase[] = [
  { name: 'permutation, 8 MB', workload: () => ({ kind: 'permutation', sizeBytes: 8_000_000 }) },
  {
    name: 'incast, 48 to 1, 2 MB',
    workload: (side) => ({ kind: 'incast', senders: 48, to: `h${side * side - 1}`, sizeBytes: 2_000_000 }),
  },
];

export type WorkloadKey = keyof typeof WORKLOADS;
export const WORKLOAD_KEYS = Object.keys(WORKLOADS) as readonly WorkloadKey[];

/** A fault; undefined where a network has no such part. */
export interface ConditionCase {
  readonly name: string;
  readonly change: (spec: ScenarioSpec, network: NetworkCase) => ScenarioSpec | undefined;
}

const TENTH = 0.1;
/** While all flows are on their way, and until after the run. */
const WHEN = { fromUs: 10, toUs: 1_000_000 };
const withFault = (spec: ScenarioSpec, fault: FaultSpec): ScenarioSpec => ({ ...spec, faults: [fault] });

export const CONDITIONS = {
  healthy: { name: 'healthy', change: (spec) => spec },
  slowLink: {
    name: 'one link at a tenth of its rate',
    change: (spec, network) =>
      network === ONE_PLANE ?
        { ...spec, topology: withSlowLink(spec.topology, ONE_PLANE.link, TENTH) } :
        undefined,
  },
  failedLink: {
    name: 'one link fails at 10 µs',
    change: (spec, network) => withFault(spec, { kind: 'link-down', between: network.link, ...WHEN }),
  },
  failedPlane: {
    name: 'a plane fails at 10 µs',
    change: (spec, network) =>
      network === FOUR_PLANES ? withFault(spec, { kind: 'plane-down', plane: 0, ...WHEN }) : undefined,
  },
} as const satisfies Record<string, ConditionCase>;

export type ConditionKey = keyof typeof CONDITIONS;
export const CONDITION_KEYS = Object.keys(CONDITIONS) as readonly ConditionKey[];

/** Longer than any run without a livelock. */
const DURATION_US = 100_000;

/** The scenario of a row. @returns undefined where the network has no such part. */
export function scenarioOf(network: NetworkCase, stack: StackKey, workload: WorkloadKey, condition: ConditionKey,
  side: number): ScenarioSpec | undefined {
  const { preset, hosts, switches, name } = STACKS[stack];
  const spec: ScenarioSpec = {
    name: `${name}, ${WORKLOADS[workload].name}, ${network.name}, ${CONDITIONS[condition].name}`,
    topology: network.topology(side),
    workload: WORKLOADS[workload].workload(side),
    algorithms: { only: { preset } },
    hosts,
    switches,
    durationUs: DURATION_US,
    record: { flows: 0, ports: [] },
  };
  return CONDITIONS[condition].change(spec, network);
}
