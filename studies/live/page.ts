/** docs/studies/live-study.md: how far live and simulated lie apart. */
import { PS_PER_MS } from '../../src/units.js';
import { table, tableRow } from '../../scripts/markdown-table.js';
import { MODES, PRESETS, RATE_MBPS, SECONDS, simulated, simulatedBurst, virtual, virtualBurst, type BurstRun,
  type IncastRun, type ReplayedRun } from './runs.js';

const MBPS = 1e6;
const INCAST_HEADS = [
  'senders',
  'notification',
  'where',
  'goodput of a flow, Mb/s',
  'worst off fair',
  'marks',
  'CNPs',
  'Fast CNPs',
  'queue p50, kB',
  'p99, kB',
  'max, kB',
  'dropped',
  'late at most, ms',
];
const BURST_HEADS = [
  'algorithm',
  'queue simulated, B',
  'emulated, B',
  'apart',
  'last ACK simulated, ms',
  'emulated, ms',
  'apart',
];
const NAMES = { dcqcn: 'CNPs', 'dcqcn-fast-cnp': 'Fast CNPs' } as const;

/** Of the incast: a row of words and numbers. */
export function incastRow(senders: number, mode: keyof typeof NAMES, where: string, run: IncastRun): string {
  const { goodputsBps, marks, cnps, fastCnps, queueBytes, dropped, maxLagPs } = run;
  const fairBps = goodputsBps.reduce((sum, rate) => sum + rate, 0) / goodputsBps.length;
  const worst = Math.max(...goodputsBps.map((rate) => Math.abs(rate / fairBps - 1)));
  const sorted = [...queueBytes].sort((a, b) => a - b);
  const at = (share: number): string => kB(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return tableRow([
    String(senders),
    NAMES[mode],
    where,
    (fairBps / MBPS).toFixed(3),
    percent(worst),
    ...[marks, cnps, fastCnps].map(String),
    at(0.5),
    at(0.99),
    kB(sorted.at(-1) ?? 0),
    String(dropped),
    maxLagPs === 0 ? '' : (maxLagPs / PS_PER_MS).toFixed(1),
  ]);
}

/** Rows that are the same on each machine. */
export function deterministicRows(senders: number, mode: keyof typeof NAMES): readonly string[] {
  return [
    incastRow(senders, mode, 'simulator', simulated(mode, senders)),
    incastRow(senders, mode, 'emulated, virtual time', virtual(mode, senders)),
  ];
}

/** Of a burst: a row per preset. */
export function burstRow(preset: (typeof PRESETS)[number]): string {
  const [sim, live] = [simulatedBurst(preset), virtualBurst(preset)];
  const apart = (of: (run: BurstRun) => number): string => percent(Math.abs(of(live) / of(sim) - 1));
  const ms = ({ lastPs }: BurstRun): string => (lastPs / PS_PER_MS).toFixed(3);
  return tableRow([
    preset,
    String(sim.queueBytes),
    String(live.queueBytes),
    apart(({ queueBytes }) => queueBytes),
    ms(sim),
    ms(live),
    apart(({ lastPs }) => lastPs),
  ]);
}

/** Measurements of one machine. */
export interface Measured {
  readonly machine: string;
  readonly rows: readonly string[];
  readonly replay: ReplayedRun;
}

export function livePage({ machine, rows, replay }: Measured): string {
  const incast = [4, 16].flatMap((senders) => MODES.flatMap((mode) => deterministicRows(senders, mode)));
  const { frames, live, replayed, modelMarks, modelDrops } = replay;
  const marks = (counters: typeof live): number => counters.interfaces.reduce((sum, one) => sum + one.marks, 0);
  return `# Live and simulated

How the emulated hosts and switch ([live-switch.md](../guides/live-switch.md)) differ from the simulator, and real links from both.
\`npm run live-study -- --write\` (as root, for namespaces) writes this page.

## An endless incast

All senders of a star at ${RATE_MBPS} Mb/s send to one receiver for ${SECONDS} s under the demo's DCQCN. Goodputs and queues are those of the second half; the queue
is that of the receiver's port, polled 100 times a second (over real links twice a second).

${table(INCAST_HEADS, incast, 3)}

- In virtual time the two differ on the wire: a RETH in each 64th packet (the simulator has none), one ACK for four packets, at most 16 packets of a QP in
  flight. DCQCN is chaotic: individual marks move, but sums stay about the same.
- Goodputs agree within 1 %, CNPs and Fast CNPs within 3 %, marks within 8 %; the longest queue of four senders differs by a third.

Over real links, on ${machine}, Node ${process.versions.node}; these rows vary from run to run:

${table(INCAST_HEADS, rows, 3)}

- Node's timers call the loop every 1 to 10 ms, and a packet takes 0.18 ms, so hosts send the packets due in a burst, and responses wait for the next call. Marks and CNPs are within 8 % of
  those of virtual time. Under Fast CNPs the queue is longer and the goodput higher, presumably because their senders are notified one call later.
- Goodputs are within 10 % of fair, or a few percent more if the machine was late: \`test/live/fairness.test.ts\` defines when the limit applies.

## A burst, by algorithm

Three hosts send 3 MB each to a fourth at 10 Gb/s, in the simulator and in virtual time. The table has the longest queue, and the time at which the last packet was acknowledged.

${table(BURST_HEADS, PRESETS.map(burstRow), 1)}

## A recorded run

Three hosts sent 2 MB each to a fourth over UDP sockets at ${RATE_MBPS} Mb/s through a switch with 60 kB of buffer and without pauses; the arrivals at the switch were recorded, and replayed
through the emulated switch and the simulator's plain switch, at the recorded times.

| | frames in | marks | dropped |
|---|---:|---:|---:|
| live | ${frames} | ${marks(live)} | ${live.drops.buffer} |
| emulated switch, by the record | ${frames} | ${marks(replayed)} | ${replayed.drops.buffer} |
| simulator's plain switch, by the record | ${frames} | ${modelMarks} | ${modelDrops} |

Random scenarios in \`test/live/switch-model.test.ts\` compare departures and their times too.
`;
}

function kB(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
