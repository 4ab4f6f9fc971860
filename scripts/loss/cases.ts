/** One small network with little memory, under the four configurations of "RoCE Network Proposal" (slides 7 to 10) and three transports. */
import type { AlgorithmSpec, HostSpec, ScenarioSpec, SwitchSpec, Transport,
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

/** What switches and hosts are set to. */
export interface Configuration {
  readonly name: string;
  readonly switches: SwitchSpec;
  readonly hosts: HostSpec;
}

const HOSTS_PER_LEAF = 4;
const LEAVES = 4;
const SPINES = 2;
/** Two BDPs of the longest path, 0.11 MB, for each port: as the IRN paper has it (section 4.1). */
const BUFFER_BYTES = 220_000 * (HOSTS_PER_LEAF + SPINES);
const LOSSY: SwitchSpec = { pfc: false, bufferBytes: BUFFER_BYTES, headroomBytes: 0 };

export const LOSSLESS: Configuration = { name: 'lossless', switches: { bufferBytes: BUFFER_BYTES }, hosts: {} };
export const LOSSY_1: Configuration = { name: 'semi-lossless, lossy-1', switches: LOSSY, hosts: {} };
export const LOSSY_2: Configuration = {
  name: 'lossy-2',
  switches: { ...LOSSY, ecn: { enabled: false } },
  hosts: { lossReaction: 'cnp' },
};
export const CONFIGURATIONS: readonly Configuration[] = [LOSSLESS, LOSSY_1, LOSSY_2];

/** Traffic, by its name in the tables. */
export const LOADS: Readonly<Record<string, WorkloadSpec>> = {
  'load 0.5': { kind: 'poisson', load: 0.5, sizes: 'WebSearch', flows: 150 },
  'load 0.8': { kind: 'poisson', load: 0.8, sizes: 'WebSearch', flows: 150 },
  'incast 15 to 1': { kind: 'incast', senders: LEAVES * HOSTS_PER_LEAF - 1, sizeBytes: 1_000_000 },
};

/** What is run. */
export interface LossCase extends Configuration {
  readonly way: Way;
  readonly workload: WorkloadSpec;
  readonly algorithm: AlgorithmSpec;
}

/** Flows that are not done by then count as unfinished. */
const DURATION_US = 100_000;

export const DCQCN: AlgorithmSpec = { preset: 'dcqcn-sigcomm15' };
export const NO_CONTROL: AlgorithmSpec = { preset: 'none' };

/** The case of a row; a configuration may be named by one of its names. */
export function caseOf(load: string, configuration: string, way: string): LossCase {
  const settings = CONFIGURATIONS.find(({ name }) =>
    name === configuration || name.split(', ').includes(configuration)
  );
  const of = WAYS.find(({ name }) => name === way);
  const workload = LOADS[load];
  if (settings === undefined || of === undefined || workload === undefined) {
    throw new Error(`no row of ${load}, ${configuration}, ${way}`);
  }
  return { ...settings, way: of, workload, algorithm: DCQCN };
}

export function scenarioOf(
  { name, switches, hosts, way: { transport, window }, workload, algorithm }: LossCase,
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
    switches,
    hosts: { transport, ...hosts },
    record: { flows: 0, ports: [] },
  };
}
