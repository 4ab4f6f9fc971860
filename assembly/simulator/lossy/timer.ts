/**
 * The retransmission timer of a flow, restarted by each data packet and by ACKs. A restart does not move the scheduled event; an
 * event that comes too early is rescheduled. Its order among simultaneous events is that of the last restart.
 */
import { cancel, drawOrder, dueAt, nowOrder, nowPs, schedule } from '../event-queue';
import { timeoutEvent } from '../timeouts';
import { timeoutOf } from './irn';
import { SimFlow } from '../../records/network';
import { LossyFlow } from '../../records/lossy';

/** Bits of `timer`: its event is scheduled; it is running. */
const TIMER_SCHEDULED: u32 = 1;
const TIMER_RUNS: u32 = 2;

/** Restarts the timer, unless the flow's sender has none (timeout 0). */
export function restartTimer(number: u32, flow: SimFlow, own: LossyFlow): void {
  const timeoutPs = timeoutOf(flow, own);
  if (timeoutPs == 0) return;
  own.timeoutSetPs = nowPs;
  own.timeoutDuePs = nowPs + timeoutPs;
  own.timeoutOrder = drawOrder();
  if (own.timer & TIMER_SCHEDULED) {
    own.timer |= TIMER_RUNS;
    if (dueAt(timeoutEvent(number)) <= own.timeoutDuePs) return;
    cancel(timeoutEvent(number));
  }
  own.timer = TIMER_SCHEDULED | TIMER_RUNS;
  schedule(timeoutEvent(number), own.timeoutDuePs, own.timeoutOrder);
}

@inline export function stopTimer(own: LossyFlow): void {
  own.timer &= ~TIMER_RUNS;
}

/** The timer's event occurs; returns whether the timer has expired. */
export function isTimerDue(number: u32, own: LossyFlow): bool {
  own.timer &= ~TIMER_SCHEDULED;
  if (!(own.timer & TIMER_RUNS)) return false;
  if (own.timeoutDuePs > nowPs || (own.timeoutDuePs == nowPs && own.timeoutOrder > nowOrder)) {
    own.timer |= TIMER_SCHEDULED;
    schedule(timeoutEvent(number), own.timeoutDuePs, own.timeoutOrder);
    return false;
  }
  own.timer &= ~TIMER_RUNS;
  return true;
}
