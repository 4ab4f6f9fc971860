/** Sentences of findings on pauses, by code; each function's parameter declares the figures. */
import { portText, text, type Text, bytesWords, countWords, percentWords, timeWords } from '../text.js';

export interface OfPort {
  readonly port: string;
}

export const PAUSE_SENTENCES = {
  'pauses-of-switches': ({ pauses, others }: {
    readonly pauses: number;
    /** Pause frames sent by hosts. */
    readonly others: number;
  }): Text =>
    `Frames came in faster than they went out until their share of memory passed the pause threshold: ${
      countWords(pauses, 'pause')
    } ${others > 0 ? 'from switches' : 'in all'}.`,
  'pauses-of-hosts': ({ pauses }: { readonly pauses: number }): Text =>
    `${countWords(pauses, 'pause')} came from hosts.`,
  'most-pauses': ({ port, pauses, peer }: OfPort & { readonly pauses: number; readonly peer: string }): Text =>
    text`${portText(port)} sent most, ${countWords(pauses, 'pause')}, to ${peer}.`,
  'threshold-fell': ({ thresholdBytes }: { readonly port: string; readonly thresholdBytes: number }): Text =>
    `As the switch filled up, the threshold there fell to ${bytesWords(thresholdBytes)} at its lowest.`,
  'paused-longest': ({ port, pausedPs, share }: OfPort & {
    readonly pausedPs: number;
    /** Share of the run. */
    readonly share: number;
  }): Text => text`${portText(port)} was paused longest, ${timeWords(pausedPs)} (${percentWords(share)} of the run).`,
  'no-switch-to-pause': (): Text => 'There is no switch.',
  'pfc-off': ({ switches }: { readonly switches: number }): Text =>
    `PFC is off at ${switches === 1 ? 'the only switch' : `all ${switches} switches`}: switches.pfc is false.`,
  'threshold-not-reached': ({ port, heldBytes, thresholdBytes }: OfPort & {
    readonly heldBytes: number;
    readonly thresholdBytes: number;
  }): Text =>
    text`PFC is on, but no port reached its threshold: nearest was ${
      portText(port)
    }, whose incoming frames held at most ${bytesWords(heldBytes)} of shared memory, ${
      percentWords(heldBytes / Math.max(1, thresholdBytes))
    } of the lowest threshold there, ${bytesWords(thresholdBytes)}.`,
  'threshold-not-reached-by-bound': ({ node, heldBytes, thresholdBytes }: {
    readonly node: string;
    readonly heldBytes: number;
    /** Lower bound of the threshold. */
    readonly thresholdBytes: number;
  }): Text =>
    `PFC is on, but no port reached its threshold. At ${node}, the fullest switch, all queues at their longest add up to ` +
    `${bytesWords(heldBytes)}; the threshold was never below an eighth of what that leaves free, ${
      bytesWords(thresholdBytes)
    }, ${heldBytes < thresholdBytes ? 'so none can have been reached' : 'which alone does not rule it out'}.`,
  'windows-hold-queues': ({ port, flows, windowBytes }: OfPort & {
    readonly flows: number;
    /** Sum of the windows of all flows. */
    readonly windowBytes: number;
  }): Text =>
    text`Windows hold the ${countWords(flows, 'flow')} through ${portText(port)} to ${
      bytesWords(windowBytes)
    } of payload in flight together, and queues can hold no more than that (headers and a packet per flow aside).`,
  'notified-instead': ({ notifications }: { readonly notifications: number }): Text =>
    `Senders were notified of congestion ${countWords(notifications, 'time')}.`,
};
