/**
 * The originator in lossless discovery (TDCommons 1652): sends requests, matches replies by ID number, ends probes.
 *
 * Each function takes a state and returns a new one; time is the argument `nowPs`. States of a probe:
 *
 *   (none) ─ startProbe ─► in flight ─ finishProbe, or onProbeTimeout at its deadline ─► held ─ idHoldPs ─► (none)
 *
 * An ID in flight or held can't be reused, so a late reply is never matched to a new probe.
 */
import { RoceError } from '../errors.js';
import { seconds } from '../units.js';
import { fitQosData, QosData } from '../wire/discovery/qos-data.js';
import { RoceFcOption, type RoceFcRequest } from '../wire/discovery/roce-fc.js';
import { sameFamily } from '../wire/ip/ip-address.js';
import { IP_ADDRESS_BYTES, isIpv4Mapped } from '../wire/ip/ip-address.js';
import { requireField, requireLength, requireRecord } from '../wire/bytes.js';
import { type Probe, type ReceivedReply, type ReplyFate, addReply, isComplete } from './probe.js';

/** The maximum that traceroute uses. */
export const DISCOVERY_MAX_HOPS = 30;
/** The hop limit has 8 bits, and the destination adds one hop. */
export const DISCOVERY_MAX_HOPS_LIMIT = 254;

/** An originator's timeouts. */
export interface OriginatorSettings {
  /** How long to wait for replies, ps, at least 1; default 1 s (own choice). */
  readonly timeoutPs?: number;
  /** How long an ID stays reserved after its probe, ps; default `timeoutPs`. */
  readonly idHoldPs?: number;
}

/** An originator and its probes; each event returns a new state. */
export interface OriginatorState {
  /** Address of the originator, 16 bytes. */
  readonly address: Uint8Array;
  /** How long to wait for replies, picoseconds. */
  readonly timeoutPs: number;
  /** How long an ID stays reserved after its probe, picoseconds. */
  readonly idHoldPs: number;
  /** Probes in flight by ID number. */
  readonly probes: ReadonlyMap<number, Probe>;
  /** Reserved IDs, with the end of the reservation, picoseconds. */
  readonly heldIds: ReadonlyMap<number, number>;
  /** Replies whose ID no recent probe has used. */
  readonly unknownIdCount: number;
  /** Replies after the end of their probe. */
  readonly lateCount: number;
}

/** Arguments of a probe. */
export interface ProbeWish {
  /** 16 bytes, of the originator's family. */
  readonly destination: Uint8Array;
  /** 16 bits; must not be in use. */
  readonly idNumber: number;
  /** Requested treatment; without it, nodes report their configuration, which is judged without a policy. */
  readonly policy?: QosData;
  /** Maximum number of routers on the path, 0..254; default 30. */
  readonly maxHops?: number;
}

/** The result of a reply. */
export interface ReceivedProbeReply {
  /** The originator with the reply recorded. */
  readonly state: OriginatorState;
  /** The outcome of the reply. */
  readonly outcome: ReplyOutcome;
  /** Whether the destination and every router before it have replied. */
  readonly isComplete: boolean;
}

/** The result of `onProbeTimeout`. */
export interface ExpiredProbes {
  /** The originator without them. */
  readonly state: OriginatorState;
  /** The probes, with the replies received in time. */
  readonly finished: readonly Probe[];
}

/** A probe that was ended. */
export interface FinishedProbe {
  /** The originator without it. */
  readonly state: OriginatorState;
  /** The probe with its replies. */
  readonly probe: Probe;
}

/** A probe that was started, and the request to send for it. */
export interface StartedProbe {
  /** The originator with the probe running. */
  readonly state: OriginatorState;
  /** The probe, including its request. */
  readonly probe: Probe;
  /** To be sent to the destination, in any IP packet. */
  readonly request: RoceFcRequest;
  /** Hop limit for that packet: `maxHops` routers and the destination. */
  readonly hopLimit: number;
}

/** The outcome of a reply. */
export type ReplyOutcome = ReplyFate | 'unknown-id' | 'late';

/**
 * An originator without probes.
 * @throws RoceError `invalid-argument` for an invalid address or a time that is not a whole number of picoseconds;
 * `timeoutPs` is at least 1, `idHoldPs` at least 0.
 */
export function createOriginator(address: Uint8Array, settings: OriginatorSettings = {}): OriginatorState {
  requireRecord('settings', settings);
  const { timeoutPs = seconds(1), idHoldPs = timeoutPs } = settings;
  requireLength('originator.address', address, IP_ADDRESS_BYTES);
  requireField('originator.timeoutPs', timeoutPs, Number.MAX_SAFE_INTEGER, 1);
  requireField('originator.idHoldPs', idHoldPs, Number.MAX_SAFE_INTEGER);
  const none = { probes: new Map<number, Probe>(), heldIds: new Map<number, number>() };
  return { address, timeoutPs, idHoldPs, ...none, unknownIdCount: 0, lateCount: 0 };
}

/**
 * Starts a probe. If a policy is too long for the option, parts are omitted, the DSCP map first (`fitQosData`).
 *
 * @throws RoceError `invalid-argument`: an ID in flight or reserved, an address of another family, a field out of
 * range.
 */
export function startProbe(state: OriginatorState, wish: ProbeWish, nowPs: number): StartedProbe {
  requireRecord('state', state);
  requireRecord('wish', wish);
  const { destination, idNumber, policy, maxHops = DISCOVERY_MAX_HOPS } = wish;
  const { address: originator, timeoutPs } = state;
  requireTime(nowPs);
  requireField('probe.idNumber', idNumber, 0xffff);
  requireField('probe.maxHops', maxHops, DISCOVERY_MAX_HOPS_LIMIT);
  sameFamily('probe', originator, destination);
  const heldIds = idsHeldAt(state.heldIds, nowPs);
  requireFreeId(state.probes, heldIds, idNumber);
  const probe: Probe = {
    idNumber,
    destination,
    maxHops,
    startedPs: nowPs,
    deadlinePs: nowPs + timeoutPs,
    replies: [],
    conflicts: [],
    duplicateCount: 0,
    impossibleCount: 0,
    ...(policy !== undefined && { policy }),
  };
  const request = {
    flags: 0,
    idNumber,
    outboundHopCount: 0,
    returnHopCount: RoceFcOption.REQUEST,
    originator,
    data: policyData(policy, isIpv4Mapped(originator)),
  };
  const probes = new Map(state.probes).set(idNumber, probe);
  return { state: { ...state, probes, heldIds }, probe, request, hopLimit: maxHops + 1 };
}

/**
 * Records a reply. Replies never cause an error: those that match no probe are counted and ignored.
 *
 * @returns the new state, the outcome of the reply, and whether the destination and all routers have now replied, so
 * `finishProbe` can be called before the deadline.
 */
export function onProbeReply(state: OriginatorState, received: ReceivedReply, nowPs: number): ReceivedProbeReply {
  requireRecord('state', state);
  requireRecord('received', received);
  requireRecord('received.reply', received.reply);
  requireField('received.reply.outboundHopCount', received.reply.outboundHopCount, 0xffff);
  requireTime(nowPs);
  const { idNumber } = received.reply;
  const probe = state.probes.get(idNumber);
  if (probe === undefined && !idsHeldAt(state.heldIds, nowPs).has(idNumber)) {
    const unknownIdCount = state.unknownIdCount + 1;
    return { state: { ...state, unknownIdCount }, outcome: 'unknown-id', isComplete: false };
  }
  if (probe === undefined || nowPs >= probe.deadlinePs) {
    return { state: { ...state, lateCount: state.lateCount + 1 }, outcome: 'late', isComplete: false };
  }
  const { probe: after, fate } = addReply(probe, received, nowPs);
  const probes = new Map(state.probes).set(idNumber, after);
  return { state: { ...state, probes }, outcome: fate, isComplete: isComplete(after) };
}

/** Ends the probes whose deadline has passed, by deadline; pass them to `correlateReplies`. */
export function onProbeTimeout(state: OriginatorState, nowPs: number): ExpiredProbes {
  requireRecord('state', state);
  requireTime(nowPs);
  const finished = [...state.probes.values()]
    .filter(({ deadlinePs }) => deadlinePs <= nowPs)
    .sort((a, b) => a.deadlinePs - b.deadlinePs);
  const after = finished.reduce((rest, { idNumber }) => retire(rest, idNumber, nowPs), state);
  return { state: { ...after, heldIds: idsHeldAt(after.heldIds, nowPs) }, finished };
}

/**
 * Ends a probe before its deadline.
 * @throws RoceError `invalid-argument` if no such probe is in flight.
 */
export function finishProbe(state: OriginatorState, idNumber: number, nowPs: number): FinishedProbe {
  requireRecord('state', state);
  requireTime(nowPs);
  const probe = state.probes.get(idNumber);
  if (probe !== undefined) return { state: retire(state, idNumber, nowPs), probe };
  throw new RoceError('invalid-argument', {
    what: 'ID number',
    where: 'idNumber',
    problem: 'matches no probe in flight',
    got: idNumber,
  });
}

/** The next deadline, at which to call `onProbeTimeout`, ps; undefined if no probe is in flight. */
export function nextProbeDeadlinePs(state: OriginatorState): number | undefined {
  requireRecord('state', state);
  const { probes } = state;
  let earliestPs: number | undefined;
  for (const { deadlinePs } of probes.values()) earliestPs = Math.min(deadlinePs, earliestPs ?? deadlinePs);
  return earliestPs;
}

function policyData(policy: QosData | undefined, isIpv4: boolean): Uint8Array {
  if (policy === undefined) return new Uint8Array(0);
  return QosData.write(fitQosData(policy, isIpv4 ? RoceFcOption.IPV4_DATA_BYTES : RoceFcOption.DATA_MAX_BYTES));
}

function retire(state: OriginatorState, idNumber: number, nowPs: number): OriginatorState {
  const probes = new Map(state.probes);
  probes.delete(idNumber);
  return { ...state, probes, heldIds: new Map(state.heldIds).set(idNumber, nowPs + state.idHoldPs) };
}

function idsHeldAt(heldIds: ReadonlyMap<number, number>, nowPs: number): ReadonlyMap<number, number> {
  return new Map([...heldIds].filter(([, untilPs]) => untilPs > nowPs));
}

function requireFreeId(probes: ReadonlyMap<number, Probe>, heldIds: ReadonlyMap<number, number>,
  idNumber: number): void {
  if (!probes.has(idNumber) && !heldIds.has(idNumber)) return;
  const problem = probes.has(idNumber) ? 'belongs to a probe in flight' : 'is still held after its last probe';
  throw new RoceError('invalid-argument', { what: 'ID number', where: 'probe.idNumber', problem, got: idNumber });
}

function requireTime(nowPs: number): void {
  if (Number.isFinite(nowPs)) return;
  throw new RoceError('invalid-argument', { where: 'nowPs', got: nowPs, allowed: 'a finite number of picoseconds' });
}
