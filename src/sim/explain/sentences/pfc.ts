/** Sentences of findings on pauses and on damage by PFC, by code; each function's parameter declares the figures. */
import type { OfPort } from './flows.js';
import { portText, text, type Text, bytesWords, countWords, percentWords, timeWords, flowText, instantText, listText,
  listWords, sentences } from '../text.js';

/** Findings on pauses. */
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

/** The origin of the pauses that held a flow. */
export type Culprit = { readonly kind: 'cycle' } | {
  readonly kind: 'pause-storm' | 'slow-receiver';
  readonly host: string;
  readonly port: string;
} | { readonly kind: 'queue'; readonly port: string };

/** A flow held by pauses that began elsewhere. */
export interface Victim {
  readonly flow: number;
  readonly from: string;
  readonly to: string;
  readonly heldPs: number;
  readonly port: string;
  readonly culprit: Culprit;
}

/** Findings on damage by PFC. */
export const HAZARD_SENTENCES = {
  'deadlock': ({ ports, morePorts, formedPs, foundPs, resolvedPs, moreDeadlocks }: {
    /** The first ports of its cycle. */
    readonly ports: readonly string[];
    readonly morePorts: number;
    readonly formedPs: number;
    readonly foundPs: number;
    /** When it was found resolved; null: never. */
    readonly resolvedPs: number | null;
    readonly moreDeadlocks: number;
  }): Text =>
    sentences(
      text`Deadlock: ${
        listText([...ports.map(portText), ...(morePorts > 0 ? [countWords(morePorts, 'more port')] : [])])
      } wait for each other in a cycle, each paused until the next one sends, and ${
        portText(ports[ports.length - 1])
      } for ${portText(ports[0])}.`,
      text`The cycle was closed at ${instantText(formedPs)} and found at ${instantText(foundPs)}.`,
      resolvedPs === null ?
        'It was never resolved.' :
        text`It was found resolved at ${instantText(resolvedPs)}.`,
      moreDeadlocks > 0 && `${countWords(moreDeadlocks, 'more deadlock')} followed.`,
    ),
  'pause-storm': ({ host, peers, fromPs, lastsPs, pauses }: {
    readonly host: string;
    /** The nodes that it paused. */
    readonly peers: readonly string[];
    readonly fromPs: number;
    /** Duration; null: without end. */
    readonly lastsPs: number | null;
    readonly pauses: number;
  }): Text =>
    text`Pause storm: ${host} paused ${listWords(peers)} from ${instantText(fromPs)} on, ${
      lastsPs === null ? 'without end' : `for ${timeWords(lastsPs)}`
    } (${countWords(pauses, 'pause frame')}).`,
  'slow-receiver': ({ host, rateGbps, peer, heldBytes, pauses, packetsDropped }: {
    readonly host: string;
    readonly rateGbps: number;
    /** The node that it paused; null: it has no port. */
    readonly peer: string | null;
    /** Maximum bytes in its receive buffer. */
    readonly heldBytes: number;
    readonly pauses: number;
    readonly packetsDropped: number;
  }): Text =>
    `Slow receiver: ${host} took in ${rateGbps} Gb/s; its receive buffer held up to ${
      bytesWords(heldBytes)
    }, it paused ${peer ?? 'its switch'} ${countWords(pauses, 'time')} and dropped ${
      countWords(packetsDropped, 'packet')
    }.`,
  'watchdog': ({ port, storms, stormedPs, restored, packetsDropped }: {
    readonly port: string;
    readonly storms: number;
    readonly stormedPs: number;
    readonly restored: number;
    readonly packetsDropped: number;
  }): Text =>
    text`The watchdog at ${portText(port)} declared a queue stormed ${countWords(storms, 'time')} (${
      timeWords(stormedPs)
    } in all), restored it ${countWords(restored, 'time')}, and dropped ${countWords(packetsDropped, 'packet')}.`,
  'victims': ({ flows, longest }: {
    readonly flows: number;
    /** The victims that were held longest. */
    readonly longest: readonly Victim[];
  }): Text =>
    text`Victims: ${countWords(flows, 'flow')} held by pauses that began elsewhere: ${
      listText(longest.map(({ flow, from, to, heldPs, port, culprit }) =>
        text`${flowText(flow)} (${from} to ${to}) for ${timeWords(heldPs)} at ${portText(port)}, by ${
          culpritText(culprit)
        }`
      ))
    }.`,
};

function culpritText(culprit: Culprit): Text {
  if (culprit.kind === 'cycle') return 'the cycle of ports that waited for each other';
  const port = portText(culprit.port);
  if (culprit.kind === 'queue') return text`the queue at ${port}`;
  return culprit.kind === 'pause-storm' ?
    text`the storm of ${culprit.host}, which paused ${port}` :
    text`${culprit.host}, which receives slowly and paused ${port}`;
}
