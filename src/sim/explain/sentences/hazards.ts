/** Sentences of findings on damage by PFC, by code; each function's parameter declares the figures. */
import { flowText, instantText, listText, listWords, portText, sentences, text, type Text, bytesWords, countWords,
  timeWords } from '../text.js';

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
