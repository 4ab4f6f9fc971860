/**
 * How a host marks a frame, and how a port classifies it: its priority, ingress buffer and egress queue, and why.
 *
 *   marking by    trust PCP                 trust DSCP
 *   Ethernet, UD  PCP by the WQE            DSCP by the TCLASS
 *   RC            PCP by the QP's eth prio  DSCP by the QP's TCLASS
 *
 * Sources: RoCE network proposal, slides "Switch Priority Classification" and "Host Ingress QoS Model", "In egress direction
 * ...". TCLASS is the IP header's traffic class byte: DSCP in the upper 6 bits, ECN in the lower 2 (RFC 2474, RFC 3168). The
 * ECN bits are not returned: the NIC sets them itself.
 */
import { checkRecord } from '../config/field-rules.js';
import { RoceError } from '../errors.js';
import { DSCP_COUNT, PRIORITY_COUNT, type QosMap, type TrustMode } from './qos-map.js';
import { checkMap } from './validate-qos.js';

/** The fields of a frame that classification reads. */
export interface PacketMarking {
  /** DSCP of the IP header, 0..63; absent if the frame is not IP. */
  readonly dscp?: number;
  /** PCP of the VLAN tag, 0..7; absent if the frame is untagged. */
  readonly pcp?: number;
}

/** A port's classification of a frame. */
export interface Classification {
  /** Priority that the packet is given, 0 to 7. */
  readonly priority: number;
  /** Priority group at the port where the frame enters. */
  readonly group: number;
  /** Traffic class at the port where the frame leaves. */
  readonly trafficClass: number;
  /** The field that determined the priority, or 'default' if the trusted field is missing. */
  readonly decidedBy: 'dscp' | 'pcp' | 'default';
  /** Explanation of the result: `trust dscp: DSCP 26 -> priority 3`. */
  readonly reason: string;
}

/**
 * Classifies a frame.
 *
 * @throws RoceError `invalid-argument` for a DSCP or a PCP out of range, `invalid-config` for a map that `validatePortQos` rejects.
 */
export function classify(map: QosMap, packet: PacketMarking): Classification {
  checkRecord(map, 'map');
  checkMap(map, 'map');
  checkRecord(packet, 'packet');
  requireCode('packet.dscp', packet.dscp, DSCP_COUNT - 1);
  requireCode('packet.pcp', packet.pcp, PRIORITY_COUNT - 1);
  const code = map.trust === 'dscp' ? packet.dscp : packet.pcp;
  if (code === undefined) return land(map, map.defaultPriority, 'default', undefined);
  const priority = map.trust === 'dscp' ? map.dscpToPriority[code] : map.pcpToPriority[code];
  return land(map, priority, map.trust, code);
}

function land(map: QosMap, priority: number, decidedBy: Classification['decidedBy'],
  code: number | undefined): Classification {
  return {
    priority,
    group: map.priorityToGroup[priority],
    trafficClass: map.priorityToTrafficClass[priority],
    decidedBy,
    reason: classificationWords(map.trust, code, priority),
  };
}

function requireCode(where: string, code: number | undefined, maximum: number): void {
  if (code === undefined || (Number.isInteger(code) && code >= 0 && code <= maximum)) return;
  const allowed = [{ min: 0, max: maximum, multipleOf: 1 }, undefined];
  throw new RoceError('invalid-argument', { where, got: code, allowed });
}

/** Describes how a port that trusts a field derives a priority: `trust dscp: DSCP 26 -> priority 3`. */
export function classificationWords(trust: TrustMode, code: number | undefined, priority: number): string {
  const missing = trust === 'dscp' ? 'no IP header' : 'no VLAN tag';
  const cause = code === undefined ? `${missing}, default` : `${trust.toUpperCase()} ${code}`;
  return `trust ${trust}: ${cause} -> priority ${priority}`;
}

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
  const value = requireValue(name, values[name], trust === 'pcp' ? PRIORITY_COUNT - 1 : TCLASS_MAXIMUM);
  return { source, marking: trust === 'pcp' ? { pcp: value } : { dscp: value >> ECN_BITS } };
}

function requireValue(name: string, value: number | undefined, maximum: number): number {
  if (value !== undefined && Number.isInteger(value) && value >= 0 && value <= maximum) return value;
  const allowed = { min: 0, max: maximum, multipleOf: 1 };
  throw new RoceError('invalid-argument', { where: `hostMarking.${name}`, got: value, allowed });
}
