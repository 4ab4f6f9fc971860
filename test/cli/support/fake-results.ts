/** Results that resemble an incast of 16, computed by a formula: for tests of code that uses results. */
import type { FlowResult, Percentiles, PortResult, SeriesResult, SimResult, Totals } from '../../../src/sim/result.js';
import type { ScenarioSpec } from '../../../src/sim/scenario/spec.js';

const US = 1e6;
const LINE_RATE_BPS = 100e9;

export interface FakeRun {
  readonly name?: string;
  readonly senders?: number;
  readonly seed?: number;
  /** Scale of the queue, and of all values derived from it. */
  readonly peakBytes?: number;
  /** Samples until rates are fair. */
  readonly convergence?: number;
  readonly samples?: number;
  readonly pauses?: number;
  readonly fastCnps?: number;
  readonly ended?: SimResult['ended'];
  readonly notes?: readonly string[];
}

/** The scenario of a fake result, with the keys that are displayed. */
export function fakeScenario({ name = 'incast', senders = 16, seed = 1 }: FakeRun = {}): ScenarioSpec {
  return {
    name,
    description: `${senders} hosts send to one.`,
    seed,
    topology: { kind: 'star', hosts: senders + 1 },
    workload: { kind: 'incast', senders, sizeBytes: 1e6 },
    algorithms: { default: { preset: 'dcqcn-sigcomm15' } },
  };
}

export function fakeResult(run: FakeRun = {}): SimResult {
  const {
    senders = 16,
    seed = 1,
    samples = 600,
    ended = 'all-flows-done',
    pauses = 0,
    fastCnps = 0,
    peakBytes = 900e3,
    notes = [],
  } = run;
  const intervalPs = 2 * US;
  const isDone = ended === 'all-flows-done';
  const simulatedPs = samples * intervalPs;
  const flows = Array.from({ length: senders }, (_, index) => fakeFlow(index, senders, isDone ? simulatedPs : null));
  const series = fakeSeries(run, flows, intervalPs);
  const ports = fakePorts(senders, peakBytes, pauses, fastCnps);
  return {
    format: 'roce-cc-result-2',
    scenario: fakeScenario(run),
    fidelity: 'standard',
    seed,
    ended,
    simulatedPs,
    events: 80_000,
    packetHops: 66_000,
    hash: '0123456789abcdef',
    totals: fakeTotals(pauses, fastCnps),
    flows,
    ports,
    series,
    summary: {
      flowsDone: isDone ? senders : 0,
      flowsUnfinished: isDone ? 0 : senders,
      completionPs: isDone ? percentiles(flows.map(({ completionPs }) => completionPs!)) : null,
      slowdown: isDone ? percentiles(flows.map(({ slowdown }) => slowdown!)) : null,
      maxQueueBytes: peakBytes,
      maxQueuePort: `s0:h${senders}`,
      meanQueueBytes: peakBytes / 7,
      pausedPs: pauses * 3 * US,
      fairFromPs: run.convergence === undefined ? null : run.convergence * intervalPs,
      meanFairness: 0.93,
      goodputBps: 0.93 * LINE_RATE_BPS,
    },
    notes,
  };
}

function fakeFlow(index: number, senders: number, endPs: number | null): FlowResult {
  const startPs = index * US;
  const idealPs = 84 * US;
  const completionPs = endPs === null ? null : Math.round((endPs - startPs) * (0.9 + index / senders / 10));
  return {
    index,
    from: `h${index}`,
    to: `h${senders}`,
    algorithm: 'default',
    sizeBytes: 1e6,
    startPs,
    completionPs,
    idealPs,
    slowdown: completionPs === null ? null : completionPs / idealPs,
    deliveredBytes: completionPs === null ? 5e5 : 1e6,
    retransmittedPackets: 0,
    timeouts: 0,
    cnps: 9,
    fastCnps: 0,
    duplicateNotifications: 0,
    firstNotificationPs: startPs + 12 * US,
    finalRateBps: LINE_RATE_BPS / senders,
  };
}

function fakeSeries({ senders = 16, peakBytes = 900e3, convergence = 150, samples = 600 }: FakeRun,
  flows: readonly FlowResult[], intervalPs: number): SeriesResult {
  const indices = Array.from({ length: samples }, (_, index) => index);
  const fair = LINE_RATE_BPS / senders;
  const wave = (flow: number, index: number): number =>
    1 + 0.8 * Math.exp(-index / convergence) * Math.sin(index / 9 + flow);
  const port = `s0:h${senders}`;
  return {
    intervalPs,
    timesPs: indices.map((index) => (index + 1) * intervalPs),
    queueBytes: {
      [port]: indices.map((index) =>
        Math.round(peakBytes * (Math.exp(-((index - 20) ** 2) / 300) + 0.1 * Math.abs(Math.sin(index / 25))))
      ),
      'h0:s0': indices.map((index) => (index < 40 ? 40_000 - 1000 * index : 0)),
    },
    utilization: { [port]: indices.map((index) => (index < samples - 20 ? 1 : 0.5)), 'h0:s0': indices.map(() => 0.06) },
    rateBps: Object.fromEntries(
      flows.map((
        { index: flow },
      ) => [flow, indices.map((index) => (index < 8 ? LINE_RATE_BPS : fair * wave(flow, index)))]),
    ),
    fairness: indices.map((index) => 1 - 0.4 * Math.exp(-index / convergence)),
  };
}

function fakePorts(senders: number, peakBytes: number, pauses: number, fastCnps: number): PortResult[] {
  const port = (node: string, peer: string): PortResult => ({
    name: `${node}:${peer}`,
    node,
    peer,
    rateBps: LINE_RATE_BPS,
    txPackets: 1000,
    txBytes: 1_082_000,
    utilization: 0.06,
    maxClassQueueBytes: 40_000,
    maxQueueBytes: 40_000,
    meanQueueBytes: 1000,
    marks: 0,
    drops: 0,
    fastCnps: 0,
    pausesSent: 0,
    pausesReceived: 0,
    pausedPs: 0,
  });
  const busy = {
    maxClassQueueBytes: peakBytes,
    maxQueueBytes: peakBytes,
    meanQueueBytes: peakBytes / 7,
    marks: 2273,
    fastCnps,
    txPackets: 16_000,
    utilization: 0.99,
  };
  const hosts = Array.from({ length: senders }, (_, index) => ({
    ...port(`h${index}`, 's0'),
    pausesReceived: pauses / senders,
    pausedPs: (pauses / senders) * (2 + index / 8) * US,
  }));
  return [...hosts, { ...port('s0', `h${senders}`), ...busy, pausesSent: pauses }];
}

function fakeTotals(pauses: number, fastCnps: number): Totals {
  return {
    packetsIn: 32_000,
    packetsOut: 32_000,
    packetsInFlight: 0,
    packetsDropped: 0,
    bytesIn: 17e6,
    bytesOut: 17e6,
    bytesInFlight: 0,
    bytesDropped: 0,
    drops: { buffer: 0, noRoute: 0, linkDown: 0, loss: 0, corrupt: 0 },
    dataPackets: 16_000,
    acks: 16_000,
    naks: 0,
    cnps: 144,
    fastCnps,
    pauses,
    resumes: pauses,
    marks: 2273,
    dataMarks: 2273,
    retransmittedPackets: 0,
    timeouts: 0,
  };
}

function percentiles(values: readonly number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
  return {
    min: sorted[0]!,
    p50: rank(0.5),
    p95: rank(0.95),
    p99: rank(0.99),
    max: sorted.at(-1)!,
    mean: values.reduce((a, b) => a + b, 0) / values.length,
  };
}

/** The three results of the main job, with distinct numbers that are easy to find. */
export function mainJobResults(): SimResult[] {
  return [
    fakeResult({ name: 'incast-16', peakBytes: 900e3, convergence: 150, pauses: 48, notes: ['An example of a note.'] }),
    fakeResult({ name: 'incast-16-fast-cnp', peakBytes: 500e3, convergence: 90, fastCnps: 187, samples: 560 }),
    fakeResult({ name: 'incast-16-hpcc', peakBytes: 80e3, convergence: 20, samples: 540 }),
  ];
}
