/**
 * Precise flow control in a WAN, upstream side: an ARN asks the node to pause a service, a flow or a priority
 * (draft-hu-rtgwg-rocev2-fcn-00, section 4.1).
 *
 *   mode       message carries                    pauses until now + time
 *   service    five-tuple of the outer header, time   packets with this outer five-tuple
 *   flow       five-tuple of the inner header, time   packets with this inner five-tuple
 *   priority   priority id, time                  packets of this priority
 *
 *   subject    ARN type 1, time > 0    type 1, time 0, or type 2    now = until
 *   free       paused -> held          not-paused                   -
 *   held       refreshed -> held       resumed -> free              expired -> free
 *
 * The message does not say which five-tuple it carries; the receiver's mode decides, so `service` and `flow` can't be
 * configured together. With two modes, the first one for which the message has a subject decides.
 * Own choices, since the draft leaves them open: a new message overwrites the timer, even with an earlier end; time 0
 * and type 2 resume (type 2 needs no time); other types are rejected; parameters that the mode does not need are
 * ignored; nothing is relayed further upstream.
 * State: `FlowControlState`, which `applyArn` and `expirePauses` modify in place. Time is an argument in whole
 * picoseconds and never decreases. There is no other input, so the same calls give the same state.
 */
import { checkField, reject, wholeIn } from '../config/field-rules.js';
import { RoceError } from '../errors.js';
import { type CompressionTimeFormat, compressionTimePs, quantaRateOf } from '../wire/arn/arn-format.js';
import { Arn, requireFiveTuple } from '../wire/arn/arn.js';
import { requireField, requireList, requireRecord } from '../wire/bytes.js';
import type { PacketKeys } from './arn-for.js';
import type { FlowControlMode, Pause, PauseSubject, PauseTable } from './pause-table.js';
import { addPause, createPauseTable, findPauseEnd, firstPauseEnd, flowKey, movePause, pausesByEnd, priorityKey,
  removePause, requirePauseTable, takeExpired } from './pause-table.js';

/** Default capacity of the table, pauses. */
export const FLOW_CONTROL_CAPACITY = 65536;

const MODES: readonly FlowControlMode[] = ['service', 'flow', 'priority'];
const MAX_U32 = 0xffffffff;

/** Settings of a node; `timeUnit` and `rateBps` must match the senders of the messages. */
export interface FlowControlSettings extends CompressionTimeFormat {
  /** At least one; in order of precedence; not `service` and `flow` together. */
  readonly modes: readonly FlowControlMode[];
  /** Maximum number of simultaneous pauses; default 65536. */
  readonly capacity?: number;
}

/** Why a message is rejected, in the order of the checks. */
export const ARN_REJECTIONS = [
  /** The type is neither congestion detected nor congestion eliminated. */
  'other-type',
  /** The first configured mode needs a five-tuple, and the message has none. */
  'no-flow',
  /** The first configured mode needs a priority id, and the message has none. */
  'no-priority',
  /** Congestion detected, but no compression time. */
  'no-time',
  /** The pause would end beyond 2^53 - 1 ps. */
  'time-out-of-range',
  /** The table already holds `capacity` pauses. */
  'table-full',
] as const;

/** Why an ARN message was rejected. */
export type ArnRejection = (typeof ARN_REJECTIONS)[number];

/** The effect of a message. */
export type ArnOutcome = {
  /** A pause has begun or has a new end. */
  readonly action: 'paused' | 'refreshed';
  /** What is paused: a service, a flow, a priority. */
  readonly level: FlowControlMode;
  /** End of the pause, picoseconds. */
  readonly untilPs: number;
} | {
  /** A pause has ended, or there was none to end. */
  readonly action: 'resumed' | 'not-paused';
  /** What resumes: a service, a flow, a priority. */
  readonly level: FlowControlMode;
} | {
  /** The message had no effect. */
  readonly action: 'rejected';
  /** Reason of the rejection. */
  readonly reason: ArnRejection;
};

/**
 * Invariants: arns = paused + refreshed + resumed + notPaused + all rejected;
 * paused = resumed + expired + pauses still active.
 */
export interface FlowControlCounters {
  /** ARN messages received. */
  arns: number;
  /** Pauses begun. */
  paused: number;
  /** Pauses extended or shortened by a new message. */
  refreshed: number;
  /** Pauses ended by a message. */
  resumed: number;
  /** Messages to resume what was not paused. */
  notPaused: number;
  /** Pauses ended by time. */
  expired: number;
  /** Messages rejected, by reason. */
  readonly rejected: Record<ArnRejection, number>;
}

/** A node's state. */
export interface FlowControlState {
  /** Settings with defaults filled in. */
  readonly settings: FlowControlSettings & {
    /** Maximum number of simultaneous pauses. */
    readonly capacity: number;
  };
  /** Outcomes of all messages. */
  readonly counters: FlowControlCounters;
  /** Active pauses. */
  readonly pauses: PauseTable;
}

/**
 * Creates a node without pauses.
 * @throws RoceError `invalid-config` naming the setting.
 */
export function createFlowControl(settings: FlowControlSettings): FlowControlState {
  requireRecord('flowControl.settings', settings);
  const { modes, capacity = FLOW_CONTROL_CAPACITY } = settings;
  requireModes(modes);
  checkField(capacity, wholeIn(1, Number.MAX_SAFE_INTEGER), 'flowControl.capacity');
  requireTimeFormat(settings);
  const rejected = Object.fromEntries(ARN_REJECTIONS.map((reason) => [reason, 0])) as Record<ArnRejection, number>;
  return {
    settings: Object.freeze({ ...settings, modes: Object.freeze([...modes]), capacity }),
    counters: { arns: 0, paused: 0, refreshed: 0, resumed: 0, notPaused: 0, expired: 0, rejected },
    pauses: createPauseTable(),
  };
}

/**
 * Applies a message. Expired pauses end first; call `expirePauses` first to get them.
 *
 * @param nowPs arrival time of the message; not before that of the previous call.
 * @throws RoceError `invalid-argument` for a message with a field out of range, or a bad time.
 */
export function applyArn(state: FlowControlState, arn: Arn, nowPs: number): ArnOutcome {
  requireRecord('arn', arn);
  expirePauses(state, nowPs);
  const outcome = decide(state, arn, nowPs);
  const { counters } = state;
  counters.arns++;
  if (outcome.action === 'rejected') counters.rejected[outcome.reason]++;
  else if (outcome.action === 'not-paused') counters.notPaused++;
  else counters[outcome.action]++;
  return outcome;
}

/**
 * Ends the expired pauses.
 * @returns them, by (end, order in which their timers were set).
 */
export function expirePauses(state: FlowControlState, nowPs: number): Pause[] {
  requireState(state);
  requireTime(nowPs);
  const expired: Pause[] = [];
  for (;;) {
    const pause = takeExpired(state.pauses, nowPs);
    if (!pause) return expired;
    state.counters.expired++;
    expired.push(pause);
  }
}

/** @returns whether a packet with these keys must wait. Does not change the state. */
export function isPaused(state: FlowControlState, keys: PacketKeys, nowPs: number): boolean {
  return pausedUntilPs(state, keys, nowPs) > nowPs;
}

/**
 * @returns until when a packet with these keys must wait for the current pauses; `nowPs` if it need not. Does not
 * change the state.
 */
export function pausedUntilPs(state: FlowControlState, keys: PacketKeys, nowPs: number): number {
  requireState(state);
  requireRecord('keys', keys);
  requireTime(nowPs);
  let untilPs = nowPs;
  for (const mode of state.settings.modes) {
    const key = keyOfPacket(mode, keys);
    if (key !== undefined) untilPs = Math.max(untilPs, findPauseEnd(state.pauses, key) ?? nowPs);
  }
  return untilPs;
}

/** @returns when the next pause expires; Infinity if there is none. */
export function nextExpiryPs(state: FlowControlState): number {
  requireState(state);
  return firstPauseEnd(state.pauses);
}

/** @returns the active pauses, by (end, order in which their timers were set). */
export function listPauses(state: FlowControlState): Pause[] {
  requireState(state);
  return pausesByEnd(state.pauses);
}

function decide(state: FlowControlState, arn: Arn, nowPs: number): ArnOutcome {
  if (arn.type !== Arn.CONGESTION_DETECTED && arn.type !== Arn.CONGESTION_ELIMINATED) return rejection('other-type');
  const { modes } = state.settings;
  const subject = subjectOf(modes, arn);
  if (!subject) return rejection(modes[0] === 'priority' ? 'no-priority' : 'no-flow');
  const isEliminated = arn.type === Arn.CONGESTION_ELIMINATED;
  if (isEliminated || arn.compressionTime === 0) return resume(state, subject);
  if (arn.compressionTime === undefined) return rejection('no-time');
  const untilPs = endOf(arn.compressionTime, nowPs, state.settings);
  return untilPs === undefined ? rejection('time-out-of-range') : hold(state, subject, nowPs, untilPs);
}

function hold(state: FlowControlState, subject: PauseSubject, nowPs: number, untilPs: number): ArnOutcome {
  const { pauses, settings } = state;
  const key = keyOf(subject);
  const { level } = subject;
  if (findPauseEnd(pauses, key) !== undefined) {
    movePause(pauses, key, untilPs);
    return { action: 'refreshed', level, untilPs };
  }
  if (pauses.byKey.size >= settings.capacity) return rejection('table-full');
  addPause(pauses, key, { subject, sincePs: nowPs, untilPs });
  return { action: 'paused', level, untilPs };
}

function resume({ pauses }: FlowControlState, subject: PauseSubject): ArnOutcome {
  return { action: removePause(pauses, keyOf(subject)) ? 'resumed' : 'not-paused', level: subject.level };
}

function rejection(reason: ArnRejection): ArnOutcome {
  return { action: 'rejected', reason };
}

/** The subject of the message, for the first mode that has one. */
function subjectOf(modes: readonly FlowControlMode[], { flow, priorityId }: Arn): PauseSubject | undefined {
  for (const level of modes) {
    if (level === 'priority' && priorityId !== undefined) {
      requireField('arn.priorityId', priorityId, MAX_U32);
      return { level, priorityId };
    }
    if (level !== 'priority' && flow !== undefined) {
      requireFiveTuple(flow);
      return { level, flow: { ...flow, source: flow.source.slice(), destination: flow.destination.slice() } };
    }
  }
  return undefined;
}

function keyOf(subject: PauseSubject): string {
  return subject.level === 'priority' ? priorityKey(subject.priorityId) : flowKey(subject.level, subject.flow);
}

function keyOfPacket(mode: FlowControlMode, { outer, inner, priorityId }: PacketKeys): string | undefined {
  if (mode === 'priority') {
    if (priorityId !== undefined) requireField('keys.priorityId', priorityId, MAX_U32);
    return priorityId === undefined ? undefined : priorityKey(priorityId);
  }
  const flow = mode === 'service' ? outer : inner;
  if (flow) requireFiveTuple(flow);
  return flow && flowKey(mode, flow);
}

/** When the pause ends; undefined beyond the range of numbers. */
function endOf(compressionTime: number, nowPs: number, format: CompressionTimeFormat): number | undefined {
  requireField('arn.compressionTime', compressionTime, MAX_U32);
  try {
    const untilPs = nowPs + compressionTimePs(compressionTime, format);
    return Number.isSafeInteger(untilPs) ? untilPs : undefined;
  } catch (error) {
    // Field and format are valid, so only the size of the product can be wrong.
    if (error instanceof RoceError) return undefined;
    throw error;
  }
}

/** Guards against untyped callers: a state that `createFlowControl` did not make. */
function requireState(state: FlowControlState): void {
  requireRecord('state', state);
  const { settings, counters, pauses } = state;
  requireRecord('state.settings', settings);
  requireList('state.settings.modes', settings.modes);
  requireRecord('state.counters', counters);
  requireRecord('state.counters.rejected', counters.rejected);
  const { rejected, ...counts } = counters;
  for (const [name, count] of Object.entries({ ...counts, ...rejected }))
    checkField(count, wholeIn(0, Number.MAX_SAFE_INTEGER), `state.counters.${name}`);
  requirePauseTable(pauses);
}

function requireTime(nowPs: number): void {
  if (Number.isSafeInteger(nowPs) && nowPs >= 0) return;
  throw new RoceError('invalid-argument', {
    where: 'nowPs',
    got: nowPs,
    allowed: { min: 0, unit: 'ps', multipleOf: 1 },
  });
}

function requireModes(modes: readonly FlowControlMode[]): void {
  const where = 'flowControl.modes';
  const isKnown = (mode: FlowControlMode): boolean => MODES.includes(mode);
  const isList = Array.isArray(modes) && modes.length > 0 && modes.every(isKnown);
  if (!isList || new Set(modes).size !== modes.length) {
    reject({ got: modes, allowed: `one or more of ${MODES.join(', ')}, each once`, where });
  }
  if (modes.includes('service') && modes.includes('flow')) {
    reject({ problem: 'must not have both service and flow: both are sent as a five-tuple', got: modes, where });
  }
}

function requireTimeFormat(format: CompressionTimeFormat): void {
  try {
    quantaRateOf(format);
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    throw error.at(`flowControl.${error.where}`, 'invalid-config');
  }
}
