/**
 * Why the slowest flow was slow: lost packets, pauses, a shared link, or a rate that was cut and didn't come back. Each that
 * applies is told, what costs most first.
 */
import type { FlowResult, PortResult, SimResult } from '../result.js';
import { countWords, percentWords, rateWords, sentences, timeWords, type Explanation, type Reason } from './explanation.js';
import { mostOf } from './most-of.js';

/** Up to this slowdown a flow had the network to itself, as good as. */
const SLOW = 1.2;
/** Share of the flow's time from which pauses are a cause. */
const PAUSED_SHARE = 0.05;
/** Utilisation from which a link counts as full. */
const FULL_SHARE = 0.8;

export function explainSlowest(result: SimResult): Explanation | undefined {
  const slowest = mostOf(result.flows.filter((flow) => flow.slowdown !== null), (flow) => flow.slowdown ?? 0);
  if (!slowest) return undefined;
  const { index, from, to, idealPs } = slowest;
  const completionPs = slowest.completionPs ?? 0;
  const slowdown = slowest.slowdown ?? 0;
  const took = `${timeWords(completionPs)}, ${threeDigits(slowdown)} times its ideal, ${timeWords(idealPs)}`;
  const because = [
    { what: `slowdown of flow ${index}`, value: slowdown, unit: 'times the ideal' },
    { what: 'completion', value: completionPs, unit: 'ps' },
    { what: 'ideal', value: idealPs, unit: 'ps' },
  ];
  if (slowdown < SLOW) {
    return { topic: 'slow', question: 'Was any flow slow?', answer: `No: the slowest, flow ${index} (${from} to ${to}), took ${took}.`, because, missing: [] };
  }
  const causes = causesOf(result, slowest);
  const words = causes.length > 0 ? causes.map(({ words: said }) => said) : ['No pause, no loss and no full link was recorded on its way.'];
  return {
    topic: 'slow',
    question: `Why was flow ${index} (${from} to ${to}) the slowest?`,
    answer: sentences(`It took ${took}.`, ...words),
    because: [...because, ...causes.flatMap((cause) => cause.because)],
    missing: slowest.path === undefined ? ['flows[].path'] : [],
  };
}

interface Cause {
  readonly words: string;
  readonly because: readonly Reason[];
}

function causesOf(result: SimResult, flow: FlowResult): Cause[] {
  return [lossCause(flow), pauseCause(result, flow), ...linkCauses(result, flow)].filter((cause) => cause !== undefined);
}

function lossCause({ timeouts, retransmittedPackets }: FlowResult): Cause | undefined {
  if (timeouts + retransmittedPackets === 0) return undefined;
  return {
    words: `Packets were lost: ${countWords(retransmittedPackets, 'packet')} sent again, ${countWords(timeouts, 'timeout')}.`,
    because: [{ what: 'packets sent again', value: retransmittedPackets, unit: 'packets' }, { what: 'timeouts', value: timeouts, unit: 'timeouts' }],
  };
}

function pauseCause(result: SimResult, flow: FlowResult): Cause | undefined {
  const port = mostOf(portsOnTheWay(result, flow), ({ pausedPs }) => pausedPs);
  const share = (port?.pausedPs ?? 0) / (flow.completionPs ?? Infinity);
  if (port === undefined || share < PAUSED_SHARE) return undefined;
  return {
    words: `${port.name} on its way was paused for ${timeWords(port.pausedPs)}, ${percentWords(share)} of the time that it took.`,
    because: [{ what: `time paused at ${port.name}`, value: port.pausedPs, unit: 'ps' }],
  };
}

/** A full link explains itself; one that isn't full, although the sender was cut, tells that the cuts were too deep. */
function linkCauses(result: SimResult, flow: FlowResult): (Cause | undefined)[] {
  const port = mostOf(portsOnTheWay(result, flow), (one) => busyShare(result, one));
  if (port === undefined) return [cutCause(flow)];
  const share = busyShare(result, port);
  const sharing = result.flows.filter((other) => overlap(flow, other) && isOnTheWay(other, port)).length;
  const facts = [{ what: `utilisation of ${port.name} while flows ran`, value: share, unit: 'share' }, { what: `flows through ${port.name} meanwhile`, value: sharing, unit: 'flows' }];
  const alone = sharing > 1 ? `${countWords(sharing, 'flow')} shared it` : 'no other flow shared it';
  if (share >= FULL_SHARE && sharing > 1) {
    return [{ words: `The link at ${port.name} was full: ${percentWords(share)} used, and ${alone}.`, because: facts }, cutCause(flow)];
  }
  const room = { words: `The fullest link on its way, ${port.name}, was used to ${percentWords(share)} only; ${alone}.`, because: facts };
  return [cutCause(flow, 'Cuts went deeper, or recovery took longer, than the link required.'), room];
}

function cutCause({ cnps, fastCnps, finalRateBps }: FlowResult, more = ''): Cause | undefined {
  const count = cnps + fastCnps;
  if (count === 0) return undefined;
  return {
    words: sentences(`Its rate was cut by ${countWords(count, 'notification')}; at its end it was ${rateWords(finalRateBps)}.`, more),
    because: [{ what: 'notifications', value: count, unit: 'packets' }, { what: 'rate at the end', value: finalRateBps, unit: 'bps' }],
  };
}

/** Of the time from the first start to the last end: a run that idles before or after would dilute it. */
function busyShare({ flows, simulatedPs }: SimResult, { utilization }: PortResult): number {
  const firstPs = flows.reduce((least, { startPs }) => Math.min(least, startPs), simulatedPs);
  const lastPs = flows.reduce((most, { startPs, completionPs }) => Math.max(most, completionPs === null ? simulatedPs : startPs + completionPs), 0);
  const activePs = Math.min(lastPs, simulatedPs) - firstPs;
  return activePs > 0 ? Math.min(1, (utilization * simulatedPs) / activePs) : 0;
}

function overlap(a: FlowResult, b: FlowResult): boolean {
  const endOf = ({ startPs, completionPs }: FlowResult) => startPs + (completionPs ?? Infinity);
  return a.startPs < endOf(b) && b.startPs < endOf(a);
}

function portsOnTheWay({ ports }: SimResult, flow: FlowResult): PortResult[] {
  return ports.filter((port) => isOnTheWay(flow, port));
}

/** Without a path only its first and last link are known. */
function isOnTheWay({ path, from, to }: FlowResult, { name, node, peer }: PortResult): boolean {
  return path ? path.includes(name) : node === from || peer === to;
}

function threeDigits(value: number): string {
  return String(Number(value.toPrecision(3)));
}
