/** Published figures of MRC (arXiv 2605.04333), and what the simulator has for each. `--published R3` of the study prints one. */
import type { SimResult } from '../../src/sim/result.js';
import { jainIndex } from '../../src/sim/results/fairness.js';
import { runScenarioSync } from '../../src/sim/run/run-scenario.js';
import type { FaultSpec, ScenarioSpec, WorkloadSpec } from '../../src/sim/scenario/spec.js';
import { tableRow } from '../markdown-table.js';
import { STACKS, type StackKey } from './cases.js';

const PS_PER_SECOND = 1e12;
const BPS_PER_GBPS = 1e9;
const SIZE_BYTES = 8_000_000;
const FOREVER = { fromUs: 0, toUs: 1_000_000 };

/** Racks, uplinks of each, hosts of each, planes, Gb/s of a port. */
interface Shape {
  readonly racks: number;
  readonly hosts: number;
  readonly planes?: number;
  readonly rateGbps: number;
}

function run(stack: StackKey, { racks, hosts, planes, rateGbps }: Shape, workload: WorkloadSpec,
  faults: readonly FaultSpec[] = []): SimResult {
  const { preset, hosts: settings, switches, name } = STACKS[stack];
  const spec: ScenarioSpec = {
    name,
    topology: {
      kind: 'leaf-spine',
      leaves: racks,
      spines: hosts,
      hostsPerLeaf: hosts,
      rateGbps,
      delayNs: 500,
      ...(planes !== undefined && { planes }),
    },
    workload,
    algorithms: { only: { preset } },
    hosts: settings,
    switches,
    faults,
    durationUs: 100_000,
    record: { flows: 0, ports: [] },
  };
  return runScenarioSync(spec);
}

const gbps = ({ sizeBytes, completionPs }: SimResult['flows'][number]): number =>
  (8 * sizeBytes * PS_PER_SECOND) / (completionPs ?? Infinity) / BPS_PER_GBPS;
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const ONE_FLOW: WorkloadSpec = { kind: 'flows', flows: [{ from: 'h0', to: 'h4', sizeBytes: SIZE_BYTES }] };
const EIGHT_PLANES: Shape = { racks: 2, hosts: 4, planes: 8, rateGbps: 100 };
/** 16 servers, four racks of four, four spines. */
const SET_UP_D: Shape = { racks: 4, hosts: 4, rateGbps: 400 };
/** 64 servers of four planes. */
const SET_UP_C: Shape = { racks: 8, hosts: 8, planes: 4, rateGbps: 100 };

const oneFlow = (shape: Shape, faults: readonly FaultSpec[] = []): number =>
  gbps(run('mrc', shape, ONE_FLOW, faults).flows[0]);

/** Ports of `nic0` without a link. */
function withoutPorts(count: number): number {
  return oneFlow(EIGHT_PLANES, Array.from({ length: count }, (_, plane) => ({
    kind: 'link-down' as const,
    between: ['nic0', `p${plane}.leaf0`] as const,
    ...FOREVER,
  })));
}

function withLoss(share: number): number {
  return oneFlow(SET_UP_D, [{ kind: 'loss', between: ['h0', 'leaf0'], share, of: 'data' }]);
}

const lastEnd = ({ flows }: SimResult): number =>
  Math.max(...flows.map(({ startPs, completionPs }) => startPs + (completionPs ?? Infinity)));

/** Seven hosts of three racks send to h0; a flow of a fourth host of theirs goes to another host of h0's rack. */
function incastWithVictim(stack: StackKey): { readonly victim: number; readonly jain: number } {
  const flow = (from: number, to: number) => ({ from: `h${from}`, to: `h${to}`, sizeBytes: SIZE_BYTES });
  const victim = flow(12, 1);
  const alone = gbps(run(stack, SET_UP_D, { kind: 'flows', flows: [victim] }).flows[0]);
  const seven = [4, 5, 6, 7, 8, 9, 13].map((from) => flow(from, 0));
  const { flows: [first, ...others] } = run(stack, SET_UP_D, { kind: 'flows', flows: [victim, ...seven] });
  return { victim: gbps(first) / alone, jain: jainIndex(others.map(gbps)) };
}

export interface PublishedFigure {
  readonly id: string;
  readonly experiment: string;
  readonly published: string;
  /** Ours; without: why there is none. */
  readonly ours?: () => string;
  readonly reason?: string;
}

const none = (id: string, experiment: string, published: string, reason: string): PublishedFigure => ({
  id,
  experiment,
  published,
  reason,
});

export const PUBLISHED: readonly PublishedFigure[] = [
  none('R1', 'latency of 2 B over T1 and within T0', '6.54 and 5.09 µs',
    'switches and adapters add no forwarding delay'),
  {
    id: 'R2',
    experiment: 'goodput of one pair, 8 x 100 Gb/s',
    published: 'about 770 Gb/s',
    ours: (): string => {
      const wireBytes = 4096 + 106 + 20;
      return `${oneFlow(EIGHT_PLANES).toFixed(0)} Gb/s of 8 MB; headers allow ${
        (800 * 4096 / wireBytes).toFixed(0)
      }, with SRv6 ${(800 * 4096 / (wireBytes + 40)).toFixed(0)}`;
    },
  },
  {
    id: 'R3',
    experiment: 'one, then four of eight NIC links down',
    published: '7/8, half',
    ours: (): string => {
      const all = oneFlow(EIGHT_PLANES);
      return `${percent(withoutPorts(1) / all)}, ${percent(withoutPorts(4) / all)}`;
    },
  },
  none('R4', '20 T0–T1 links fail, one a second', 'hardly visible',
    'runs last milliseconds; one failed link is in the tables above'),
  none('R5', 'one EV with 20 % loss', 'removed at once', 'states of EVs are not simulated'),
  none('R6', 'two flows share an EV', 'traffic moves to other EVs', 'states of EVs are not simulated'),
  none('R7', 'send and receive of NCCL, 42,000 GPUs', '92 GB/s per NIC', 'too many hosts, and NCCL is not simulated'),
  {
    id: 'R8',
    experiment: 'ring all-reduce and all-to-all of 64, 4 x 100 Gb/s: RoCE with 1 QP, of MRC’s throughput',
    published: 'about half',
    ours: (): string => {
      const ring: WorkloadSpec = { kind: 'ring-all-reduce', sizeBytes: 4_000_000 };
      const exchange: WorkloadSpec = { kind: 'all-to-all', hosts: 64, sizeBytes: 32_768 };
      return [ring, exchange].map((workload) =>
        percent(lastEnd(run('mrc', SET_UP_C, workload)) / lastEnd(run('goBackN', SET_UP_C, workload)))
      ).join(', ');
    },
  },
  {
    id: 'R9',
    experiment: 'goodput with 0.1 % and 1 % loss, of that without',
    published: 'little less, about a third',
    ours: (): string => [0.001, 0.01].map((share) => percent(withLoss(share) / withLoss(0))).join(', '),
  },
  {
    id: 'R10',
    experiment: '7-to-1 incast: the victim’s rate of that alone; Jain’s index of the seven',
    published: 'MRC: untouched, even; DCQCN, 1 QP: 75 %',
    ours: (): string =>
      (['mrc', 'goBackN'] as const).map((stack) => {
        const { victim, jain: evenness } = incastWithVictim(stack);
        return `${stack === 'mrc' ? 'MRC' : 'DCQCN'}: ${percent(victim)}, ${evenness.toFixed(3)}`;
      }).join('; '),
  },
  {
    id: 'R11',
    experiment: 'permutation, 16 hosts, 400 Gb/s',
    published: 'MRC 390 Gb/s; RoCE, 1 QP, half or a third',
    ours: (): string => {
      const permutation: WorkloadSpec = { kind: 'permutation', sizeBytes: SIZE_BYTES };
      const [mrc, rc] = (['mrc', 'goBackN'] as const).map((stack) => run(stack, SET_UP_D, permutation).flows.map(gbps));
      return `MRC ${median(mrc).toFixed(0)} Gb/s (median of 8 MB), RoCE ${median(rc).toFixed(0)}, slowest ${
        Math.min(...rc).toFixed(0)
      }`;
    },
  },
  none('R12', '15-to-1 incast, two DCQCN profiles', '10 and 20 % lost', 'the profiles are not published'),
  {
    id: 'R13',
    experiment: 'three of four uplinks removed, load 400 Gb/s of one host',
    published: 'unaffected until capacity',
    ours: (): string => {
      const down = [0, 1, 2].map((spine): FaultSpec => ({
        kind: 'link-down',
        between: ['leaf0', `spine${spine}`],
        ...FOREVER,
      }));
      return `${percent(oneFlow(SET_UP_D, down) / oneFlow(SET_UP_D))} of the goodput with all`;
    },
  },
  none('R14', 'start of 75,000 GPUs', 'fewer than 5 losses per QP', 'too many hosts, and no list of denied paths'),
  none('R15', 'reboot of a T1', '580,000 packets dropped', 'of a network of 75,000 GPUs'),
  none('R16', 'flaps of a transceiver, 50,000 GPUs', '25 % less for a minute', 'too many hosts, too long'),
  {
    id: 'R17',
    experiment: 'a path fails: how much later the flow ends',
    published: 'tens of µs',
    ours: (): string => {
      const down: FaultSpec = { kind: 'link-down', between: ['leaf0', 'spine0'], fromUs: 50, toUs: 1_000_000 };
      const [healthy, failed] = [[], [down]].map((faults) =>
        run('mrc', SET_UP_D, ONE_FLOW, faults).flows[0].completionPs ?? Infinity
      );
      return `${((failed - healthy) / 1e6).toFixed(1)} µs; switches know of the failure at once`;
    },
  },
  {
    id: 'R18',
    experiment: '512-port switches in two tiers',
    published: '131,072 GPUs; 2/3 of the optics, 3/5 of the switches of three tiers; a link is 0.4 % (3 %)',
    ours: (): string => {
      const [ports, portsOf400G] = [512, 64];
      const up = ports / 2;
      // Per host, t tiers have t links and 2 t - 1 switch ports: up and down in each tier, and down alone in the last.
      const tiers = 2;
      const [linksPerHost, switchesPerHost] = [(count: number) => count, (count: number) => (2 * count - 1) / ports];
      const ofThree = (perHost: (count: number) => number): string => percent(perHost(tiers) / perHost(tiers + 1));
      return `${up * ports} GPUs; ${ofThree(linksPerHost)}, ${ofThree(switchesPerHost)}; ${percent(1 / up)} (${
        percent(1 / (portsOf400G / 2))
      })`;
    },
  },
];

export function publishedRow({ id, experiment, published, ours, reason = '' }: PublishedFigure): string {
  return tableRow([id, experiment, published, ours?.() ?? `none: ${reason}`]);
}
