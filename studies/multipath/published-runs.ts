/** Runs behind the published figures of MRC: small networks of its set-ups, flows to the end or in their steady state. */
import type { PacketRecord, SimResult } from '../../src/sim/result.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { FaultSpec, HostSpec, OverrideSpec, ScenarioSpec, TopologySpec,
  WorkloadSpec } from '../../src/sim/scenario/spec.js';
import { BPS_PER_GBPS, PS_PER_SECOND, US_PER_SECOND } from '../../src/units.js';
import { STACKS, type Stack } from './cases.js';

/** Far more than a flow sends in any run. */
const ENDLESS_BYTES = 1_000_000_000;
export const STEADY_FROM_US = 200;
const MEASURED_US = 400;

const DELAY_NS = 500;

/** Racks, uplinks and hosts of each, planes, Gb/s of a port. */
interface LeafSpineShape {
  readonly racks: number;
  readonly hosts: number;
  /** Default: as many as hosts. */
  readonly spines?: number;
  readonly planes?: number;
  readonly rateGbps: number;
}
interface FatTreeShape {
  readonly k: number;
  readonly rateGbps: number;
}
export type Shape = LeafSpineShape | FatTreeShape;

/** MRC as it is deployed: paths by source routes, states of entropies, no marks at the last hop. */
export const DEPLOYED: Stack = {
  ...STACKS.mrc,
  hosts: { ...STACKS.mrc.hosts, pathSelection: 'entropy-states' },
  switches: { ...STACKS.mrc.switches, loadBalancing: 'source-route', ecn: { lastHop: false } },
};

/** What a run has besides its network and its flows. */
export interface Extras {
  readonly faults?: readonly FaultSpec[];
  readonly hosts?: HostSpec;
  readonly overrides?: readonly OverrideSpec[];
  readonly durationUs?: number;
}

function topologyOf(shape: Shape): TopologySpec {
  if ('k' in shape) return { kind: 'fat-tree', ...shape, delayNs: DELAY_NS };
  const { racks, hosts, spines = hosts, planes, rateGbps } = shape;
  return {
    kind: 'leaf-spine',
    leaves: racks,
    spines,
    hostsPerLeaf: hosts,
    rateGbps,
    delayNs: DELAY_NS,
    ...(planes !== undefined && { planes }),
  };
}

function specOf(stack: Stack, shape: Shape, workload: WorkloadSpec, { hosts: more, ...extras }: Extras): ScenarioSpec {
  return {
    name: stack.name,
    topology: topologyOf(shape),
    workload,
    algorithms: { only: { preset: stack.preset } },
    hosts: { ...stack.hosts, ...more },
    switches: stack.switches,
    durationUs: 100_000,
    record: { flows: 0, ports: [] },
    ...extras,
  };
}

export function run(stack: Stack, shape: Shape, workload: WorkloadSpec, extras: Extras = {}): SimResult {
  return runScenarioSync(specOf(stack, shape, workload, extras));
}

/** Data packets that leave these ports, besides the result. */
export function runCaptured(stack: Stack, shape: Shape, workload: WorkloadSpec, capture: readonly string[],
  extras: Extras): { readonly result: SimResult; readonly sent: readonly PacketRecord[] } {
  const sent: PacketRecord[] = [];
  const result = runScenarioSync({
    ...specOf(stack, shape, workload, extras),
    record: { flows: 0, ports: [], capture },
  }, {
    onPackets: (records) => {
      sent.push(...records.filter(({ kind }) => kind === 'data'));
    },
  });
  return { result, sent };
}

/** From the start to the last SACK. */
export const gbps = ({ sizeBytes, completionPs }: SimResult['flows'][number]): number =>
  (8 * sizeBytes * PS_PER_SECOND) / (completionPs ?? Infinity) / BPS_PER_GBPS;

export const flows = (sizeBytes: number, ...pairs: readonly (readonly [number, number])[]): WorkloadSpec => ({
  kind: 'flows',
  flows: pairs.map(([from, to]) => ({ from: `h${from}`, to: `h${to}`, sizeBytes })),
});
export const endless = (...pairs: readonly (readonly [number, number])[]): WorkloadSpec =>
  flows(ENDLESS_BYTES, ...pairs);
export const ENDLESS_PERMUTATION: WorkloadSpec = { kind: 'permutation', sizeBytes: ENDLESS_BYTES };

/** Goodput of each endless flow, Gb/s, in its steady state: two runs, the difference of what has arrived. */
export function steadyGbps(stack: Stack, shape: Shape, workload: WorkloadSpec, extras: Extras = {},
  measuredUs = MEASURED_US): number[] {
  const [before, after] = [STEADY_FROM_US, STEADY_FROM_US + measuredUs].map((durationUs) =>
    run(stack, shape, workload, { ...extras, durationUs }).flows
  ) as [SimResult['flows'], SimResult['flows']];
  return after.map(({ deliveredBytes }, at) =>
    (8 * (deliveredBytes - before[at].deliveredBytes) * US_PER_SECOND) / measuredUs / BPS_PER_GBPS
  );
}
