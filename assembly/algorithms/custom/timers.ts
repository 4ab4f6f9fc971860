/**
 * The timers of a custom algorithm. They are lazy: due expiries are applied before the next event of the QP, one by one, in the
 * order of time, then number, with the same result as if timers were events.
 */
import { CAUSE_TIME } from '../../../src/abi/codes';
import { CALL_HANDLER, CUSTOM_CALL_ADDRESS, CUSTOM_TIMER_BUDGET, CUSTOM_TIMER_COUNT, FAULT_TIMER_BUDGET,
  HANDLER_TIMER } from '../../../src/abi/custom-layout';
import { keepStep, TRACING, tracing } from '../../trace/ring';
import { call, fault } from './call';
import { CustomParameterSet, CustomQp, timerOf, timerSetOf } from './record';
import { ControllerState } from '../../records/controllers';

/** Expires all timers that are due up to and including the horizon. */
@inline export function expireThrough(q: ControllerState, c: CustomQp, p: CustomParameterSet,
  horizonPs: f64): void {
  if (c.earliestPs <= horizonPs) expireAll(q, c, p, horizonPs);
}

function expireAll(q: ControllerState, c: CustomQp, p: CustomParameterSet, horizonPs: f64): void {
  let left = CUSTOM_TIMER_BUDGET;
  c.untilPs = horizonPs;
  while (c.earliestPs <= horizonPs) {
    if (!left--) spend(c);
    expire(q, c, p, earliestTimer(c));
  }
}

/** Traps: timers have expired too often before a single event. */
function spend(c: CustomQp): void {
  store<u32>(CUSTOM_CALL_ADDRESS, HANDLER_TIMER, CALL_HANDLER);
  fault(FAULT_TIMER_BUDGET, c.earliestPs);
}

/**
 * Expires timers due at this instant that were set before `sincePs`, the time when the coming event was scheduled. In the
 * reference simulator timers are events, and simultaneous events run in the order in which they were scheduled.
 */
export function expireSetBefore(q: ControllerState, c: CustomQp, p: CustomParameterSet, timePs: f64,
  sincePs: f64): void {
  expireThrough(q, c, p, timePs - 1);
  c.untilPs = timePs;
  for (let index: u32 = 0; index < <u32>CUSTOM_TIMER_COUNT; index++)
    if (load<f64>(timerOf(c, index)) == timePs && load<f64>(timerSetOf(c, index)) < sincePs) expire(q, c, p, index);
}

/** Expires a timer; it is stopped before its handler is called. */
function expire(q: ControllerState, c: CustomQp, p: CustomParameterSet, index: u32): void {
  const duePs = load<f64>(timerOf(c, index));
  store<f64>(timerOf(c, index), Infinity);
  call(p.timer, HANDLER_TIMER, q, c, p, duePs, index);
  if (TRACING && tracing) keepStep(duePs, CAUSE_TIME, changetype<usize>(q), q.rateBps);
}

function earliestTimer(c: CustomQp): u32 {
  const duePs = c.earliestPs;
  if (c.timer0Ps == duePs) return 0;
  if (c.timer1Ps == duePs) return 1;
  return c.timer2Ps == duePs ? 2 : 3;
}
