/**
 * The order of one QP's events: which are rejected, and when the others take effect. The rule `eventRejection` is the same
 * for every algorithm; this file applies the policy for late events and returns codes.
 *
 *   time                     reject            clamp
 *   invalid                  BAD_TIME          BAD_TIME
 *   before the last event    TIME_BACKWARDS    takes effect at the time of the last event, and is counted
 *   else                     takes effect at its time
 */
import { OUTCOME_BAD_TIME, OUTCOME_TIME_BACKWARDS } from '../../abi/codes.js';
import { eventRejection } from './ack.js';

/** Treatment of an event older than the QP's last one. */
export type LatePolicy = 'reject' | 'clamp';

const OUTCOMES = { 'bad-time': OUTCOME_BAD_TIME, 'time-backwards': OUTCOME_TIME_BACKWARDS } as const;

/** The OUTCOME_* of a rejected event under the policy `reject`; undefined if it is accepted. */
export function rejectionOutcome(timePs: number, lastEventPs: number): number | undefined {
  const rejection = eventRejection(timePs, lastEventPs);
  return rejection && OUTCOMES[rejection];
}

export class EventOrder {
  readonly #clamps: boolean;
  #lateClamped = 0;

  constructor(latePolicy: LatePolicy) {
    this.#clamps = latePolicy === 'clamp';
  }

  /** Number of late events that were moved to the time of the QP's last event. */
  get lateClamped(): number {
    return this.#lateClamped;
  }

  /** The OUTCOME_* of a rejected event; undefined if it is accepted. Changes nothing. */
  rejection(timePs: number, lastEventPs: number): number | undefined {
    const outcome = rejectionOutcome(timePs, lastEventPs);
    return this.#clamps && outcome === OUTCOME_TIME_BACKWARDS ? undefined : outcome;
  }

  /** The time at which an accepted event takes effect. */
  admit(timePs: number, lastEventPs: number): number {
    if (timePs >= lastEventPs) return timePs;
    this.#lateClamped += 1;
    return lastEventPs;
  }
}
