/**
 * Precise flow control, congested node: the message that it sends to the node upstream
 * (draft-hu-rtgwg-rocev2-fcn-00, section 4.1.2).
 *
 *   service    five-tuple of the outer header | compression time
 *   flow       five-tuple of the inner header | compression time
 *   priority   priority id | compression time
 *
 * The node decides when to send it, from queue thresholds as for PFC. The draft does not say how to end a pause early:
 * by default type 2, congestion eliminated; or type 1 with time 0, as in a PFC frame.
 */
import { RoceError } from '../errors.js';
import { type CompressionTimeFormat, compressionTimeOf } from '../wire/arn/arn-format.js';
import { Arn, type ArnFields, requireFiveTuple } from '../wire/arn/arn.js';
import { requireChoice, requireField, requireRecord } from '../wire/bytes.js';
import type { PacketKeys } from './packet-keys.js';
import type { FlowControlMode } from './pause-table.js';

/** The request to the upstream node. */
export type FlowControlRequest = {
  /** The flow pauses for a while. */
  readonly kind: 'pause';
  /** Pause time: whole picoseconds above 0, rounded up to the unit. */
  readonly timePs: number;
} | {
  /** The flow resumes at once. */
  readonly kind: 'resume';
};

/** The message's other fields. */
export interface ArnForOptions extends CompressionTimeFormat, Pick<ArnFields, 'version' | 'metric' | 'pathId'> {
  /** Default `eliminated`: type 2 without a time; `zero-time`: type 1 with time 0. */
  readonly resumeBy?: 'eliminated' | 'zero-time';
}

/**
 * Builds the message about a packet that met congestion, or whose congestion has ended.
 *
 * @param mode what to pause: must match the receiver's configuration, since a message does not distinguish service and
 * flow.
 * @param keys of the packet; the key that the mode needs must be present.
 * @throws RoceError `invalid-argument` for an unknown mode, a missing key or an invalid time.
 */
export function arnFor(mode: FlowControlMode, keys: PacketKeys, request: FlowControlRequest,
  options: ArnForOptions = {}): Arn {
  requireRecord('keys', keys);
  requireRecord('request', request);
  requireRecord('options', options);
  const { version = Arn.defaults.version, metric = Arn.defaults.metric, pathId } = options;
  const head = { version, reserved4: Arn.defaults.reserved4, metric, ...(pathId !== undefined && { pathId }) };
  return { ...head, ...subjectFields(mode, keys), ...requestFields(request, options) };
}

function subjectFields(mode: FlowControlMode, keys: PacketKeys): Pick<Arn, 'flow' | 'priorityId'> {
  requireChoice('mode', mode, ['service', 'flow', 'priority']);
  if (mode === 'priority') {
    const priorityId = keys.priorityId ?? missing('priorityId');
    requireField('keys.priorityId', priorityId, 0xffffffff);
    return { priorityId };
  }
  const name = mode === 'service' ? 'outer' : 'inner';
  const flow = keys[name] ?? missing(name);
  requireFiveTuple(flow, `keys.${name}`);
  return { flow };
}

function requestFields(request: FlowControlRequest, options: ArnForOptions): Pick<Arn, 'type' | 'compressionTime'> {
  requireChoice('request.kind', request.kind, ['pause', 'resume']);
  const { resumeBy = 'eliminated' } = options;
  requireChoice('resumeBy', resumeBy, ['eliminated', 'zero-time']);
  if (request.kind === 'pause') {
    const compressionTime = compressionTimeOf(request.timePs, options);
    if (compressionTime > 0) return { type: Arn.CONGESTION_DETECTED, compressionTime };
    throw new RoceError('invalid-argument', {
      where: 'request.timePs',
      got: request.timePs,
      allowed: { above: 0, unit: 'ps', multipleOf: 1 },
      hint: 'A pause with time 0 would resume',
    });
  }
  if (resumeBy === 'eliminated') return { type: Arn.CONGESTION_ELIMINATED };
  return { type: Arn.CONGESTION_DETECTED, compressionTime: 0 };
}

function missing(key: keyof PacketKeys): never {
  throw new RoceError('invalid-argument', {
    what: 'packet',
    problem: 'lacks the key that the mode needs',
    where: `keys.${key}`,
  });
}
