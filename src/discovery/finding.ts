/**
 * Findings, which make up a report, and the names of nodes and priorities in them.
 */
import type { DscpMap } from '../wire/discovery/dscp-map.js';
import type { QosData } from '../wire/discovery/qos-data.js';
import { invalidArgument } from '../wire/bytes.js';
import { formatIpAddress } from '../wire/ip/ip-address.js';
import type { PathNode } from './correlate.js';
import type { FindingNote } from './sentences.js';

/** What a finding means for the path: RoCE data can be lost; it is unknown whether it can; or neither. */
export type FindingWeight = 'not-lossless' | 'unknown' | 'note';

/** A finding of a report on a path: a code with its figures; `text` is the sentence that they make. */
export type Finding = FindingNote & {
  /** Its weight in the verdict. */
  readonly weight: FindingWeight;
  /** Hop number that it concerns; absent if it concerns the whole path. */
  readonly hop?: number;
};

/** A node that reported its configuration: on the path, or the originator with the policy that it sent. */
export interface ReportingNode {
  /** At the start of a sentence: `Hop 3 (10.0.3.1)`. */
  readonly name: string;
  /** Within a sentence: `hop 3`. */
  readonly shortName: string;
  readonly hop: number;
  readonly qos: QosData;
}

/** An address in a sentence, with what a program knows of its node: `leaf2, 10.0.3.1`. */
export interface AddressWords {
  /** The address in the brackets of a sentence. Default: the address alone, as `formatIpAddress`. */
  readonly addressText?: (address: Uint8Array) => string;
}

/** `addressText`, checked. @throws RoceError `invalid-argument` for what is no function. */
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
 * The priority to which a node maps a DSCP: by its map, otherwise by its RoCE and CNP DSCPs; undefined when neither has
 * it.
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
