/**
 * Why flows are unfinished: for each flow the first reason that applies.
 */
import type { FlowResult, SimResult } from '../result.js';
import { bytesWords, countWords, percentWords, rateWords, reason, timeWords, type Explanation,
  type Reason } from './explanation.js';
import { retransmitTimeoutUs } from './settings.js';
import { findingsOf, instantText, flowText, portText, sentences, text, type Text } from './text.js';
import { waitWords } from './why-receiver.js';

const PS_PER_SECOND = 1e12;
const PS_PER_US = 1e6;
const BITS_PER_BYTE = 8;
/** Maximum number of flows that the answer names; the others are counted. */
const MOST_NAMED = 5;

const ENDED: Readonly<Record<SimResult['ended'], string>> = {
  'all-flows-done': 'All flows are done.',
  'jobs-done': 'The run ended with its last job (end: jobs), whatever other flows remained.',
  time: 'The run ended because its time was up (durationUs).',
  stuck: 'The run ended because no event was left: no packet in flight and no timer set.',
  deadlock: 'The run ended because queues waited for each other in a cycle, and no other event was left.',
  cancelled: 'The run was cancelled.',
};

export function explainUnfinished(result: SimResult): Explanation | undefined {
  const unfinished = result.flows.filter(({ completionPs, endless }) => completionPs === null && endless !== true);
  if (unfinished.length === 0) return undefined;
  const named = unfinished.slice(0, MOST_NAMED).map((flow) => flowWords(result, flow));
  const others = unfinished.length - named.length;
  const missing = result.ended === 'stuck' && unfinished.some(({ path }) => path === undefined) ? ['flows[].path'] : [];
  return {
    topic: 'unfinished',
    code: 'flows-unfinished',
    question: `Why ${unfinished.length === 1 ? 'is 1 flow' : `are ${unfinished.length} flows`} unfinished?`,
    ...findingsOf(ENDED[result.ended], ...named, others > 0 && `${countWords(others, 'more flow')} likewise.`),
    because: [
      reason('simulated time', result.simulatedPs, 'ps'),
      reason('flows unfinished', unfinished.length, 'flows'),
      ...unfinished.slice(0, MOST_NAMED).map(deliveredReason),
      ...dropReasons(result),
    ],
    missing,
  };
}

function flowWords(result: SimResult, flow: FlowResult): Text {
  const name = text`${flowText(flow.index, 'Flow')} (${flow.from} to ${flow.to})`;
  const { simulatedPs } = result;
  if (flow.startPs >= simulatedPs) {
    return text`${name} had not begun: it starts at ${instantText(flow.startPs)}, the run ended at ${
      instantText(simulatedPs)
    }.`;
  }
  const done = `${bytesWords(flow.deliveredBytes)} of ${bytesWords(flow.sizeBytes)} (${
    percentWords(flow.deliveredBytes / flow.sizeBytes)
  })`;
  const why = flow.failure === undefined ? obstacleWords(result, flow) : failureWords(flow);
  return sentences(text`${name} delivered ${done}.`, why);
}

const NO_IRN_TIMEOUT =
  'Its last packets were lost, and under reference-lossy IRN has no timeout where a switch sends pauses, as in the ' +
  'simulator that it reproduces: no host retransmits them.';

/** Whether a lost tail is never retransmitted. */
function hasNoIrnTimeout({ scenario: { hosts, switches }, fidelity, totals: { drops } }: SimResult): boolean {
  const isSilent = fidelity === 'reference-lossy' && hosts?.transport === 'irn' && switches?.pfc !== false;
  return isSilent && drops.buffer + drops.loss > 0;
}

function hasNoRoute(result: SimResult, flow: FlowResult): boolean {
  return result.totals.drops.noRoute > 0 && flow.deliveredBytes === 0 && cutLinkWords(result, flow).length === 0;
}

function obstacleWords(result: SimResult, flow: FlowResult): Text {
  const held = hazardWords(result, flow);
  if (held.length > 0) return held;
  return flow.deliveredBytes === 0 && (flow.rnrNaks ?? 0) > 0 ? waitWords(flow) : otherObstacleWords(result, flow);
}

/** A deadlock on its path, or a host that pauses forever. */
function hazardWords({ deadlocks = [], scenario: { faults = [] } }: SimResult, { path = [], to }: FlowResult): Text {
  const open = deadlocks.find(({ resolvedPs }) => resolvedPs === null);
  const dead = open?.ports.find((port) => path.includes(port));
  if (dead !== undefined) return text`Its path leads through the deadlock, at ${portText(dead)}.`;
  if (open !== undefined) return 'It is held by the deadlock.';
  const storm = faults.find((fault) =>
    fault.kind === 'pause-storm' && fault.host === to && fault.lastsUs === undefined
  );
  return storm === undefined ? '' : `${to} pauses its switch without end.`;
}

function otherObstacleWords(result: SimResult, flow: FlowResult): Text {
  const { drops } = result.totals;
  const lost = flow.timeouts + flow.retransmittedPackets > 0;
  if (hasNoRoute(result, flow)) {
    return `Switches had no route to ${flow.to} or to others: ${countWords(drops.noRoute, 'packet')} dropped for that.`;
  }
  if (hasNoIrnTimeout(result)) return NO_IRN_TIMEOUT;
  const cut = cutLinkWords(result, flow);
  if (cut.length > 0 && drops.linkDown + drops.noRoute > 0 && (lost || result.ended === 'time')) {
    return text`${cut} ${
      countWords(drops.linkDown + drops.noRoute, 'packet')
    } of all flows were lost for such reasons; ${afterLoss(result, flow)}.`;
  }
  if (drops.linkDown > 0 && lost) {
    return `Links were down: ${countWords(drops.linkDown, 'packet')} lost; ${afterLoss(result, flow)}.`;
  }
  if (flow.timeouts > 0) {
    return `It had ${countWords(flow.timeouts, 'timeout')} and retransmitted ${
      countWords(flow.retransmittedPackets, 'packet')
    }.`;
  }
  if (
    result.ended === 'stuck' && result.totals.packetsDropped > 0 &&
    retransmitTimeoutUs(result.scenario, flow.from) === 0
  ) {
    return 'Its last packets or their ACKs were lost, and without a retransmission timeout (retransmitTimeoutUs is 0) no host retransmits them.';
  }
  if (result.ended === 'stuck') {
    return 'It waits for an ACK, for a pause to end, or for the flow before it, and none can happen.';
  }
  return paceWords(result, flow);
}

/** What the sender did about lost packets: timeouts are spoken of only where there are any. */
function afterLoss({ scenario }: SimResult, { from, timeouts, retransmittedPackets }: FlowResult): string {
  if (timeouts > 0) return `it had ${countWords(timeouts, 'timeout')}`;
  if (retransmittedPackets > 0) return `it retransmitted ${countWords(retransmittedPackets, 'packet')}`;
  return retransmitTimeoutUs(scenario, from) === 0 ?
    'hosts have no retransmission timeout, so none retransmits them' :
    'its timeout did not expire before the end';
}

function failureWords({ failure, timeouts, naks = 0, rnrNaks = 0, to }: FlowResult): string {
  if (failure === 'rnr-retry-exceeded') {
    return `It failed: ${to} had posted no receive, and its RNR retries are exhausted (rnr-retry-exceeded, hosts.rnrRetryCount), after ${
      countWords(rnrNaks, 'RNR NAK')
    }.`;
  }
  return `It failed: its retries are exhausted (retry-exceeded, hosts.retryCount), after ${
    countWords(timeouts, 'timeout')
  } and ${countWords(naks, 'NAK')} in all; its QP sent nothing more.`;
}

/** Links on the flow's path that the scenario takes down during the run. */
function cutLinkWords({ scenario: { faults = [] }, ports, simulatedPs }: SimResult, { path = [] }: FlowResult): Text {
  const cut = faults.flatMap((fault) => {
    if (fault.kind !== 'link-down' || fault.fromUs * PS_PER_US >= simulatedPs) return [];
    const ends = fault.between;
    const port = ports.find(({ name, node, peer }) => path.includes(name) && ends.includes(node) && ends.includes(peer))
      ?.name;
    if (port === undefined) return [];
    const until = fault.toUs * PS_PER_US >= simulatedPs ?
      'to the end of the run' :
      text`to ${instantText(fault.toUs * PS_PER_US)}`;
    const from = instantText(fault.fromUs * PS_PER_US);
    return [text`The link at ${portText(port)} on its path was down from ${from} ${until}.`];
  });
  return sentences(...cut);
}

/** How much longer it would have taken at its average pace. */
function paceWords({ simulatedPs }: SimResult, { startPs, deliveredBytes, sizeBytes }: FlowResult): string {
  if (deliveredBytes === 0) return 'Nothing of it had arrived yet.';
  const paceBps = (deliveredBytes * BITS_PER_BYTE * PS_PER_SECOND) / (simulatedPs - startPs);
  const restPs = ((sizeBytes - deliveredBytes) * BITS_PER_BYTE * PS_PER_SECOND) / paceBps;
  return `It ran at ${rateWords(paceBps)} on average; at that pace it needs ${timeWords(restPs)} more.`;
}

function deliveredReason({ index, deliveredBytes, sizeBytes }: FlowResult): Reason {
  return reason(`bytes of flow ${index} not delivered`, sizeBytes - deliveredBytes, 'bytes');
}

function dropReasons({ totals }: SimResult): Reason[] {
  return Object.entries(totals.drops)
    .filter(([, count]) => count > 0)
    .map(([why, count]) => reason(`packets dropped, ${why}`, count, 'packets'));
}
