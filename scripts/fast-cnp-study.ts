/**
 * Where Fast CNPs help, and where they don't, as a table: the same traffic with CNPs of the receiver and with Fast CNPs of the
 * congested switch, over numbers of hops and distances. `npm run study` prints it and writes docs/fast-cnp-study.md.
 */
import { writeFileSync } from 'node:fs';
import { runScenarioSync } from '../src/sim/run/run-scenario.js';
import type { SimResult } from '../src/sim/result.js';
import type { ScenarioSpec, TopologySpec, WorkloadSpec } from '../src/sim/scenario/spec.js';

interface Case {
  readonly name: string;
  /** Where the congested port is, seen from the senders. */
  readonly where: string;
  readonly topology: TopologySpec;
  readonly workload: WorkloadSpec;
  readonly cnpDelayUs?: number;
}

const SENDERS = 8;
const SIZE_BYTES = 4_000_000;
const PAGE = new URL('../docs/fast-cnp-study.md', import.meta.url);

/** All senders begin at once; `from`: first host that sends. */
function burst(from: number, to: string): WorkloadSpec {
  const flows = Array.from({ length: SENDERS }, (_, sender) => ({ from: `h${from + sender}`, to, sizeBytes: SIZE_BYTES }));
  return { kind: 'flows', flows };
}

/** Each sender has a receiver of its own: what congests is between them. */
function pairs(receivers: number): WorkloadSpec {
  const flows = Array.from({ length: SENDERS }, (_, sender) => ({ from: `h${sender}`, to: `h${receivers + sender}`, sizeBytes: SIZE_BYTES }));
  return { kind: 'flows', flows };
}

const DATA_CENTERS = { kind: 'two-data-centers', leaves: 2, spines: 2, hostsPerLeaf: 8, uplink: { rateGbps: 1600 } } as const;

const CASES: readonly Case[] = [
  { name: 'star, 1 switch', where: 'last hop, 1 us away', topology: { kind: 'star', hosts: SENDERS + 1 }, workload: burst(0, `h${SENDERS}`) },
  {
    name: 'star, 1 switch, receiver 5 us slow', where: 'last hop, 1 us away', topology: { kind: 'star', hosts: SENDERS + 1 },
    workload: burst(0, `h${SENDERS}`), cnpDelayUs: 5,
  },
  {
    name: 'leaf-spine, 3 switches', where: 'last hop, 3 us away',
    topology: { kind: 'leaf-spine', leaves: 2, spines: 2, hostsPerLeaf: 8, uplink: { rateGbps: 400 } }, workload: burst(0, 'h15'),
  },
  {
    name: 'dumbbell, 2 switches', where: 'first switch, 1 us away',
    topology: { kind: 'dumbbell', left: SENDERS, right: SENDERS }, workload: pairs(SENDERS),
  },
  { name: 'fat-tree k=4, 5 switches', where: 'last hop, 5 us away', topology: { kind: 'fat-tree', k: 4 }, workload: burst(0, 'h15') },
  ...[0.01, 0.1, 1].map((ms): Case => ({
    name: `two data centers, WAN ${ms} ms`, where: 'WAN port on the senders\' side',
    topology: { ...DATA_CENTERS, wan: { delayNs: ms * 1e6, rateGbps: 100 } }, workload: pairs(16),
  })),
  ...[0.1, 1].map((ms): Case => ({
    name: `two data centers, WAN ${ms} ms`, where: 'last hop, behind the WAN',
    topology: { ...DATA_CENTERS, wan: { delayNs: ms * 1e6, rateGbps: 1600 } }, workload: burst(0, 'h31'),
  })),
];

function scenario(one: Case, fastCnp: boolean): ScenarioSpec {
  return {
    name: one.name,
    topology: one.topology,
    workload: one.workload,
    algorithms: { dcqcn: { preset: 'dcqcn-sigcomm15' } },
    switches: { fastCnp: { enabled: fastCnp } },
    hosts: { retransmitTimeoutUs: 100_000, cnpDelayUs: one.cnpDelayUs ?? 0 },
    record: { flows: 0, ports: [] },
  };
}

/** From the start until a sender knew: the first of them, and half of them. */
function notified({ flows }: SimResult): { readonly first: string; readonly half: string } {
  const times = flows.flatMap(({ firstNotificationPs, startPs }) => (firstNotificationPs === null ? [] : [firstNotificationPs - startPs]))
    .sort((a, b) => a - b);
  const us = (index: number): string => (times[index] === undefined ? 'never' : ((times[index] ?? 0) / 1e6).toFixed(1));
  return { first: us(0), half: us(Math.floor(flows.length / 2)) };
}

function row(one: Case): string {
  const [cnp, fast] = [runScenarioSync(scenario(one, false)), runScenarioSync(scenario(one, true))];
  const [a, b] = [notified(cnp), notified(fast)];
  const kB = (result: SimResult): string => (result.summary.maxQueueBytes / 1000).toFixed(0);
  const mean = (result: SimResult): string => ((result.summary.completionPs?.mean ?? NaN) / 1e6).toFixed(0);
  const pauses = (result: SimResult): string => String(result.totals.pauses);
  return `| ${[one.name, one.where, a.first, b.first, a.half, b.half, kB(cnp), kB(fast), pauses(cnp), pauses(fast), mean(cnp), mean(fast)].join(' | ')} |`;
}

const table = [
  '| network | congested port | first notified, us: CNP | Fast CNP | half notified, us: CNP | Fast CNP | longest queue, kB: CNP | Fast CNP | pauses: CNP | Fast CNP | mean completion, us: CNP | Fast CNP |',
  `|---|---|${'---:|'.repeat(10)}`,
  ...CASES.map(row),
].join('\n');

process.stdout.write(`${table}\n`);
if (process.argv.includes('--write')) writeFileSync(PAGE, page(table));

function page(rows: string): string {
  return `# Where Fast CNPs help

Written by \`npm run study\`. ${SENDERS} senders at 100 Gb/s send ${SIZE_BYTES / 1e6} MB each at once; DCQCN with the paper's parameters; links of
1 us. Once the receivers send CNPs for marked packets, once the congested switch sends Fast CNPs in place of marks
(draft-xiao-rtgwg-rocev2-fast-cnp-01, option 1; 20,000 per second and flow). Times count from the start of the flows.

${rows}
`;
}
