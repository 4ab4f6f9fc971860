/**
 * Sentences of a verdict's findings and of runs of fidelity `reference-uet`, by code; each function's parameter
 * declares the figures.
 */
import { listWords, portText, text, type Text, bytesWords, countWords, percentWords, rateWords, timeWords,
  wholeWords } from '../text.js';

const TOO_SLOW = 'PFC paused links before senders were slow enough.';

export const VERDICT_SENTENCES = {
  'flows-completed': ({ flows, flowsDone, endlessFlows, completionPs, goodputBps }: {
    /** Flows that have an end. */
    readonly flows: number;
    readonly flowsDone: number;
    readonly endlessFlows: number;
    /** Completion times; null: no flow completed. */
    readonly completionPs: { readonly mean: number; readonly p99: number } | null;
    readonly goodputBps: number;
  }): Text => {
    const took = completionPs === null ?
      '' :
      ` in ${timeWords(completionPs.mean)} on average (p99 ${timeWords(completionPs.p99)})`;
    const all = flows === 0 ?
      `${countWords(endlessFlows, 'flow')} sent until the end` :
      `${wholeWords(flowsDone)} of ${countWords(flows, 'flow')} completed${took}`;
    return `${all}; goodput ${rateWords(goodputBps)}.`;
  },

  // ---- The bottleneck
  'no-switch-queue': (): Text => 'There is no switch whose queue could grow.',
  'longest-queue': ({ port, queueBytes, utilization, pausedShare }: {
    readonly port: string;
    readonly queueBytes: number;
    readonly utilization: number;
    /** Share of the run in which the port was paused; null: it was not paused. */
    readonly pausedShare: number | null;
  }): Text =>
    text`The longest queue, ${bytesWords(queueBytes)}, was at ${portText(port)}: ${
      percentWords(utilization)
    } utilization${pausedShare === null ? '' : `, paused for ${percentWords(pausedShare)}`}.`,

  // ---- What to try
  'try-routes-without-cycle': (): Text => 'Try: routes without a cycle, or switches.watchdog, which ends a deadlock.',
  'try-larger-buffer': ({ packetsDropped }: { readonly packetsDropped: number }): Text =>
    `Try: a larger switches.bufferBytes, or PFC (switches.pfc): ${
      countWords(packetsDropped, 'packet')
    } found the buffer full.`,
  'try-faster-recovery': ({ port }: { readonly port: string }): Text =>
    text`Try: faster recovery (larger rate increases, or a shorter increase timer): ${
      portText(port)
    } idled while senders were slowed.`,
  'look-at-host': ({ host, pauses }: { readonly host: string; readonly pauses: number }): Text =>
    `Look at ${host} first: it paused its switch ${
      countWords(pauses, 'time')
    }, which congestion control cannot prevent.`,
  'try-other-parameters': ({ algorithms }: { readonly algorithms: readonly string[] }): Text =>
    `Try: parameters of ${listWords(algorithms)} that react sooner, or more headroom: ${TOO_SLOW}`,
  'try-ecn': (): Text => 'Try: switches.ecn, so that senders slow down before PFC pauses links.',
  'try-lower-kmin': ({ port, kminBytes, hasFastCnps }: {
    readonly port: string;
    /** The port's Kmin; null: it changes during the run. */
    readonly kminBytes: number | null;
    readonly hasFastCnps: boolean;
  }): Text => {
    const sooner = hasFastCnps ? '' : ', or switches.fastCnp, which notifies senders from the switch';
    const present = kminBytes === null ? '' : text` (${bytesWords(kminBytes)} at ${portText(port)})`;
    return text`Try: a lower switches.ecn.kminKB${present}${sooner}: ${TOO_SLOW}`;
  },
  'look-at-drops': ({ packetsDropped }: { readonly packetsDropped: number }): Text =>
    `Look at the drops first: ${countWords(packetsDropped, 'packet')}, none for lack of buffer in a switch.`,
  'nothing-to-change': ({ isPaused }: {
    /** Whether any link was paused, however briefly. */
    readonly isPaused: boolean;
  }): Text =>
    `Nothing to change: ${isPaused ? 'links were hardly paused' : 'no link was paused'}, and nothing was lost.`,
  'no-advice-on-uet': (): Text => 'No advice: uet-htsim records neither single ports nor rates over time.',
};

/** Findings on runs of fidelity `reference-uet`. */
export const UET_SENTENCES = {
  'uet-packets-counted': ({ trimmedPackets, packetsDropped, markedPackets, retransmittedPackets }: {
    readonly trimmedPackets: number;
    readonly packetsDropped: number;
    readonly markedPackets: number;
    readonly retransmittedPackets: number;
  }): Text =>
    `Switches trimmed ${countWords(trimmedPackets, 'packet')}, dropped ${wholeWords(packetsDropped)} and marked ${
      wholeWords(markedPackets)
    }; senders retransmitted ${countWords(retransmittedPackets, 'packet')}.`,
  'uet-timeouts': ({ timeouts }: { readonly timeouts: number }): Text =>
    `${countWords(timeouts, 'retransmission timeout')} expired.`,
  'uet-longest-queue': ({ queueBytes }: { readonly queueBytes: number }): Text =>
    `The longest queue of data at any port was ${bytesWords(queueBytes)}.`,
};
