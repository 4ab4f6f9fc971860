/** Findings, of which a report consists, and the names of nodes and priorities in them. */
import type { DscpMap } from '../wire/discovery/qos-parts.js';
import type { QosData } from '../wire/discovery/qos-data.js';
import { invalidArgument } from '../wire/bytes.js';
import { formatIpAddress } from '../wire/ip/ip-address.js';
import type { PathNode } from './correlate.js';
import type { FindingNote } from './sentences.js';

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
