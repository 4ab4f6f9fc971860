/**
 * Sentences of findings on equal paths, jobs, discovery, settings and WANs with tunnels, by code; each function's
 * parameter declares the figures.
 */
import type { Note } from '../../note.js';
import type { CriticalPath, DiscoveryFindingResult } from '../../result.js';
import { flowText, instantText, listText, listWords, portText, sentences, text, type Text, type TextPart, bytesWords,
  countWords, percentWords, timeWords, wholeWords } from '../text.js';

/** The parts of a job's critical path. */
export const CRITICAL_PARTS = {
  computePs: 'computing',
  messagePs: 'messages alone',
  queueingPs: 'waiting in queues',
  heldBackPs: 'senders held back by congestion control or pauses',
  overheadPs: 'overheads of sends and receives',
  otherPs: 'waiting for receives and lanes',
} as const satisfies Partial<Readonly<Record<keyof CriticalPath, string>>>;

/** A part of the time of a critical path, by its field. */
export type CriticalPart = keyof typeof CRITICAL_PARTS;

const DIGITS = 3;

/** Sentences for settings that changed nothing, by the effect that did not occur. */
const EFFECTS = {
  pauses: '0 pauses were sent',
  marks: '0 packets were marked',
  'fast-cnps': '0 Fast CNPs were sent',
  cnps: '0 CNPs were sent',
  timeouts: '0 timeouts expired',
  losses: '0 packets were lost by them',
  notifications: '0 notifications reached a sender, so no parameter of DCQCN was used',
} as const;

/** An effect that a setting can have. */
export type Effect = keyof typeof EFFECTS;

export const effectWords = (effect: Effect): string => EFFECTS[effect];

export const NETWORK_SENTENCES = {
  // ---- Equal paths
  'equal-paths': ({ fairness, node, paths, leastBytes, mostBytes, nodeFairness }: {
    /** Jain's fairness index over all sets of equal paths. */
    readonly fairness: number;
    /** The most uneven node. */
    readonly node: string;
    readonly paths: number;
    readonly leastBytes: number;
    readonly mostBytes: number;
    readonly nodeFairness: number;
  }): Text =>
    sentences(`Jain's index of what equal paths sent is ${indexWords(fairness)} (1: all the same).`,
      `Most uneven was ${node}: its ${wholeWords(paths)} paths sent ${bytesWords(leastBytes)} to ${
        bytesWords(mostBytes)
      } (${indexWords(nodeFairness)}).`),
  'detours-taken': ({ detours, flows }: { readonly detours: number; readonly flows: number }): Text =>
    `Senders changed UDP source ports ${countWords(detours, 'time')}, ${countWords(flows, 'flow')} in all.`,
  'all-in-order': (): Text => 'All data arrived in order.',
  'out-of-order': ({ packets, dataPackets, depthPackets, flow }: {
    readonly packets: number;
    readonly dataPackets: number;
    readonly depthPackets: number;
    /** The flow with that reordering depth. */
    readonly flow: number;
  }): Text =>
    text`${wholeWords(packets)} of ${
      countWords(dataPackets, 'data packet')
    } arrived ahead of the expected one, by up to ${countWords(depthPackets, 'packet')} (${flowText(flow)}).`,

  // ---- Jobs
  'critical-path': ({ steps, completionPs, parts }: {
    readonly steps: number;
    readonly completionPs: number;
    /** Parts of the critical path, the longest first. */
    readonly parts: readonly { readonly part: CriticalPart; readonly timePs: number }[];
  }): Text =>
    `The chain of operations that ended last has ${countWords(steps, 'step')}: ${
      listWords(parts.map(({ part, timePs }) =>
        `${timeWords(timePs)} (${percentWords(timePs / completionPs)}) ${CRITICAL_PARTS[part]}`
      ))
    }.`,
  'messages-waited-at': (
    { ports }: { readonly ports: readonly { readonly port: string; readonly waitPs: number }[] },
  ): Text =>
    text`Its messages waited most at ${
      listText(ports.map(({ port, waitPs }) => text`${portText(port)} (${timeWords(waitPs)})`))
    }, by the queues that were sampled.`,
  'job-ended-on': ({ rank, host }: {
    readonly rank: number;
    /** Its host; null: it has none. */
    readonly host: string | null;
  }): Text => `It ended on rank ${rank} (${host ?? 'no host'}).`,
  'long-step': ({ step, flow, fromPs, lastsPs, waitedPs }: {
    readonly step: string;
    /** Its message; null: it has none. */
    readonly flow: number | null;
    readonly fromPs: number;
    readonly lastsPs: number;
    readonly waitedPs: number;
  }): Text => {
    const named: readonly TextPart[] = [flow === null ? { text: step } : { text: step, flow }];
    return text`Long step at ${instantText(fromPs)}: ${named}: ${timeWords(lastsPs)}${
      waitedPs > 0 ? ` (${timeWords(waitedPs)} waiting)` : ''
    }.`;
  },

  // ---- Discovery
  'paths-found': ({ paths, notLossless, unknown }: {
    readonly paths: number;
    readonly notLossless: number;
    readonly unknown: number;
  }): Text => {
    const all = countWords(paths, 'path');
    if (notLossless + unknown === 0) return `Discovery found ${all} lossless.`;
    if (notLossless === paths) return `Discovery probed ${all}; ${paths === 1 ? 'it is not' : 'none is'} lossless.`;
    return `Discovery probed ${all}: ${
      listWords([
        ...(notLossless > 0 ? [`${notLossless} not lossless`] : []),
        ...(unknown > 0 ? [`${unknown} not known`] : []),
      ])
    }.`;
  },
  'path-differs': ({ finding }: {
    /** The discovery's finding as a sentence. */
    readonly finding: string;
    /** The finding as data; null: the result has none. */
    readonly found: DiscoveryFindingResult | null;
  }): Text => finding,
  'more-paths-differ': ({ findings }: { readonly findings: number }): Text => `${findings} more.`,
  'policy-pushed': ({ changed, isAsAsked, verdict }: {
    /** Switches whose settings were changed. */
    readonly changed: readonly string[];
    readonly isAsAsked: boolean;
    readonly verdict: string;
  }): Text => {
    const corrected = changed.length === 0 ? 'changed no switch' : `changed ${listWords(changed)}`;
    const then = verdict === 'lossless' ? 'lossless, but not all nodes met it' : verdict;
    return `The pushed policy ${corrected}; then ${isAsAsked ? 'all nodes met it' : `the network was ${then}`}.`;
  },
  'probes-sent': ({ requests, replies, repliesDropped, endPs }: {
    readonly requests: number;
    readonly replies: number;
    readonly repliesDropped: number;
    readonly endPs: number;
  }): Text =>
    `${countWords(requests, 'request')}, ${replies === 1 ? '1 reply' : `${wholeWords(replies)} replies`}${
      repliesDropped > 0 ? `, ${repliesDropped} of them dropped by access lists` : ''
    }; discovery delayed the flows by ${timeWords(endPs)}.`,

  // ---- Settings
  'every-setting-used': (): Text => 'None: every mechanism that the scenario enables was exercised.',
  'noted': ({ sentence }: {
    /** A note of the result. */
    readonly sentence: string;
    /** The note as data; null: the result has none. */
    readonly note: Note | null;
  }): Text => sentence,
  'setting-unused': ({ setting, effect }: { readonly setting: string; readonly effect: Effect }): Text =>
    `Setting ${setting} changed nothing: ${EFFECTS[effect]}.`,
};

function indexWords(index: number): string {
  return String(Number(index.toFixed(DIGITS)));
}

export interface FirstNotified {
  readonly host: string;
  readonly timePs: number;
  readonly flow: number;
}

/** Findings on a WAN with tunnels. */
export const WAN_SENTENCES = {
  'tunnels-unused': (): Text => 'No packet entered a tunnel.',
  'tunnels-entered': ({ packets, nodes }: { readonly packets: number; readonly nodes: readonly string[] }): Text =>
    `${countWords(packets, 'packet')} entered tunnels at ${listWords(nodes)}.`,
  'tunnel-ecn-mismatch': ({ nodes }: {
    readonly nodes: readonly {
      readonly node: string;
      readonly packets: number;
      readonly packetsDropped: number;
    }[];
  }): Text =>
    sentences(
      ...nodes.map(({ node, packets, packetsDropped }) =>
        `${node} warns of ${
          countWords(packets, 'packet')
        } whose inner and outer ECN fields are inconsistent (RFC 6040)${
          packetsDropped > 0 ? `, and dropped ${packetsDropped} of them: marked outside, not ECN-capable inside` : ''
        }.`
      ),
    ),
  'fast-cnps-denied': ({ places }: {
    readonly places: readonly { readonly node: string; readonly way: 'in' | 'out'; readonly fastCnps: number }[];
  }): Text =>
    `Access lists rejected Fast CNPs: ${
      listWords(places.map(({ node, way, fastCnps }) => `${fastCnps} at ${node} on the way ${way}`))
    }; wan.accessLists names those that may pass.`,
  'fast-cnps-by-end-con': ({ sent, received }: {
    readonly sent: readonly { readonly node: string; readonly fastCnps: number }[];
    readonly received: readonly { readonly node: string; readonly fastCnps: number }[];
  }): Text =>
    `Fast CNPs went by END.CON: ${listWords(sent.map(({ node, fastCnps }) => `${node} sent ${fastCnps}`))}, ${
      received.length === 0 ?
        'none arrived' :
        listWords(received.map(({ node, fastCnps }) => `${node} received ${fastCnps}`))
    }.`,
  'first-notified': ({ byFastCnp, byCnp }: {
    /** Flows that were notified by Fast CNPs only; null: none. */
    readonly byFastCnp: FirstNotified | null;
    readonly byCnp: FirstNotified | null;
  }): Text => {
    const parts = [
      ...(byFastCnp === null ? [] : [firstText(byFastCnp, 'Fast CNP')]),
      ...(byCnp === null ? [] : [firstText(byCnp, 'CNP')]),
    ];
    return text`Of flows notified in one way only, ${listText(parts)}.`;
  },
  'traffic-held': ({ byArns, ports, arnsExpired, byPfc, victims }: {
    /** Flows, tunnels or slices that ARNs held. */
    readonly byArns: readonly { readonly level: string; readonly name: string; readonly heldPs: number }[];
    readonly ports: readonly { readonly port: string; readonly heldPs: number; readonly by: string }[];
    readonly arnsExpired: number;
    readonly byPfc: readonly {
      readonly port: string;
      readonly pausedPs: number;
      readonly by: string;
      /** When the first pause began; null: not recorded. */
      readonly firstPs: number | null;
    }[];
    /** Number of flows held by pauses that began elsewhere. */
    readonly victims: number;
  }): Text =>
    sentences(byArns.length > 0 &&
      `ARNs held ${listWords(byArns.map(({ level, name, heldPs }) => `${level} ${name} for ${timeWords(heldPs)}`))}.`,
      ports.length > 0 &&
        text`${
          listText(
            ports.map(({ port, heldPs, by }) =>
              text`${portText(port)} waited ${timeWords(heldPs)} because ${by} paused it`
            ),
          )
        }.`, arnsExpired > 0 && `${countWords(arnsExpired, 'pause')} by ARNs expired.`, byPfc.length > 0 &&
      text`PFC paused ${
        listText(byPfc.map(({ port, pausedPs, by, firstPs }) =>
          text`${portText(port)} for ${timeWords(pausedPs)} by ${by}${
            firstPs === null ? '' : text`, first at ${instantText(firstPs)}`
          }`
        ))
      }.`, victims > 0 && `Pauses that began elsewhere held ${countWords(victims, 'flow')}.`),
};

function firstText({ host, timePs, flow }: FirstNotified, kind: string): Text {
  return text`a ${kind} notified ${host} first at ${instantText(timePs)} (${flowText(flow)})`;
}
