/**
 * Findings, of which a report consists, their sentences, and the names of nodes and priorities in them.
 *
 * A sentence belongs to its code, and its parameter declares the values. `node` and `neighbour` are names:
 * `Hop 3 (10.0.3.1)` at the start of a sentence, `hop 2` within one.
 */
import { noteMaker, type NoteOf } from '../note-record.js';
import { invalidArgument } from '../wire/bytes.js';
import { QosData } from '../wire/discovery/qos-data.js';
import type { DscpMap } from '../wire/discovery/qos-parts.js';
import { formatIpAddress } from '../wire/ip/ip-address.js';
import type { PathNode } from './probe.js';

/** Weight of a finding: RoCE data can be lost; it is unknown whether it can be lost; or just a note. */
export type FindingWeight = 'not-lossless' | 'unknown' | 'note';

/** A finding about a path: a code with its values, and `text`, the sentence made from them. */
export type Finding = FindingNote & {
  /** Its weight for the verdict. */
  readonly weight: FindingWeight;
  /** Hop number that it concerns; absent if it concerns the whole path. */
  readonly hop?: number;
};

/** A node that reported its configuration: on the path, or the originator with the policy that it sent. */
export interface ReportingNode {
  /** Name at the start of a sentence: `Hop 3 (10.0.3.1)`. */
  readonly name: string;
  /** Name within a sentence: `hop 3`. */
  readonly shortName: string;
  readonly hop: number;
  readonly qos: QosData;
}

/** Formats the addresses in sentences, possibly with a node name that the caller knows: `leaf2, 10.0.3.1`. */
export interface AddressWords {
  /** The text for an address. Default: `formatIpAddress`. */
  readonly addressText?: (address: Uint8Array) => string;
}

/** Validates `addressText`. @throws RoceError `invalid-argument` unless it is a function. */
export function addressTextOf(
  { addressText = formatIpAddress }: AddressWords,
): NonNullable<AddressWords['addressText']> {
  if (typeof addressText !== 'function') throw invalidArgument('settings.addressText', addressText, 'a function');
  return addressText;
}

/** `Hop 3 (10.0.3.1)`, `The destination (10.0.9.1)`. */
export function nameOf({ hop, isDestination, address }: PathNode,
  addressText: (address: Uint8Array) => string): string {
  return `${isDestination ? 'The destination' : `Hop ${hop}`} (${addressText(address)})`;
}

/** `hop 3`, `the destination`. */
export function shortNameOf({ hop, isDestination }: PathNode): string {
  return isDestination ? 'the destination' : `hop ${hop}`;
}

/**
 * The priority to which a node maps a DSCP: by its map, otherwise by its RoCE and CNP DSCPs; undefined if neither
 * covers the DSCP.
 */
export function priorityOf(qos: QosData, dscp: number): number | undefined {
  if (qos.dscpToPriority !== undefined) return qos.dscpToPriority[dscp];
  if (dscp === qos.roceDscp) return qos.rocePriority;
  return dscp === qos.cnpDscp ? qos.cnpPriority : undefined;
}

/** DSCPs that two maps treat differently. */
export function differingDscps(a: DscpMap, b: DscpMap): readonly number[] {
  return a.flatMap((priority, dscp) => (priority === b[dscp] ? [] : [dscp]));
}

interface OfNode {
  readonly node: string;
}
/** A node that differs from the nearest earlier node that reported its configuration. */
interface OfPair extends OfNode {
  readonly neighbour: string;
}
interface OfPriorities extends OfPair {
  readonly dscp: number;
  readonly priority: number;
  readonly neighbourPriority: number;
}

const TRUST_WORDS: Readonly<Record<number, string>> = {
  [QosData.TRUST_PORT]: 'the port alone',
  [QosData.TRUST_PCP]: 'PCP',
  [QosData.TRUST_DSCP]: 'DSCP',
  [QosData.TRUST_BOTH]: 'DSCP, or PCP of other than IP',
};
/** Maximum number of DSCPs that a sentence lists. */
const DSCPS_SHOWN = 3;

export const FINDING_SENTENCES = {
  // Findings about replies.
  'no-reply': ({ hop }: { readonly hop: number }): string =>
    `Hop ${hop} did not reply: request or reply was lost, so lossless treatment can't be assumed there.`,
  'destination-silent': ({ destination, lastReply }: {
    /** Address of the destination. */
    readonly destination: string;
    /** The last node that replied; null if none did. */
    readonly lastReply: string | null;
  }): string =>
    `The destination (${destination}) did not reply: ${
      lastReply === null ? 'no node replied' : `the last reply is that of ${lastReply}`
    }.`,
  'other-destination': ({ from, destination }: {
    /** Source of the reply, and the expected destination. */
    readonly from: string;
    readonly destination: string;
  }): string => `The final reply came from ${from}, not from the destination ${destination}.`,
  'beyond-destination': ({ node, destinationHop }: OfNode & { readonly destinationHop: number }): string =>
    `${node} lies beyond the destination, which counts ${destinationHop} hops.`,
  'second-destination': ({ node, hop, destinationHop }: OfNode & {
    readonly hop: number;
    readonly destinationHop: number;
  }): string => `${node} replied at ${hop} hops too, after a reply at ${destinationHop}.`,
  'contradicting-reply': ({ node, first }: OfNode & {
    /** Address of the first reply for the same position; null if unknown. */
    readonly first: string | null;
  }): string => `${node} contradicts ${first === null ? 'another reply' : `the reply of ${first}`} for the same place.`,

  // Findings about codes and data of one node.
  'not-supported': ({ node }: OfNode): string => `${node} answers "not supported".`,
  'partially-supported': ({ node }: OfNode): string => `${node} answers "partially supported".`,
  'undefined-code': ({ node, code }: OfNode & { readonly code: number }): string =>
    `${node} answers with code ${code}, which is not defined.`,
  'nothing-reported': ({ node }: OfNode): string => `${node} does not report how it treats RoCE data.`,
  'unreadable-report': ({ node, problem }: OfNode & { readonly problem: string }): string =>
    `${node} sent an unreadable report: ${problem}.`,
  'priority-not-reported': ({ node, dscp, roceDscp }: OfNode & {
    readonly dscp: number;
    /** The DSCP that the node reports for RoCE. */
    readonly roceDscp: number;
  }): string => `${node} does not report to which priority it maps DSCP ${dscp}: it names DSCP ${roceDscp} for RoCE.`,
  'priority-not-lossless': (
    { node, dscp, priority }: OfNode & { readonly dscp: number; readonly priority: number },
  ): string => `${node} does not hold priority ${priority}, to which it maps DSCP ${dscp}, lossless.`,
  'pfc-off': ({ node, priority }: OfNode & { readonly priority: number }): string =>
    `${node} calls priority ${priority} lossless but has PFC off on it.`,
  'dscp-not-trusted': ({ node, trustMode }: OfNode & { readonly trustMode: number }): string =>
    `${node} trusts ${trustWords(trustMode)}: the DSCP does not decide the class of RoCE data there.`,
  'mtu-below-policy': ({ node, mtuBytes, policyMtuBytes }: OfNode & {
    readonly mtuBytes: number;
    readonly policyMtuBytes: number;
  }): string =>
    `${node} has an MTU of ${mtuBytes} bytes, the policy asks for ${policyMtuBytes}: longer packets would be dropped there.`,

  // Findings about a node and its neighbour.
  'priorities-differ': ({ node, dscp, priority, neighbour, neighbourPriority, isLossless }: OfPriorities & {
    /** Whether the node treats this priority as lossless. */
    readonly isLossless: boolean;
  }): string =>
    `${node} maps DSCP ${dscp} to priority ${priority}, ${neighbour} to priority ${neighbourPriority}: ${
      isLossless ?
        'pauses between the two would stop the wrong queue' :
        'RoCE data would leave the lossless class there'
    }.`,
  'trust-differs': ({ node, trustMode, neighbour, neighbourTrustMode }: OfPair & {
    readonly trustMode: number;
    readonly neighbourTrustMode: number;
  }): string => `${node} trusts ${trustWords(trustMode)}, ${neighbour} trusts ${trustWords(neighbourTrustMode)}.`,
  'ecn-differs': ({ node, isMarking, neighbour }: OfPair & {
    /** Whether the node marks RoCE data. */
    readonly isMarking: boolean;
  }): string =>
    isMarking ?
      `${node} marks ECN on RoCE data, ${neighbour} does not: congestion there is only signalled by pauses.` :
      `${node} does not mark ECN on RoCE data, ${neighbour} does: its congestion is only signalled by pauses.`,
  'cnp-priorities-differ': ({ node, dscp, priority, neighbour, neighbourPriority }: OfPriorities): string =>
    `${node} maps CNPs (DSCP ${dscp}) to priority ${priority}, ${neighbour} to priority ${neighbourPriority}.`,
  'mtu-smaller': ({ node, mtuBytes, neighbour, neighbourMtuBytes }: OfPair & {
    readonly mtuBytes: number;
    readonly neighbourMtuBytes: number;
  }): string => `${node} has an MTU of ${mtuBytes} bytes, ${neighbour} one of ${neighbourMtuBytes}.`,
  'ets-shares-differ': ({ node, sharePercent, neighbour, neighbourSharePercent }: OfPair & {
    readonly sharePercent: number;
    readonly neighbourSharePercent: number;
  }): string => `${node} reserves ${sharePercent} % for RoCE data, ${neighbour} ${neighbourSharePercent} %.`,
  'dscp-maps-differ': ({ node, neighbour, dscps }: OfPair & {
    /** The DSCPs that the two map differently; null if the maps themselves were not reported. */
    readonly dscps: readonly number[] | null;
  }): string =>
    `${node} maps DSCPs to priorities differently from ${neighbour}${
      dscps === null ? '' : `: DSCP ${dscpWords(dscps)}`
    }.`,
};

/** A finding's code and values, and the sentence made from them. */
export type FindingNote = NoteOf<typeof FINDING_SENTENCES>;

export const findingNote = noteMaker(FINDING_SENTENCES);

function trustWords(trustMode: number): string {
  return TRUST_WORDS[trustMode] ?? `mode ${trustMode}, unknown here`;
}

/** `8, 10, 12 and 5 more`; empty when there are none. */
function dscpWords(dscps: readonly number[]): string {
  const rest = dscps.length - DSCPS_SHOWN;
  const shown = dscps.slice(0, DSCPS_SHOWN).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
