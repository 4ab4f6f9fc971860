/**
 * The order of one QP's events: which are rejected, and when the others take effect. One rule (`eventRejection`) for every
 * algorithm; here it meets the policy for late events and gives codes.
 *
 *   time                     reject            clamp
 *   none that can be         BAD_TIME          BAD_TIME
 *   before the last event    TIME_BACKWARDS    takes effect at the time of the last event, and is counted
 *   else                     takes effect at its time
 */
import { OUTCOME_BAD_TIME, OUTCOME_TIME_BACKWARDS } from '../../abi/codes.js';
import { eventRejection } from './ack.js';

/** Treatment of an event older than the QP's last one. */
export type LatePolicy = 'reject' | 'clamp';

const OUTCOMES = { 'bad-time': OUTCOME_BAD_TIME, 'time-backwards': OUTCOME_TIME_BACKWARDS } as const;

/** OUTCOME_* of an event at this time where no late one is taken. */
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

  /** Number of late events that took effect at the time of the QP's last event. */
  get lateClamped(): number {
    return this.#lateClamped;
  }

  /** OUTCOME_* of an event that is rejected. Changes nothing. */
  rejection(timePs: number, lastEventPs: number): number | undefined {
    const outcome = rejectionOutcome(timePs, lastEventPs);
    return this.#clamps && outcome === OUTCOME_TIME_BACKWARDS ? undefined : outcome;
  }

  /** The time at which an event that is not rejected takes effect. */
  admit(timePs: number, lastEventPs: number): number {
    if (timePs >= lastEventPs) return timePs;
    this.#lateClamped += 1;
    return lastEventPs;
  }
}
