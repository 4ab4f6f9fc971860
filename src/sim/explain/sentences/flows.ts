/**
 * Sentences of findings on flows, their rates and unfinished flows, by code; each function's parameter declares the
 * figures.
 */
import type { SimResult } from '../../result.js';
import type { Fidelity } from '../../scenario/spec.js';
import { flowText, instantText, portText, sentences, text, type Text, bytesWords, countWords, percentWords, rateWords,
  timeWords, wholeWords, type TextPart } from '../text.js';

export interface OfPort {
  readonly port: string;
}

export interface OfFlow {
  readonly flow: number;
  readonly from: string;
  readonly to: string;
}

export interface Slowness {
  readonly completionPs: number;
  readonly idealPs: number;
  readonly slowdown: number;
}

const CUT = 'Rates were cut too far or recovered too slowly.';

export const FLOW_SENTENCES = {
  // ---- The slowest flow
  'slowest-not-slow': ({ flow, from, to, ...took }: OfFlow & Slowness): Text =>
    text`No: the slowest, ${flowText(flow)} (${from} to ${to}), took ${tookWords(took)}.`,
  'slowest-took': (took: Slowness): Text => `It took ${tookWords(took)}.`,
  'no-cause-recorded': (): Text => 'No pause, no loss and no full link was recorded on its path.',
  'flow-lost-packets': ({ isByWaiting, retransmitted, timeouts }: {
    /** Whether packets waited longer than the timeout, and none was lost. */
    readonly isByWaiting: boolean;
    /** Number of retransmitted packets. */
    readonly retransmitted: number;
    readonly timeouts: number;
  }): Text =>
    `${
      isByWaiting ?
        'Packets or their ACKs waited longer than the retransmission timeout, although none was lost' :
        'Packets were lost'
    }: ${countWords(retransmitted, 'packet')} retransmitted, ${countWords(timeouts, 'timeout')}.`,
  'port-on-path-paused': ({ port, pausedPs, share }: OfPort & {
    readonly pausedPs: number;
    /** Share of the flow's completion time. */
    readonly share: number;
  }): Text =>
    text`${portText(port)} on its path was paused for ${timeWords(pausedPs)}, ${
      percentWords(share)
    } of the time that it took.`,
  'queue-on-path': (
    { port, meanBytes, waitPs }: OfPort & { readonly meanBytes: number; readonly waitPs: number },
  ): Text =>
    text`The queue at ${portText(port)} was ${bytesWords(meanBytes)} long on average while it ran: a packet waited ${
      timeWords(waitPs)
    } there.`,
  'link-shared': (
    { port, utilization, flows }: OfPort & { readonly utilization: number; readonly flows: number },
  ): Text =>
    text`The link at ${portText(port)} was ${percentWords(utilization)} used, and ${
      countWords(flows, 'flow')
    } shared it: with equal shares up to ${wholeWords(flows)} times the ideal is to be expected.`,
  'link-not-full': ({ port, utilization, flows }: OfPort & {
    readonly utilization: number;
    readonly flows: number;
  }): Text =>
    text`Its fullest link, ${portText(port)} (${countWords(flows, 'flow')}), averaged only ${
      percentWords(utilization)
    } utilization.`,
  'rate-held': ({ algorithm, meanRateBps, lineRateBps, unstatedRate }: {
    readonly algorithm: string;
    readonly meanRateBps: number;
    readonly lineRateBps: number;
    /** A port whose rate has no code in the reference simulator's telemetry records; null: none. */
    readonly unstatedRate: OfPort & { readonly rateBps: number; readonly fidelity: Fidelity } | null;
  }): Text =>
    sentences(rateHeldWords(algorithm, meanRateBps, lineRateBps), unstatedRate !== null &&
      text`HPCC's records under fidelity ${unstatedRate.fidelity} have no code for the ${
        rateWords(unstatedRate.rateBps)
      } of ${portText(unstatedRate.port)}: its sender assumes 25 Gb/s, as in the reference simulator.`),
  'rate-cut': ({ notifications, lowestRateBps, isTooFar }: {
    readonly notifications: number;
    /** Lowest recorded rate; null: no rate was recorded. */
    readonly lowestRateBps: number | null;
    /** Whether the cuts went too far: no link of the path was full. */
    readonly isTooFar: boolean;
  }): Text =>
    sentences(
      `Its rate was cut by ${countWords(notifications, 'notification')}${
        lowestRateBps === null ? '' : `; at its lowest it was ${rateWords(lowestRateBps)}`
      }.`,
      isTooFar && CUT,
    ),

  // ---- Receivers that were not ready
  'receivers-not-ready': ({ flows, rnrNaks }: { readonly flows: number; readonly rnrNaks: number }): Text =>
    `${countWords(flows, 'flow')} reached a receiver that had posted no receive: ${countWords(rnrNaks, 'RNR NAK')}.`,
  'flow-waited-for-receiver': ({ flow, to, waitPs, rnrNaks }: Omit<OfFlow, 'from'> & {
    readonly waitPs: number;
    readonly rnrNaks: number;
  }): Text =>
    text`${flowText(flow, 'Flow')} waited ${timeWords(waitPs)} for ${to}, after ${countWords(rnrNaks, 'RNR NAK')}.`,
  'rnr-retries-exhausted': ({ flows }: { readonly flows: number }): Text =>
    `${countWords(flows, 'flow')} failed with exhausted RNR retries (hosts.rnrRetryCount).`,
  'rnr-is-no-loss': (): Text => 'Nothing was lost in the network for that, and congestion control was not notified.',

  // ---- Messages of a queue pair
  'qps-of-messages': ({ qps, messages }: { readonly qps: number; readonly messages: number }): Text =>
    `${countWords(qps, 'QP')} ${qps === 1 ? 'carries' : 'carry'} ${countWords(messages, 'message')}; ` +
    'a message begins with the rate that its QP has.',
  'all-at-line-rate': (): Text => 'All of them began at line rate.',
  'messages-below-line-rate': ({ messages, slowest }: {
    readonly messages: number;
    /** The message that began at the lowest rate. */
    readonly slowest: OfFlow & {
      readonly rateBps: number;
      /** The previous message on its queue pair, and the time since that ended. */
      readonly before: number;
      readonly idlePs: number;
      /** Notifications to which the previous message reacted. */
      readonly notifications: number;
    };
  }): Text => {
    const { flow, from, to, rateBps, before, idlePs, notifications } = slowest;
    return text`${countWords(messages, 'message')} began below line rate. The slowest, ${
      flowText(flow)
    } (${from} to ${to}), began with ${rateWords(rateBps)}, the rate of its QP ${
      idlePs > 0 ? `${timeWords(idlePs)} after` : 'directly after'
    } ${flowText(before)}${
      notifications === 0 ? '' : `, which had reacted to ${countWords(notifications, 'notification')}`
    }.`;
  },
  'qps-restarted': ({ messages }: { readonly messages: number }): Text =>
    `${countWords(messages, 'message')} restarted a QP at line rate after hosts.idleRestartUs.`,

  // ---- Changes of a rate
  'no-rate-change': (): Text => 'The trace has no change of this rate.',
  'rate-changed': ({ changes, fromPs, toPs, fromBps, toBps, lowestBps, lowestPs }: {
    readonly changes: number;
    readonly fromPs: number;
    readonly toPs: number;
    readonly fromBps: number;
    readonly toBps: number;
    readonly lowestBps: number;
    readonly lowestPs: number;
  }): Text =>
    text`It changed ${countWords(changes, 'time')} from ${instantText(fromPs)} to ${instantText(toPs)}: from ${
      rateWords(fromBps)
    } to ${rateWords(toBps)}, the lowest ${rateWords(lowestBps)} at ${instantText(lowestPs)}.`,
  'rate-changed-for': ({ change, changes, firstPs, lastPs, largestFromBps, largestToBps }: {
    /** Reason and cause of the change, as in the trace. */
    readonly change: string;
    readonly changes: number;
    readonly firstPs: number;
    readonly lastPs: number;
    readonly largestFromBps: number;
    readonly largestToBps: number;
  }): Text =>
    text`${change}: ${countWords(changes, 'time')} ${
      changes === 1 ? text`at ${instantText(firstPs)}` : text`from ${instantText(firstPs)} to ${instantText(lastPs)}`
    }${changes === 1 ? '' : ', at most'} from ${rateWords(largestFromBps)} to ${rateWords(largestToBps)}.`,
  'rate-changed-for-others': ({ changes }: { readonly changes: number }): Text =>
    `Other reasons: ${countWords(changes, 'time')}.`,
};

/** States the rate that congestion control allowed, without its cause. */
export function rateHeldWords(algorithm: string, meanRateBps: number, lineRateBps: number): string {
  return `Congestion control (${algorithm}) allowed it ${rateWords(meanRateBps)} on average, of ${
    rateWords(lineRateBps)
  }.`;
}

/** States that cuts were the cause, without their number. */
export const cutWords = (): string => CUT;

function tookWords({ completionPs, idealPs, slowdown }: Slowness): string {
  return `${timeWords(completionPs)}, ${threeDigits(slowdown)} times its ideal, ${timeWords(idealPs)}`;
}

function threeDigits(value: number): string {
  return String(Number(value.toPrecision(3)));
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

/** Findings on unfinished flows. */
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
