/** Results as from a run, small and consistent: counts add up, series fit the flows, the hash is right. */
import { hashResult } from '../../src/sim/results/result-hash.js';
import { isRunning, jainIndex, summarise } from '../../src/sim/results/summary.js';
import type { FlowResult, PortResult, SeriesResult, SimResult, Totals } from '../../src/sim/result.js';
import type { ScenarioSpec } from '../../src/sim/scenario/spec.js';

const US = 1e6;
const LINK_BPS = 100e9;
const MTU_BYTES = 1024;

/** What a test changes; everything else is an incast of `senders` under DCQCN that ends well. */
export interface ResultChanges {
  readonly senders?: number;
  readonly sizeBytes?: number;
  readonly scenario?: Partial<ScenarioSpec>;
  /** By flow index: changes of each flow. */
  readonly flow?: (flow: FlowResult) => Partial<FlowResult>;
  readonly port?: (port: PortResult) => Partial<PortResult>;
  readonly totals?: Partial<Totals>;
  readonly result?: Partial<Omit<SimResult, 'hash' | 'summary'>>;
}

/** An incast on a star: hosts h0 to h(n-1) send to hn through switch s0. */
export function incastResult(changes: ResultChanges = {}): SimResult {
  const { senders = 4, sizeBytes = 1_048_576 } = changes;
  const flows = Array.from({ length: senders }, (_, index) => flowOf(index, senders, sizeBytes)).map((flow) => ({
    ...flow,
    ...changes.flow?.(flow),
  }));
  const simulatedPs = changes.result?.simulatedPs ??
    Math.max(...flows.map(({ startPs, completionPs }) => startPs + (completionPs ?? 0)));
  const ports = portsOf(flows, senders, simulatedPs).map((port) => ({ ...port, ...changes.port?.(port) }));
  const series = seriesOf(flows, simulatedPs, `s0:h${senders}`);
  const whole: Omit<SimResult, 'hash'> = {
    format: 'roce-cc-result-2',
    scenario: {
      name: 'incast',
      topology: { kind: 'star', hosts: senders + 1 },
      workload: { kind: 'incast', senders, sizeBytes },
      algorithms: { default: { preset: 'dcqcn-sigcomm15' } },
      ...changes.scenario,
    },
    fidelity: 'standard',
    seed: 1,
    ended: 'all-flows-done',
    simulatedPs,
    events: 1000 * senders,
    packetHops: ports.reduce((sum, { txPackets }) => sum + txPackets, 0),
    totals: { ...totalsOf(flows, ports), ...changes.totals },
    flows,
    ports,
    series,
    summary: summarise({ flows, ports, series, activePs: simulatedPs }),
    notes: [],
    ...changes.result,
  };
  return { ...whole, hash: hashResult(whole) };
}

function flowOf(index: number, senders: number, sizeBytes: number): FlowResult {
  const idealPs = (sizeBytes * 8e12) / LINK_BPS + 4 * US;
  // They share one link, so each takes the time of all, and a little more by its number.
  const completionPs = Math.round(idealPs * senders * (1.05 + index / 100));
  return {
    index,
    from: `h${index}`,
    to: `h${senders}`,
    algorithm: 'default',
    sizeBytes,
    startPs: 0,
    completionPs,
    idealPs,
    slowdown: completionPs / idealPs,
    deliveredBytes: sizeBytes,
    retransmittedPackets: 0,
    timeouts: 0,
    cnps: 3 + index,
    fastCnps: 0,
    duplicateNotifications: 0,
    firstNotificationPs: 12 * US,
    finalRateBps: LINK_BPS / senders,
    path: [`h${index}:s0`, `s0:h${senders}`],
    windowBytes: 0,
  };
}

function portsOf(flows: readonly FlowResult[], senders: number, simulatedPs: number): PortResult[] {
  const idle: PortResult = {
    name: '',
    node: '',
    peer: '',
    rateBps: LINK_BPS,
    txPackets: 0,
    txBytes: 0,
    utilization: 0,
    maxClassQueueBytes: 0,
    maxQueueBytes: 0,
    meanQueueBytes: 0,
    marks: 0,
    drops: 0,
    fastCnps: 0,
    pausesSent: 0,
    pausesReceived: 0,
    pausedPs: 0,
  };
  const sent = (bytes: number) => {
    const txPackets = Math.ceil(bytes / MTU_BYTES);
    const txBytes = bytes + 82 * txPackets;
    return { txPackets, txBytes, utilization: simulatedPs > 0 ? (txBytes * 8e12) / LINK_BPS / simulatedPs : 0 };
  };
  const hosts = flows.map(({ from, deliveredBytes }) => ({
    ...idle,
    ...sent(deliveredBytes),
    name: `${from}:s0`,
    node: from,
    peer: 's0',
  }));
  const delivered = flows.reduce((sum, { deliveredBytes }) => sum + deliveredBytes, 0);
  const marking = {
    kminBytes: 100_000,
    kmaxBytes: 400_000,
    maxIngressBytes: 120_000,
    minPauseThresholdBytes: 3_900_000,
  };
  const marks = flows.reduce((sum, { cnps }) => sum + 2 * cnps, 0);
  const bottleneck: PortResult = {
    ...idle,
    ...marking,
    ...sent(delivered),
    name: `s0:h${senders}`,
    node: 's0',
    peer: `h${senders}`,
    marks,
    maxClassQueueBytes: 420_000,
    maxQueueBytes: 420_500,
    meanQueueBytes: 90_000,
  };
  const back = flows.map(({ from }) => ({ ...idle, ...marking, name: `s0:${from}`, node: 's0', peer: from }));
  return [...hosts, bottleneck, ...back];
}

function totalsOf(flows: readonly FlowResult[], ports: readonly PortResult[]): Totals {
  const packets = flows.reduce((sum, { deliveredBytes }) => sum + Math.ceil(deliveredBytes / MTU_BYTES), 0);
  const bytes = flows.reduce((sum, { deliveredBytes }) => sum + deliveredBytes, 0) + 82 * packets;
  const marks = ports.reduce((sum, port) => sum + port.marks, 0);
  return {
    packetsIn: packets,
    packetsOut: packets,
    packetsInFlight: 0,
    packetsDropped: 0,
    bytesIn: bytes,
    bytesOut: bytes,
    bytesInFlight: 0,
    bytesDropped: 0,
    drops: { buffer: 0, noRoute: 0, linkDown: 0, loss: 0, corrupt: 0 },
    dataPackets: packets,
    acks: packets,
    naks: 0,
    cnps: flows.reduce((sum, { cnps }) => sum + cnps, 0),
    fastCnps: 0,
    pauses: 0,
    resumes: 0,
    marks,
    dataMarks: marks,
    retransmittedPackets: 0,
    timeouts: 0,
  };
}

function seriesOf(flows: readonly FlowResult[], simulatedPs: number, port: string): SeriesResult {
  const intervalPs = Math.max(1, Math.ceil(simulatedPs / 100));
  const timesPs = Array.from({ length: 100 }, (_, index) => (index + 1) * intervalPs);
  const ratesAt = (timePs: number) =>
    flows.map((flow) => (isRunning(flow, timePs) ? rateAt(flow, timePs / simulatedPs, flows.length) : 0));
  const table = timesPs.map(ratesAt);
  return {
    intervalPs,
    timesPs,
    queueBytes: { [port]: timesPs.map((_, index) => Math.max(0, 420_000 - 9_000 * index)) },
    utilization: { [port]: timesPs.map(() => 0.97) },
    rateBps: Object.fromEntries(flows.map(({ index }) => [index, table.map((rates) => rates[index]!)])),
    fairness: table.map((rates) => jainIndex(rates.filter((rate) => rate > 0))),
  };
}

/** Unequal in the first third, nearly equal from then on. */
function rateAt({ index }: FlowResult, share: number, senders: number): number {
  const fair = LINK_BPS / senders;
  return share < 1 / 3 ? fair * (0.5 + (index % 2)) : fair * (0.98 + 0.04 * (index % 2));
}
