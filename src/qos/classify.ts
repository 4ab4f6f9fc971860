/**
 * How a port classifies a frame: its priority, ingress buffer and egress queue, and why.
 *
 * Source: RoCE network proposal, slide "Switch Priority Classification".
 */
import { checkRecord } from '../config/field-rules.js';
import { RoceError } from '../errors.js';
import { classificationWords } from './classification-words.js';
import { DSCP_COUNT, PRIORITY_COUNT, type QosMap } from './qos-map.js';
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
