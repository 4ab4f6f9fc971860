/**
 * Why the slowest flow was slow: lost packets, pauses, queues, a shared link, or a rate that was cut and didn't
 * recover. Each cause that applies is stated, the most expensive first.
 */
import type { FlowResult, PortResult, SimResult } from '../result.js';
import { bytesWords, countWords, percentWords, rateWords, reason, timeWords, wholeWords, type Explanation,
  type Reason } from './explanation.js';
import { maxBy } from './max-by.js';
import { INT64_LINE_RATES_BPS } from '../../reference/algorithms/hpcc/hops.js';
import { lineRateBps } from './sender-rates.js';
import { familiesOf, switchNames } from './settings.js';
import { findingsOf, flowText, plainText, portText, sentences, text, type Text } from './text.js';
import { waitWords } from './why-receiver.js';

/** Up to this slowdown a flow effectively had the network to itself. */
const SLOW = 1.2;
/** Share of the flow's time from which pauses are a cause. */
const PAUSED_SHARE = 0.05;
/** Share of a flow's time beyond its ideal from which queues are a cause. */
const QUEUED_SHARE = 0.2;
/** Utilisation from which a link counts as full. */
const FULL_SHARE = 0.8;
/** Mean allowed rate, as a share of the port's, below which congestion control held a flow back. */
const HELD_SHARE = 0.8;
const BIT_PS_PER_BYTE = 8e12;

export function explainSlowest(result: SimResult): Explanation | undefined {
  const slowest = maxBy(result.flows.filter((flow) => flow.slowdown !== null), (flow) => flow.slowdown ?? 0);
  if (!slowest) return undefined;
  const { index, from, to, idealPs } = slowest;
  const isAll = result.flows.every((flow) => flow.slowdown !== null);
  const completionPs = slowest.completionPs ?? 0;
  const slowdown = slowest.slowdown ?? 0;
  const took = `${timeWords(completionPs)}, ${threeDigits(slowdown)} times its ideal, ${timeWords(idealPs)}`;
  const because = [
    reason(`slowdown of flow ${index}`, slowdown, 'times the ideal'),
    reason('completion', completionPs, 'ps'),
    reason('ideal', idealPs, 'ps'),
  ];
  if (slowdown < SLOW) {
    return {
      topic: 'slow',
      code: 'no-slow-flow',
      question: 'Was any flow slow?',
      ...findingsOf(text`No: the slowest, ${flowText(index)} (${from} to ${to}), took ${took}.`),
      because,
      missing: [],
    };
  }
  const causes = causesOf(result, slowest);
  const words = causes.length > 0 ?
    causes.map(({ words: said }) => said) :
    ['No pause, no loss and no full link was recorded on its path.'];
  return {
    topic: 'slow',
    code: 'flow-slow',
    question: `Why was flow ${index} (${from} to ${to}) the slowest${isAll ? '' : ' of those that are done'}?`,
    ...findingsOf(`It took ${took}.`, ...words),
    ...(causes[0] && { inShort: `Flow ${index}: ${causes[0].inShort ?? plainText(causes[0].words)}` }),
    because: [...because, ...causes.flatMap((cause) => cause.because)],
    missing: slowest.path === undefined ? ['flows[].path'] : [],
  };
}

interface Cause {
  readonly words: Text;
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

/** Its receiver had posted no receive. */
function receiverCause(flow: FlowResult): Cause | undefined {
  const { rnrNaks = 0, rnrWaitPs = 0 } = flow;
  if (rnrNaks === 0) return undefined;
  return {
    words: waitWords(flow),
    because: [reason('RNR NAKs', rnrNaks, 'packets'), reason('time waited for the receiver', rnrWaitPs, 'ps')],
  };
}

function lossCause({ totals }: SimResult, flow: FlowResult): Cause | undefined {
  const { timeouts, retransmittedPackets, rnrNaks = 0 } = flow;
  if (timeouts + retransmittedPackets === 0) return undefined;
  // What follows an RNR NAK is retransmitted, although nothing was lost.
  if (rnrNaks > 0 && timeouts === 0 && totals.packetsDropped === 0) return undefined;
  const why = totals.timeouts > 0 && totals.packetsDropped === 0 ?
    'Packets or their ACKs waited longer than the retransmission timeout, although none was lost' :
    'Packets were lost';
  return {
    words: `${why}: ${countWords(retransmittedPackets, 'packet')} retransmitted, ${countWords(timeouts, 'timeout')}.`,
    because: [
      reason('packets retransmitted', retransmittedPackets, 'packets'),
      reason('timeouts', timeouts, 'timeouts'),
    ],
  };
}

function pauseCause(result: SimResult, flow: FlowResult): Cause | undefined {
  const port = maxBy(portsOnPath(result, flow), ({ pausedPs }) => pausedPs);
  const share = (port?.pausedPs ?? 0) / (flow.completionPs ?? Infinity);
  if (port === undefined || share < PAUSED_SHARE) return undefined;
  return {
    words: text`${portText(port.name)} on its path was paused for ${timeWords(port.pausedPs)}, ${
      percentWords(share)
    } of the time that it took.`,
    because: [reason(`time paused at ${port.name}`, port.pausedPs, 'ps')],
  };
}

/** A packet waits once for the queue before it, however long its flow is: the longest mean wait while the flow ran. */
function queueCause(result: SimResult, flow: FlowResult): Cause | undefined {
  const waits = portsOnPath(result, flow).map((port) => {
    const bytes = meanOf(samplesOf(result, flow, result.series.queueBytes[port.name]));
    return { port, bytes, timePs: (bytes * BIT_PS_PER_BYTE) / port.rateBps };
  });
  const longest = maxBy(waits, ({ timePs }) => timePs);
  const extraPs = (flow.completionPs ?? 0) - flow.idealPs;
  if (longest === undefined || longest.timePs < QUEUED_SHARE * extraPs) return undefined;
  const { port, bytes, timePs } = longest;
  return {
    words: text`The queue at ${portText(port.name)} was ${
      bytesWords(bytes)
    } long on average while it ran: a packet waited ${timeWords(timePs)} there.`,
    because: [reason(`mean queue at ${port.name} while flow ${flow.index} ran`, bytes, 'bytes')],
  };
}

/** A full link is explanation enough; one that isn't full, although the sender was cut, shows that the cuts were too deep. */
function linkCauses(result: SimResult, flow: FlowResult): (Cause | undefined)[] {
  const cut = (more?: string): Cause | undefined => cutCause(result, flow, more);
  const port = maxBy(portsOnPath(result, flow), (one) => busyShare(result, flow, one));
  if (port === undefined) return [cut()];
  const share = busyShare(result, flow, port);
  const sharing = result.flows.filter((other) => overlap(flow, other) && isOnPath(other, port)).length;
  const facts = [
    reason(`utilisation of ${port.name} while it ran`, share, 'share'),
    reason(`flows through ${port.name} meanwhile`, sharing, 'flows'),
  ];
  const alone = sharing > 1 ? `${countWords(sharing, 'flow')} shared it` : 'no other flow shared it';
  if (share >= FULL_SHARE && sharing > 1) {
    const words = text`The link at ${portText(port.name)} was ${
      percentWords(share)
    } used, and ${alone}: with equal shares up to ${wholeWords(sharing)} times the ideal is to be expected.`;
    return [{ words, because: facts }, cut()];
  }
  const spare = {
    words: text`Its fullest link, ${portText(port.name)} (${countWords(sharing, 'flow')}), averaged only ${
      percentWords(share)
    } utilization.`,
    because: facts,
  };
  return [cut('Rates were cut too far or recovered too slowly.'), heldCause(result, flow), spare];
}

/** Without notifications: what congestion control allowed was less than the network had. */
function heldCause(result: SimResult, flow: FlowResult): Cause | undefined {
  const rates = samplesOf(result, flow, result.series.rateBps[flow.index]).filter((rateBps) => rateBps > 0);
  const [meanBps, lineBps] = [meanOf(rates), lineRateBps(result, flow) ?? 0];
  if (flow.cnps + flow.fastCnps > 0 || rates.length === 0 || meanBps >= HELD_SHARE * lineBps) return undefined;
  const [family] = familiesOf({ ...result, flows: [flow] });
  const inShort = `Congestion control (${family}) allowed it ${rateWords(meanBps)} on average, of ${
    rateWords(lineBps)
  }.`;
  return {
    words: sentences(inShort, unknownRateWords(result, flow)),
    inShort,
    because: [reason('mean allowed rate', meanBps, 'bps'), reason('rate of its port', lineBps, 'bps')],
  };
}

/** Ports whose rate HPCC's records under the reference fidelities can't state. */
function unknownRateWords(result: SimResult, flow: FlowResult): Text {
  const { fidelity } = result;
  if (fidelity === 'standard' || !familiesOf({ ...result, flows: [flow] }).includes('hpcc')) return '';
  const ofSwitches = new Set(switchNames(result));
  const port = portsOnPath(result, flow).find(({ node, rateBps }) =>
    ofSwitches.has(node) && !INT64_LINE_RATES_BPS.includes(rateBps)
  );
  if (port === undefined) return '';
  return text`HPCC's records under fidelity ${fidelity} have no code for the ${rateWords(port.rateBps)} of ${
    portText(port.name)
  }: its sender takes the link for one of 25 Gb/s, as in the reference simulator.`;
}

function cutCause(result: SimResult, flow: FlowResult, more = ''): Cause | undefined {
  const count = flow.cnps + flow.fastCnps;
  if (count === 0) return undefined;
  const rates = samplesOf(result, flow, result.series.rateBps[flow.index]).filter((rateBps) => rateBps > 0);
  const lowestBps = rates.reduce((low, rateBps) => Math.min(low, rateBps), Infinity);
  const lowest: Reason[] = rates.length > 0 ? [reason('lowest rate', lowestBps, 'bps')] : [];
  const deep = rates.length > 0 ? `; at its lowest it was ${rateWords(lowestBps)}` : '';
  return {
    words: sentences(`Its rate was cut by ${countWords(count, 'notification')}${deep}.`, more),
    ...(more !== '' && { inShort: more }),
    because: [reason('notifications', count, 'packets'), ...lowest],
  };
}

/**
 * While the flow ran, if samples show it; else from the first start to the last end, as idle time would dilute
 * it.
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

/** Without a path only its first and last link are known. */
function isOnPath({ path, from, to }: FlowResult, { name, node, peer }: PortResult): boolean {
  return path ? path.includes(name) : node === from || peer === to;
}

function threeDigits(value: number): string {
  return String(Number(value.toPrecision(3)));
}
