/** Sentences of findings on unfinished flows, by code; each function's parameter declares the figures. */
import type { SimResult } from '../../result.js';
import { flowText, instantText, portText, sentences, text, type Text, type TextPart, bytesWords, countWords,
  percentWords, rateWords, timeWords } from '../text.js';

export interface OfFlow {
  readonly flow: number;
  readonly from: string;
  readonly to: string;
}

/** What a sender did about lost packets. */
export interface AfterLoss {
  readonly timeouts: number;
  /** Number of retransmitted packets. */
  readonly retransmitted: number;
  /** Whether its host has a retransmission timeout. */
  readonly hasTimeout: boolean;
}

/** A link that the scenario takes down. */
export interface LinkDown {
  readonly port: string;
  readonly fromPs: number;
  /** When it comes up again; null: not before the run ends. */
  readonly toPs: number | null;
}

const ENDED: Readonly<Record<SimResult['ended'], string>> = {
  'all-flows-done': 'All flows are done.',
  'jobs-done': 'The run ended with its last job (end: jobs), although other flows remained.',
  time: 'The run ended because its time was up (durationUs).',
  stuck: 'The run ended because no event was left: no packet in flight and no timer set.',
  deadlock: 'The run ended because queues waited for each other in a cycle, and no other event was left.',
  cancelled: 'The run was cancelled.',
};

/** Sentences for what stopped a flow, by code. */
const OBSTACLE_SENTENCES = {
  'path-in-deadlock': ({ port }: { readonly port: string }): Text =>
    text`Its path leads through the deadlock, at ${portText(port)}.`,
  'held-by-deadlock': (): Text => 'It is held by the deadlock.',
  'paused-by-receiver': ({ to }: { readonly to: string }): Text => `${to} pauses its switch without end.`,
  'no-route': ({ to, packetsDropped }: { readonly to: string; readonly packetsDropped: number }): Text =>
    `Switches had no route to ${to} or to others: ${countWords(packetsDropped, 'packet')} dropped for that.`,
  'no-irn-timeout': (): Text =>
    'Its last packets were lost, and under reference-lossy IRN has no timeout where a switch sends pauses, as in the ' +
    'simulator that it reproduces: no host retransmits them.',
  'links-down-on-path': ({ links, packetsLost, ...after }: AfterLoss & {
    readonly links: readonly LinkDown[];
    /** Lost packets of all flows. */
    readonly packetsLost: number;
  }): Text =>
    text`${sentences(...links.map(linkDownText))} ${
      countWords(packetsLost, 'packet')
    } of all flows were lost for such reasons; ${afterLossWords(after)}.`,
  'links-down': ({ packetsLost, ...after }: AfterLoss & { readonly packetsLost: number }): Text =>
    `Links were down: ${countWords(packetsLost, 'packet')} lost; ${afterLossWords(after)}.`,
  'timeouts-of-flow': ({ timeouts, retransmitted }: Omit<AfterLoss, 'hasTimeout'>): Text =>
    `It had ${countWords(timeouts, 'timeout')} and retransmitted ${countWords(retransmitted, 'packet')}.`,
  'lost-without-timeout': (): Text =>
    'Its last packets or their ACKs were lost, and without a retransmission timeout (retransmitTimeoutUs is 0) ' +
    'no host retransmits them.',
  'waits-for-nothing': (): Text =>
    'It waits for an ACK, for a pause to end, or for the flow before it, and none can happen.',
  'nothing-arrived': (): Text => 'Nothing of it had arrived yet.',
  'needs-more-time': ({ paceBps, restPs }: {
    /** Its mean rate. */
    readonly paceBps: number;
    readonly restPs: number;
  }): Text => `It ran at ${rateWords(paceBps)} on average; at that pace it needs ${timeWords(restPs)} more.`,
  'rnr-retry-exceeded': ({ to, rnrNaks }: { readonly to: string; readonly rnrNaks: number }): Text =>
    `It failed: ${to} had posted no receive, and its RNR retries are exhausted (rnr-retry-exceeded, hosts.rnrRetryCount), ` +
    `after ${countWords(rnrNaks, 'RNR NAK')}.`,
  'remote-operation-error': ({ to }: { readonly to: string }): Text =>
    `It failed: ${to} reported an unexpected event in a NACK (remote-operation-error, fault receiver-discards), ` +
    'which allows no retry.',
  'retry-exceeded': ({ timeouts, naks }: { readonly timeouts: number; readonly naks: number }): Text =>
    `It failed: its retries are exhausted (retry-exceeded, hosts.retryCount), after ${
      countWords(timeouts, 'timeout')
    } and ${countWords(naks, 'NAK')} in all; its QP sent nothing more.`,
};

export const UNFINISHED_SENTENCES = {
  ...OBSTACLE_SENTENCES,
  'run-ended': ({ ended }: { readonly ended: SimResult['ended'] }): Text => ENDED[ended],
  'flow-not-begun': ({ flow, from, to, startPs, endPs }: OfFlow & {
    readonly startPs: number;
    /** End of the run. */
    readonly endPs: number;
  }): Text =>
    text`${flowText(flow, 'Flow')} (${from} to ${to}) had not begun: it starts at ${
      instantText(startPs)
    }, the run ended at ${instantText(endPs)}.`,
  'flow-unfinished': ({ flow, from, to, deliveredBytes, sizeBytes, obstacle }: OfFlow & {
    readonly deliveredBytes: number;
    readonly sizeBytes: number;
    /** The finding on what stopped it. */
    readonly obstacle: { readonly code: string; readonly parts: readonly TextPart[] };
  }): Text =>
    sentences(
      text`${flowText(flow, 'Flow')} (${from} to ${to}) delivered ${bytesWords(deliveredBytes)} of ${
        bytesWords(sizeBytes)
      } (${percentWords(deliveredBytes / sizeBytes)}).`,
      obstacle.parts,
    ),
  'more-unfinished': ({ flows }: { readonly flows: number }): Text => `${countWords(flows, 'more flow')} likewise.`,
};

function linkDownText({ port, fromPs, toPs }: LinkDown): Text {
  return text`The link at ${portText(port)} on its path was down from ${instantText(fromPs)} ${
    toPs === null ? 'to the end of the run' : text`to ${instantText(toPs)}`
  }.`;
}

/** How the sender reacted to losses: by timeouts, by other retransmissions, or not at all. */
function afterLossWords({ timeouts, retransmitted, hasTimeout }: AfterLoss): string {
  if (timeouts > 0) return `it had ${countWords(timeouts, 'timeout')}`;
  if (retransmitted > 0) return `it retransmitted ${countWords(retransmitted, 'packet')}`;
  return hasTimeout ?
    'its timeout did not expire before the end' :
    'hosts have no retransmission timeout, so none retransmits them';
}
