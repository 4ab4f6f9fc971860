/**
 * Which setting of a host determines a frame's marking, by kind of traffic and trust mode.
 *
 *                 trust PCP               trust DSCP
 *   Ethernet, UD  PCP by the WQE          DSCP by the TCLASS
 *   RC            PCP by the QP's eth prio  DSCP by the QP's TCLASS
 *
 * Source: RoCE network proposal, slide "Host Ingress QoS Model", "In egress direction ...". TCLASS is the IP header's
 * traffic class byte: DSCP in the upper 6 bits, ECN in the lower 2 (RFC 2474, RFC 3168). The ECN bits are not returned:
 * the NIC sets them itself.
 */
import { checkRecord } from '../config/field-rules.js';
import { RoceError } from '../errors.js';
import type { PacketMarking } from './classify.js';
import type { TrustMode } from './qos-map.js';

/** Kinds of traffic that a host marks differently. */
export type HostTraffic = 'ethernet' | 'ud' | 'rc';

/** The setting that determines the marking. */
export type MarkingSource = 'wqe-priority' | 'wqe-tclass' | 'qp-eth-priority' | 'qp-tclass';

/** The possible settings; only the one that applies is required. */
export interface HostMarkingValues {
  /** Priority in the work request, 0..7. */
  readonly wqePriority?: number;
  /** Traffic class byte of the work request (Ethernet: of the packet), 0..255. */
  readonly wqeTclass?: number;
  /** Ethernet priority of the queue pair, 0..7. */
  readonly qpEthPriority?: number;
  /** Traffic class byte of the queue pair, 0..255. */
  readonly qpTclass?: number;
}

/** The marking of the frame, and its source. */
export interface HostMarking {
  /** The setting that determined the marking. */
  readonly source: MarkingSource;
  /** DSCP and PCP of sent packets. */
  readonly marking: PacketMarking;
}

/** Bits of the ECN field below the DSCP in the traffic class byte. */
const ECN_BITS = 2;

const TCLASS_MAXIMUM = 255;
const PRIORITY_MAXIMUM = 7;

const VALUE_NAMES = {
  'wqe-priority': 'wqePriority',
  'wqe-tclass': 'wqeTclass',
  'qp-eth-priority': 'qpEthPriority',
  'qp-tclass': 'qpTclass',
} as const satisfies Record<MarkingSource, keyof HostMarkingValues>;

/** The setting that determines the marking. */
export function hostMarkingSource(traffic: HostTraffic, trust: TrustMode): MarkingSource {
  if (trust === 'pcp') return traffic === 'rc' ? 'qp-eth-priority' : 'wqe-priority';
  return traffic === 'rc' ? 'qp-tclass' : 'wqe-tclass';
}

/**
 * The marking of a frame sent by a host.
 *
 * @returns only the trusted field: under trust PCP a PCP, under trust DSCP a DSCP.
 * @throws RoceError `invalid-argument` when the required value is missing or out of range.
 */
export function hostEgressMarking(traffic: HostTraffic, trust: TrustMode, values: HostMarkingValues): HostMarking {
  checkRecord(values, 'values');
  const source = hostMarkingSource(traffic, trust);
  const name = VALUE_NAMES[source];
  const value = requireValue(name, values[name], trust === 'pcp' ? PRIORITY_MAXIMUM : TCLASS_MAXIMUM);
  return { source, marking: trust === 'pcp' ? { pcp: value } : { dscp: value >> ECN_BITS } };
}

function requireValue(name: string, value: number | undefined, maximum: number): number {
  if (value !== undefined && Number.isInteger(value) && value >= 0 && value <= maximum) return value;
  const allowed = { min: 0, max: maximum, multipleOf: 1 };
  throw new RoceError('invalid-argument', { where: `hostMarking.${name}`, got: value, allowed });
}
