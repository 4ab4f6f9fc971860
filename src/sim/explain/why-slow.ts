/**
 * Why the slowest flow was slow: lost packets, pauses, queues, a shared link, or a rate that was cut and didn't
 * recover. Each cause that applies is stated, the most expensive first.
 * Also why flows waited for receivers that had posted no receive.
 */
import { INT64_LINE_RATES_BPS } from '../../reference/algorithms/hpcc/hops.js';
import type { FlowResult, PortResult, SimResult } from '../result.js';
import { lineRateBps } from './bottleneck.js';
import { type Explanation, answerOf, finding, type Finding, type FindingFigures, reason, type Reason,
  maxBy } from './explanation.js';
import { cutWords, rateHeldWords } from './sentences/flows.js';
import { familiesOf, switchNames } from './settings.js';

/** Up to this slowdown a flow effectively had the network to itself. */
const SLOW = 1.2;
/** Pauses count as a cause from this share of the flow's time. */
const PAUSED_SHARE = 0.05;
/** Queues count as a cause from this share of the flow's time beyond its ideal. */
const QUEUED_SHARE = 0.2;
/** Utilisation from which a link counts as full. */
const FULL_SHARE = 0.8;
/** Congestion control held a flow back if its mean allowed rate is below this share of the port's rate. */
const HELD_SHARE = 0.8;
const BIT_PS_PER_BYTE = 8e12;

export function explainSlowest(result: SimResult): Explanation | undefined {
  const slowest = maxBy(result.flows.filter((flow) => flow.slowdown !== null), (flow) => flow.slowdown ?? 0);
  if (!slowest) return undefined;
  const { index, from, to, idealPs } = slowest;
  const isAll = result.flows.every((flow) => flow.slowdown !== null);
  const completionPs = slowest.completionPs ?? 0;
  const slowdown = slowest.slowdown ?? 0;
  const took = { completionPs, idealPs, slowdown };
  const because = [
    reason('slowdown', slowdown, { flow: index }),
    reason('completion', completionPs),
    reason('ideal', idealPs),
  ];
  if (slowdown < SLOW) {
    return {
      topic: 'slow',
      code: 'no-slow-flow',
      question: 'Was any flow slow?',
      ...answerOf(finding('slowest-not-slow', { flow: index, from, to, ...took })),
      because,
      missing: [],
    };
  }
  const causes = causesOf(result, slowest);
  return {
    topic: 'slow',
    code: 'flow-slow',
    question: `Why was flow ${index} (${from} to ${to}) the slowest${isAll ? '' : ' of those that are done'}?`,
    ...answerOf(finding('slowest-took', took),
      ...(causes.length > 0 ? causes.map(({ found }) => found) : [finding('no-cause-recorded')])),
    ...(causes[0] && { inShort: `Flow ${index}: ${causes[0].inShort ?? causes[0].found.text}` }),
    because: [...because, ...causes.flatMap((cause) => cause.because)],
    missing: slowest.path === undefined ? ['flows[].path'] : [],
  };
}

interface Cause {
  readonly found: Finding;
  readonly inShort?: string;
  readonly because: readonly Reason[];
}

function causesOf(result: SimResult, flow: FlowResult): Cause[] {
  return [
    receiverCause(flow),
    lossCause(result, flow),
    pauseCause(result, flow),
    queueCause(result, flow),
    ...linkCauses(result, flow),
  ]
    .filter((cause) => cause !== undefined);
}

/** The cause "the receiver had posted no receive". */
function receiverCause(flow: FlowResult): Cause | undefined {
  const { rnrNaks = 0, rnrWaitPs = 0 } = flow;
  if (rnrNaks === 0) return undefined;
  return {
    found: waitFinding(flow),
    because: [reason('rnr-naks', rnrNaks), reason('time-waited-for-receiver', rnrWaitPs)],
  };
}

function lossCause({ totals }: SimResult, flow: FlowResult): Cause | undefined {
  const { timeouts, retransmittedPackets, rnrNaks = 0 } = flow;
  if (timeouts + retransmittedPackets === 0) return undefined;
  // Packets after an RNR NAK are retransmitted although none was lost.
  if (rnrNaks > 0 && timeouts === 0 && totals.packetsDropped === 0) return undefined;
  return {
    found: finding('flow-lost-packets', {
      isByWaiting: totals.timeouts > 0 && totals.packetsDropped === 0,
      retransmitted: retransmittedPackets,
      timeouts,
    }),
    because: [reason('packets-retransmitted', retransmittedPackets), reason('timeouts', timeouts)],
  };
}

function pauseCause(result: SimResult, flow: FlowResult): Cause | undefined {
  const port = maxBy(portsOnPath(result, flow), ({ pausedPs }) => pausedPs);
  const share = (port?.pausedPs ?? 0) / (flow.completionPs ?? Infinity);
  if (port === undefined || share < PAUSED_SHARE) return undefined;
  return {
    found: finding('port-on-path-paused', { port: port.name, pausedPs: port.pausedPs, share }),
    because: [reason('time-port-paused', port.pausedPs, { port: port.name })],
  };
}

/**
 * The cause "a queue on the path", judged by the longest mean wait while the flow ran. A packet waits in a queue only once,
 * however long its flow is.
 */
function queueCause(result: SimResult, flow: FlowResult): Cause | undefined {
  const waits = portsOnPath(result, flow).map((port) => {
    const bytes = meanOf(samplesOf(result, flow, result.series.queueBytes[port.name]));
    return { port, bytes, timePs: (bytes * BIT_PS_PER_BYTE) / port.rateBps };
  });
  const longest = maxBy(waits, ({ timePs }) => timePs);
  const extraPs = (flow.completionPs ?? 0) - flow.idealPs;
  if (longest === undefined || longest.timePs < QUEUED_SHARE * extraPs) return undefined;
  const { port: { name: port }, bytes, timePs } = longest;
  return {
    found: finding('queue-on-path', { port, meanBytes: bytes, waitPs: timePs }),
    because: [reason('mean-queue', bytes, { port, flow: flow.index })],
  };
}

/** A full link is a cause. If no link is full although the sender's rate was cut, the cuts were too deep. */
function linkCauses(result: SimResult, flow: FlowResult): (Cause | undefined)[] {
  const cut = (isTooFar = false): Cause | undefined => cutCause(result, flow, isTooFar);
  const fullest = maxBy(portsOnPath(result, flow), (one) => busyShare(result, flow, one));
  if (fullest === undefined) return [cut()];
  const port = fullest.name;
  const utilization = busyShare(result, flow, fullest);
  const flows = result.flows.filter((other) => overlap(flow, other) && isOnPath(other, fullest)).length;
  const because = [reason('utilization', utilization, { port }), reason('flows-through-port', flows, { port })];
  if (utilization >= FULL_SHARE && flows > 1)
    return [{ found: finding('link-shared', { port, utilization, flows }), because }, cut()];
  const spare = { found: finding('link-not-full', { port, utilization, flows }), because };
  return [cut(true), heldCause(result, flow), spare];
}

/** The cause "congestion control, without notifications": it allowed a lower rate than the network offered. */
function heldCause(result: SimResult, flow: FlowResult): Cause | undefined {
  const rates = samplesOf(result, flow, result.series.rateBps[flow.index]).filter((rateBps) => rateBps > 0);
  const [meanBps, lineBps] = [meanOf(rates), lineRateBps(result, flow) ?? 0];
  if (flow.cnps + flow.fastCnps > 0 || rates.length === 0 || meanBps >= HELD_SHARE * lineBps) return undefined;
  const [algorithm] = familiesOf({ ...result, flows: [flow] });
  return {
    found: finding('rate-held', {
      algorithm,
      meanRateBps: meanBps,
      lineRateBps: lineBps,
      unstatedRate: unstatedRateOf(result, flow),
    }),
    inShort: rateHeldWords(algorithm, meanBps, lineBps),
    because: [reason('mean-allowed-rate', meanBps), reason('port-rate', lineBps)],
  };
}

/** A port whose rate has no code in HPCC's telemetry records under the reference fidelities. */
function unstatedRateOf(result: SimResult, flow: FlowResult): FindingFigures<'rate-held'>['unstatedRate'] {
  const { fidelity } = result;
  if (fidelity === 'standard' || !familiesOf({ ...result, flows: [flow] }).includes('hpcc')) return null;
  const ofSwitches = new Set(switchNames(result));
  const port = portsOnPath(result, flow).find(({ node, rateBps }) =>
    ofSwitches.has(node) && !INT64_LINE_RATES_BPS.includes(rateBps)
  );
  return port === undefined ? null : { port: port.name, rateBps: port.rateBps, fidelity };
}

function cutCause(result: SimResult, flow: FlowResult, isTooFar: boolean): Cause | undefined {
  const notifications = flow.cnps + flow.fastCnps;
  if (notifications === 0) return undefined;
  const rates = samplesOf(result, flow, result.series.rateBps[flow.index]).filter((rateBps) => rateBps > 0);
  const lowestRateBps = rates.length === 0 ? null : rates.reduce((low, rateBps) => Math.min(low, rateBps), Infinity);
  return {
    found: finding('rate-cut', { notifications, lowestRateBps, isTooFar }),
    ...(isTooFar && { inShort: cutWords() }),
    because: [
      reason('notifications', notifications),
      ...(lowestRateBps === null ? [] : [reason('lowest-rate', lowestRateBps)]),
    ],
  };
}

/**
 * Utilization of a port while the flow ran, if there are samples; else from the first start to the last end of any flow, so
 * that idle time does not dilute it.
 */
function busyShare(result: SimResult, flow: FlowResult, { name, utilization }: PortResult): number {
  const { flows, simulatedPs, series } = result;
  const samples = samplesOf(result, flow, series.utilization[name]);
  if (samples.length > 0) return meanOf(samples);
  const firstPs = flows.reduce((least, { startPs }) => Math.min(least, startPs), simulatedPs);
  const lastPs = flows.reduce(
    (most, { startPs, completionPs }) => Math.max(most, completionPs === null ? simulatedPs : startPs + completionPs),
    0,
  );
  const activePs = Math.min(lastPs, simulatedPs) - firstPs;
  return activePs > 0 ? Math.min(1, (utilization * (simulatedPs - firstPs)) / activePs) : 0;
}

/** Samples taken while the flow ran. */
function samplesOf({ series }: SimResult, { startPs, completionPs }: FlowResult,
  values: readonly number[] = []): number[] {
  return values.filter((_, index) => {
    const timePs = series.timesPs[index] ?? Infinity;
    return timePs > startPs && timePs <= startPs + (completionPs ?? Infinity);
  });
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function overlap(a: FlowResult, b: FlowResult): boolean {
  const endOf = ({ startPs, completionPs }: FlowResult) => startPs + (completionPs ?? Infinity);
  return a.startPs < endOf(b) && b.startPs < endOf(a);
}

function portsOnPath({ ports }: SimResult, flow: FlowResult): PortResult[] {
  return ports.filter((port) => isOnPath(flow, port));
}

/** Whether a flow crosses a port. If its path is unknown, only its first and last link count. */
function isOnPath({ path, from, to }: FlowResult, { name, node, peer }: PortResult): boolean {
  return path ? path.includes(name) : node === from || peer === to;
}

/** Explains waits for receivers; undefined if no sender received an RNR NAK. */
export function explainReceivers({ flows, totals }: SimResult): Explanation | undefined {
  const waiting = flows.filter(({ rnrNaks = 0 }) => rnrNaks > 0);
  const longest = maxBy(waiting, ({ rnrWaitPs = 0 }) => rnrWaitPs);
  if (longest === undefined) return undefined;
  const failed = waiting.filter(({ failure }) => failure === 'rnr-retry-exceeded').length;
  const wait = waitFinding(longest);
  return {
    topic: 'receiver',
    code: 'receivers-not-ready',
    question: 'Why did flows wait for their receivers?',
    ...answerOf(finding('receivers-not-ready', { flows: waiting.length, rnrNaks: totals.rnrNaks ?? 0 }), wait,
      failed > 0 && finding('rnr-retries-exhausted', { flows: failed }), finding('rnr-is-no-loss')),
    inShort: wait.text,
    because: [
      reason('rnr-naks', totals.rnrNaks ?? 0),
      reason('flows-not-ready', waiting.length),
      reason('time-flow-waited', longest.rnrWaitPs ?? 0, { flow: longest.index }),
    ],
    missing: [],
  };
}

/** The finding on a flow's waits in total. */
export function waitFinding({ index, to, rnrNaks = 0, rnrWaitPs = 0 }: FlowResult): Finding {
  return finding('flow-waited-for-receiver', { flow: index, to, waitPs: rnrWaitPs, rnrNaks });
}
