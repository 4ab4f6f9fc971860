/** Published figures of MRC (arXiv 2605.04333), and what the simulator has for each. `--published R3` of the study prints one. */
import type { SimResult } from '../../src/sim/result.js';
import type { FaultSpec, WorkloadSpec } from '../../src/sim/scenario/spec.js';
import { tableRow } from '../../scripts/markdown-table.js';
import { STACKS, type Stack } from './cases.js';
import { requireClaims } from './claims.js';
import { deadPaths, failedPath, failingLinks, fewerUplinks, incastWithVictim, lossyPath, percent, permutation,
  randomLoss, sharedPath } from './published-mrc.js';
import { DEPLOYED, endless, flows, gbps, run, steadyGbps, type Shape } from './published-runs.js';

const SIZE_BYTES = 8_000_000;
const FOREVER = { fromUs: 0, toUs: 1_000_000 };

const EIGHT_PLANES: Shape = { racks: 2, hosts: 4, planes: 8, rateGbps: 100 };
/** 64 servers of four planes. */
const SET_UP_C: Shape = { racks: 8, hosts: 8, planes: 4, rateGbps: 100 };

const oneFlow = (faults: readonly FaultSpec[] = []): number =>
  gbps(run(STACKS.mrc, EIGHT_PLANES, flows(SIZE_BYTES, [0, 4]), { faults }).flows[0]);

/** Ports of `nic0` without a link. */
function withoutPorts(count: number): number {
  return oneFlow(Array.from({ length: count }, (_, plane) => ({
    kind: 'link-down' as const,
    between: ['nic0', `p${plane}.leaf0`] as const,
    ...FOREVER,
  })));
}

const lastEnd = ({ flows: all }: SimResult): number =>
  Math.max(...all.map(({ startPs, completionPs }) => startPs + (completionPs ?? Infinity)));

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
      const routed: Stack = { ...DEPLOYED, switches: { ...DEPLOYED.switches, usids: true } };
      const rows = ([[DEPLOYED, 0], [routed, 40]] as const).map(([stack, outerBytes]) => {
        const [steady] = steadyGbps(stack, EIGHT_PLANES, endless([0, 4]));
        const allowed = (800 * 4096) / (4096 + 106 + 20 + outerBytes);
        requireClaims('R2', steady <= allowed + 0.5, steady > 0.99 * allowed);
        return `${steady.toFixed(0)} Gb/s, headers allow ${allowed.toFixed(0)}`;
      });
      return `with SRv6 ${rows[1]}; without ${rows[0]}, of 8 MB ${oneFlow().toFixed(0)}`;
    },
  },
  {
    id: 'R3',
    experiment: 'one, then four of eight NIC links down',
    published: '7/8, half',
    ours: (): string => {
      const all = oneFlow();
      return `${percent(withoutPorts(1) / all)}, ${percent(withoutPorts(4) / all)}`;
    },
  },
  {
    id: 'R4',
    experiment: '20 T0–T1 links fail, one a second',
    published: 'hardly visible',
    ours: failingLinks,
  },
  {
    id: 'R5',
    experiment: 'one path of 16 loses a fifth',
    published: 'removed at once',
    ours: lossyPath,
  },
  {
    id: 'R6',
    experiment: 'two flows share a path',
    published: 'traffic moves to other EVs',
    ours: sharedPath,
  },
  none('R7', 'send and receive of NCCL, 42,000 GPUs', '92 GB/s per NIC', 'too many hosts, and NCCL is not simulated'),
  {
    id: 'R8',
    experiment: 'ring all-reduce and all-to-all of 64, 4 x 100 Gb/s: RoCE with 1 QP, of MRC’s throughput',
    published: 'about half',
    ours: (): string => {
      const ring: WorkloadSpec = { kind: 'ring-all-reduce', sizeBytes: 4_000_000 };
      const exchange: WorkloadSpec = { kind: 'all-to-all', hosts: 64, sizeBytes: 32_768 };
      return [ring, exchange].map((workload) =>
        percent(lastEnd(run(STACKS.mrc, SET_UP_C, workload)) / lastEnd(run(STACKS.goBackN, SET_UP_C, workload)))
      ).join(', ');
    },
  },
  {
    id: 'R9',
    experiment: 'goodput with 0.1 % and 1 % loss, of that without',
    published: 'little less, about a third; RoCE unusable',
    ours: randomLoss,
  },
  {
    id: 'R10',
    experiment: '7-to-1 incast: the victim’s rate of that alone; Jain’s index of the seven',
    published: 'MRC: untouched, even; DCQCN, 1 QP: 75 %',
    ours: incastWithVictim,
  },
  {
    id: 'R11',
    experiment: 'permutation, 16 hosts, 400 Gb/s',
    published: 'MRC 390 Gb/s; RoCE, 1 QP, half or a third',
    ours: permutation,
  },
  none('R12', '15-to-1 incast, two DCQCN profiles', '10 and 20 % lost', 'the profiles are not published'),
  {
    id: 'R13',
    experiment: 'up to three of four uplinks removed',
    published: 'unaffected until capacity, then as capacity',
    ours: fewerUplinks,
  },
  {
    id: 'R14',
    experiment: 'start of 75,000 GPUs without a list of denied paths: losses',
    published: 'fewer than 5 per QP',
    ours: deadPaths,
  },
  none('R15', 'reboot of a T1', '580,000 packets dropped', 'of a network of 75,000 GPUs'),
  none('R16', 'flaps of a transceiver, 50,000 GPUs', '25 % less for a minute', 'too many hosts, too long'),
  {
    id: 'R17',
    experiment: 'a path fails: how much later the flow ends',
    published: 'tens of µs',
    ours: failedPath,
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
