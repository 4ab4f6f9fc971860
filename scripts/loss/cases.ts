/** One small network with little memory, under the four configurations of "RoCE Network Proposal" (slides 7 to 10) and three transports. */
import type { AlgorithmSpec, FaultSpec, HostSpec, NetworkProfileName, ScenarioSpec, Transport,
  WorkloadSpec } from '../../src/sim/scenario/spec.js';

/** A transport, with or without a window of one BDP for congestion control. */
export interface Way {
  readonly name: string;
  readonly transport: Transport;
  readonly window: 'none' | 'fixed';
}

export const WAYS: readonly Way[] = [
  { name: 'go-back-n', transport: 'go-back-n', window: 'none' },
  { name: 'selective-repeat', transport: 'selective-repeat', window: 'none' },
  { name: 'selective-repeat, window of a BDP', transport: 'selective-repeat', window: 'fixed' },
  { name: 'irn', transport: 'irn', window: 'none' },
];

/** Settings of switches and hosts. */
export interface Configuration {
  readonly name: string;
  readonly network: NetworkProfileName;
  /** Options other than the transport. */
  readonly hosts?: HostSpec;
}

const HOSTS_PER_LEAF = 4;
const LEAVES = 4;
const SPINES = 2;
/** Two BDPs of the longest path, 0.11 MB, for each port: as the IRN paper has it (section 4.1). */
const BUFFER_BYTES = 220_000 * (HOSTS_PER_LEAF + SPINES);

export const LOSSLESS: Configuration = { name: 'lossless', network: 'lossless' };
const SEMI_LOSSLESS: Configuration = { name: 'semi-lossless', network: 'semi-lossless' };
export const LOSSY_1: Configuration = { name: 'lossy-1', network: 'lossy-1' };
const LOSSY_2: Configuration = { name: 'lossy-2', network: 'lossy-2' };
/** Where no receiver is slow, the two in the middle are the same. */
const SEMI_LOSSLESS_AND_LOSSY_1: Configuration = { ...LOSSY_1, name: 'semi-lossless, lossy-1' };

/** Traffic, hosts that take it in slowly, and the configurations that differ under it. */
export interface Load {
  readonly workload: WorkloadSpec;
  readonly faults?: readonly FaultSpec[];
  readonly configurations: readonly Configuration[];
}

const WITHOUT_SLOW_RECEIVERS = [LOSSLESS, SEMI_LOSSLESS_AND_LOSSY_1, LOSSY_2];

/** By their names in the tables. */
export const LOADS: Readonly<Record<string, Load>> = {
  'load 0.5': {
    workload: { kind: 'poisson', load: 0.5, sizes: 'WebSearch', flows: 150 },
    configurations: WITHOUT_SLOW_RECEIVERS,
  },
  'load 0.8': {
    workload: { kind: 'poisson', load: 0.8, sizes: 'WebSearch', flows: 150 },
    configurations: WITHOUT_SLOW_RECEIVERS,
  },
  'incast 15 to 1': {
    workload: { kind: 'incast', senders: LEAVES * HOSTS_PER_LEAF - 1, sizeBytes: 1_000_000 },
    configurations: WITHOUT_SLOW_RECEIVERS,
  },
  'slow receivers': {
    workload: { kind: 'poisson', load: 0.5, sizes: 'WebSearch', flows: 150 },
    faults: [0, HOSTS_PER_LEAF, 2 * HOSTS_PER_LEAF, 3 * HOSTS_PER_LEAF].map((host): FaultSpec => ({
      kind: 'slow-receiver',
      host: `h${host}`,
      rateGbps: 50,
    })),
    configurations: [LOSSLESS, SEMI_LOSSLESS, LOSSY_1, LOSSY_2],
  },
};

/** The cases to run. */
export interface LossCase extends Configuration {
  readonly way: Way;
  readonly load: Load;
  readonly algorithm: AlgorithmSpec;
}

/** Flows that are not done by then count as unfinished. */
const DURATION_US = 100_000;

export const DCQCN: AlgorithmSpec = { preset: 'dcqcn-sigcomm15' };
export const NO_CONTROL: AlgorithmSpec = { preset: 'none' };

/** The case of a row; a configuration may be named by one of its names. */
export function caseOf(load: string, configuration: string, way: string): LossCase {
  const traffic = LOADS[load];
  const settings = traffic?.configurations.find(({ name }) =>
    name === configuration || name.split(', ').includes(configuration)
  );
  const of = WAYS.find(({ name }) => name === way);
  if (traffic === undefined || settings === undefined || of === undefined) {
    throw new Error(`no row of ${load}, ${configuration}, ${way}`);
  }
  return { ...settings, way: of, load: traffic, algorithm: DCQCN };
}

export function scenarioOf(
  { name, network, hosts, way: { transport, window }, load: { workload, faults }, algorithm }: LossCase,
): ScenarioSpec {
  return {
    name,
    topology: {
      kind: 'leaf-spine',
      leaves: LEAVES,
      spines: SPINES,
      hostsPerLeaf: HOSTS_PER_LEAF,
      uplink: { rateGbps: 200 },
    },
    workload,
    durationUs: DURATION_US,
    algorithms: { studied: { ...algorithm, window } },
    network,
    switches: { bufferBytes: BUFFER_BYTES },
    hosts: { transport, ...hosts },
    ...(faults === undefined ? {} : { faults }),
    record: { flows: 0, ports: [] },
  };
}
