/**
 * Notification point: which CE-marked packets cause a CNP.
 *
 * Role: the receiver sends CNPs for marked packets, at most one per key in each N = minTimeBetweenCnpsPs.
 * Key by scope: the QP; the destination of the CNP (endpoint and peer address); the port (endpoint).
 *
 * State per key: W, the end of the running window (0 = none yet), and the last suppressed mark, if one is pending.
 *
 *   mark at t, mode      window over (t >= W)                     window running (t < W)
 *   suppress             CNP now, W = t + N                       suppressed
 *   trailing, pending    CNP at W, W += N, then compared again    suppressed, replaces the pending mark
 *                        with the new W, without a pending mark
 *   trailing, else       CNP now, W = t + N                       suppressed, pending
 *
 * flush(t) sends the pending CNPs with W <= t, each with W += N. A trailing CNP is for the QP, and carries the P_Key,
 * of the latest suppressed mark. N = 0: every mark causes a CNP.
 *
 * Citation: RoCEv2 Annex A17, CA17-44; Zhu et al., SIGCOMM 2015, section 3 (`trailing`, N = 50 us); NVIDIA
 * min_time_between_cnps. Known deviations: the order of marks is not checked; one older than the window counts as inside it.
 */
import { OUTCOME_BAD_TIME, OUTCOME_CNP_DUE, OUTCOME_CNP_SUPPRESSED } from '../abi/codes.js';
import type { NotificationPointSettings } from '../config/notification-point.js';
import { isEventTime } from './algorithms/ack.js';
import { addressKey } from './address-tables.js';

/** Scope, mode (`window`), and N in whole picoseconds; 0 = a CNP for each mark. */
export type NotificationPointParameters = Pick<NotificationPointSettings, 'scope' | 'window' | 'minTimeBetweenCnpsPs'>;

/** A CE-marked data packet that arrived for a QP. */
export interface Mark {
  readonly timePs: number;
  readonly qp: number;
  readonly endpoint: number;
  /** Destination of the CNP: 16 bytes. */
  readonly peerAddress: Uint8Array;
  readonly pKey: number;
}

/** A CNP to be sent. */
export interface DueCnp {
  readonly timePs: number;
  readonly qp: number;
  /** P_Key of the mark that caused it: Annex A17 requires a copy. */
  readonly pKey: number;
}

/** The running window of one key. */
export interface CnpWindow {
  /** W, picoseconds; 0 = no CNP sent yet. */
  endPs: number;
  /** The last suppressed mark, if a trailing CNP is due for it. */
  pending: Pick<Mark, 'qp' | 'pKey'> | undefined;
}

/** Coalesces CNPs (CA17-44). The parameters must have been validated. */
export class NotificationPointModel {
  readonly #parameters: NotificationPointParameters;
  readonly #send: (cnp: DueCnp) => void;
  readonly #windows = new Map<string, CnpWindow>();
  #ecnMarked = 0;
  #cnpSent = 0;
  #cnpSuppressed = 0;

  /** `send` is called for each CNP; within one call, in the order of due times. */
  constructor(parameters: NotificationPointParameters, send: (cnp: DueCnp) => void) {
    this.#parameters = parameters;
    this.#send = send;
  }

  /** np_ecn_marked_roce_packets: marked packets received. */
  get ecnMarked(): number {
    return this.#ecnMarked;
  }

  /** np_cnp_sent: CNPs sent, trailing ones included. */
  get cnpSent(): number {
    return this.#cnpSent;
  }

  /** Marks that did not immediately cause a CNP. */
  get cnpSuppressed(): number {
    return this.#cnpSuppressed;
  }

  /** Handles a mark. Returns OUTCOME_CNP_DUE, OUTCOME_CNP_SUPPRESSED, or OUTCOME_BAD_TIME (nothing changed). */
  marked(mark: Mark): number {
    if (!isEventTime(mark.timePs)) return OUTCOME_BAD_TIME;
    this.#ecnMarked += 1;
    const window = this.#windowAt(this.keyOf(mark));
    this.#sendTrailing(window, mark.timePs);
    if (this.#isOver(window, mark.timePs)) return this.#answer(window, mark);
    this.#cnpSuppressed += 1;
    if (this.#parameters.window === 'trailing') window.pending = mark;
    return OUTCOME_CNP_SUPPRESSED;
  }

  /** Sends the trailing CNPs that are due up to and including this time, by time, then by QP. */
  flush(timePs: number): void {
    const due = [...this.#windows.values()].filter((window) => isTrailingDue(window, timePs));
    due.sort((a, b) => a.endPs - b.endPs || (a.pending?.qp ?? 0) - (b.pending?.qp ?? 0));
    for (const window of due) this.#sendTrailing(window, timePs);
  }

  /** Resets the window of this QP's key: its last QP was closed, or its first one is opened. */
  forget(member: Pick<Mark, 'qp' | 'endpoint' | 'peerAddress'>): void {
    this.#windows.delete(this.keyOf(member));
  }

  /** Sends the trailing CNP of one key's window, if it is due up to and including this time. */
  flushWindow(key: string, timePs: number): void {
    const window = this.#windows.get(key);
    if (window) this.#sendTrailing(window, timePs);
  }

  /** Key of the window for the marks of a QP. */
  keyOf(mark: Pick<Mark, 'qp' | 'endpoint' | 'peerAddress'>): string {
    switch (this.#parameters.scope) {
      case 'qp':
        return String(mark.qp);
      case 'destination':
        return `${mark.endpoint}/${addressKey(mark.peerAddress)}`;
      case 'port':
        return String(mark.endpoint);
    }
  }

  /** The state of a key's window. */
  windowOf(key: string): Readonly<CnpWindow> {
    return { endPs: 0, pending: undefined, ...this.#windows.get(key) };
  }

  /** Resumes from another notification point's state for this key. */
  resume(key: string, window: Readonly<CnpWindow>): void {
    this.#windows.set(key, { ...window });
  }

  /** Cancels the pending CNP for a QP that is closed. */
  dropPending(key: string, qp: number): void {
    const window = this.#windows.get(key);
    if (window?.pending?.qp === qp) window.pending = undefined;
  }

  #isOver(window: CnpWindow, timePs: number): boolean {
    const never = window.endPs === 0;
    return never || this.#parameters.minTimeBetweenCnpsPs === 0 || timePs >= window.endPs;
  }

  #answer(window: CnpWindow, mark: Mark): number {
    window.endPs = mark.timePs + this.#parameters.minTimeBetweenCnpsPs;
    this.#sendCnp(mark.timePs, mark);
    return OUTCOME_CNP_DUE;
  }

  #sendTrailing(window: CnpWindow, timePs: number): void {
    if (window.pending === undefined || !isTrailingDue(window, timePs)) return;
    this.#sendCnp(window.endPs, window.pending);
    window.pending = undefined;
    window.endPs += this.#parameters.minTimeBetweenCnpsPs;
  }

  #sendCnp(timePs: number, cause: Pick<Mark, 'qp' | 'pKey'>): void {
    this.#cnpSent += 1;
    this.#send({ timePs, qp: cause.qp, pKey: cause.pKey });
  }

  #windowAt(key: string): CnpWindow {
    const window = this.#windows.get(key) ?? { endPs: 0, pending: undefined };
    this.#windows.set(key, window);
    return window;
  }
}

function isTrailingDue(window: CnpWindow, timePs: number): boolean {
  return window.pending !== undefined && timePs >= window.endPs;
}
