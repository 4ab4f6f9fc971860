/**
 * The actions of the last call, read in place: columns that need no objects, or an iterator of objects.
 *
 * Actions stay valid until the next call that applies anything.
 */
import { ACTION_CNP, ACTION_FAST_CNP_ACCEPTED, ACTION_RATE, ORIGIN_RECEIVER } from '../abi/codes.js';
import { ACTION_BYTES, ACTION_KIND, ACTION_QP, ACTION_REASON, ACTION_TIME, ACTION_VALUE,
  REGION_ACTIONS } from '../abi/layout.js';
import { CAUSE_NAMES, OUTCOME_NAMES, namesByCode, type CauseName, type OutcomeName } from '../abi/names.js';
import type { CnpSettings } from '../config/notification-point.js';
import type { CnpFields } from '../wire/roce/cnp.js';
import { noSuch } from './engine-errors.js';
import { regionAddress, type MemoryViews } from './memory-views.js';

/** The rate of a QP has changed. */
export interface RateAction {
  /** A QP has a new rate. */
  readonly kind: 'rate';
  /** Time of the event, picoseconds. */
  readonly timePs: number;
  /** Number of the QP whose rate changed. */
  readonly qp: number;
  /** New rate of the QP, bits per second. */
  readonly rateBps: number;
  /** Cause of the change: the increase timer, the byte counter, a CNP, a Fast CNP, and so on. */
  readonly cause: CauseName;
}

/** A CNP must be sent to the peer of this QP. */
export interface CnpAction {
  /** A CNP is due. */
  readonly kind: 'cnp';
  /** Time of the event, picoseconds. */
  readonly timePs: number;
  /** Number of the QP that must send the CNP. */
  readonly qp: number;
  /** P_Key of the marked packet. */
  readonly pKey: number;
}

/** A Fast CNP was accepted; its rate change is the action before it. */
export interface FastCnpAcceptedAction {
  /** A Fast CNP was accepted. */
  readonly kind: 'fast-cnp-accepted';
  /** Time of the event, picoseconds. */
  readonly timePs: number;
  /** Number of the QP that reacted. */
  readonly qp: number;
  /** `network`: its source address is that of the congested switch, a hint for rerouting. */
  readonly origin: 'receiver' | 'network';
  /** Index of the event or frame in its batch. */
  readonly index: number;
}

/** A Fast CNP was rejected. */
export interface FastCnpRejectedAction {
  /** A Fast CNP was rejected. */
  readonly kind: 'fast-cnp-rejected';
  /** Time of the event, picoseconds. */
  readonly timePs: number;
  /** Reason of the rejection. */
  readonly reason: OutcomeName;
  /** Index of the event or frame in its batch. */
  readonly index: number;
}

/** A report of the engine: a new rate, a CNP to send, a Fast CNP accepted or rejected. */
export type Action = RateAction | CnpAction | FastCnpAcceptedAction | FastCnpRejectedAction;

const CAUSES = namesByCode(CAUSE_NAMES);
const OUTCOMES = namesByCode(OUTCOME_NAMES);

/**
 * What the engine reported in its last call, in order: `engine.actions`. `get` and iteration create an object per
 * action; the other methods allocate nothing, and return codes that are named in `roce-cc/codes`. An `index` must be
 * from 0 to `length` - 1; others throw RoceError `invalid-argument`.
 */
export class Actions implements Iterable<Action> {
  readonly #views: MemoryViews;
  readonly #first: number;
  #length = 0;

  /** @internal Use `engine.actions`. */
  constructor(views: MemoryViews) {
    this.#views = views;
    this.#first = regionAddress(views, REGION_ACTIONS);
  }

  /** Number of actions. */
  get length(): number {
    this.#views.use();
    return this.#length;
  }

  /** @internal Called by the engine after each call. */
  setLength(length: number): void {
    this.#length = length;
  }

  /** Time of the event, picoseconds. */
  timePs(index: number): number {
    return this.#views.f64[this.#at(index, ACTION_TIME) >>> 3] ?? NaN;
  }

  /** Kind of the action, one of `ACTION_CODES`. */
  kindCode(index: number): number {
    return this.#views.u8[this.#at(index, ACTION_KIND)] ?? 0;
  }

  /**
   * A rate's cause (`CAUSE_CODES`), an accepted Fast CNP's origin (`ORIGIN_CODES`), or a rejected one's outcome
   * (`OUTCOME_CODES`); 0 for a CNP.
   */
  reasonCode(index: number): number {
    return this.#views.u8[this.#at(index, ACTION_REASON)] ?? 0;
  }

  /** Number of the QP that an action concerns. */
  qp(index: number): number {
    return this.#views.u32[this.#at(index, ACTION_QP) >>> 2] ?? 0;
  }

  /** A rate in bits per second, the P_Key of a CNP, or a Fast CNP's index in the batch. */
  value(index: number): number {
    return this.#views.f64[this.#at(index, ACTION_VALUE) >>> 3] ?? NaN;
  }

  /** Returns one action as an object. */
  get(index: number): Action {
    const timePs = this.timePs(index);
    const qp = this.qp(index);
    const reason = this.reasonCode(index);
    const value = this.value(index);
    const kind = this.kindCode(index);
    if (kind === ACTION_RATE) return { kind: 'rate', timePs, qp, rateBps: value, cause: CAUSES[reason] ?? 'time' };
    if (kind === ACTION_CNP) return { kind: 'cnp', timePs, qp, pKey: value };
    if (kind !== ACTION_FAST_CNP_ACCEPTED) {
      return { kind: 'fast-cnp-rejected', timePs, reason: OUTCOMES[reason] ?? 'unknown-kind', index: value };
    }
    const origin = reason === ORIGIN_RECEIVER ? 'receiver' : 'network';
    return { kind: 'fast-cnp-accepted', timePs, qp, origin, index: value };
  }

  /** Iterates over all actions as objects, in the order in which they happened. */
  [Symbol.iterator](): Iterator<Action> {
    this.#views.use();
    return this.#all();
  }

  *#all(): Generator<Action, undefined> {
    for (let index = 0; index < this.length; index++) yield this.get(index);
  }

  #at(index: number, field: number): number {
    if (!(Number.isInteger(index) && index >= 0 && index < this.#length)) throw noSuch('action', index, this.#length);
    return this.#first + index * ACTION_BYTES + field;
  }
}

/** Addresses and QPNs of an open QP. */
export interface QpFlow {
  /** Index of the local endpoint. */
  readonly endpoint: number;
  /** Queue pair number at this end, 24 bits. */
  readonly localQpn: number;
  /** Address of the peer, 16 bytes; IPv4 as IPv4-mapped. */
  readonly peerAddress: Uint8Array;
  /** Queue pair number at the other end, 24 bits. */
  readonly peerQpn: number;
}

const ECN_CODES = { 'not-ect': 0, ect1: 1, ect0: 2 } as const;

/**
 * Fields of the CNP that an action requests (Annex A17, figure 6): to the peer, for the peer's QP.
 *
 * @param source address of the local endpoint, 16 bytes; the endpoint may have several.
 */
export function cnpFieldsOf(action: CnpAction, flow: QpFlow, settings: CnpSettings, source: Uint8Array): CnpFields {
  return {
    source,
    destination: flow.peerAddress,
    destQpn: flow.peerQpn,
    pKey: settings.pKey === 'of-marked-packet' ? action.pKey : settings.pKey,
    dscp: settings.dscp,
    ecn: ECN_CODES[settings.ecn],
    becn: settings.becn,
  };
}
