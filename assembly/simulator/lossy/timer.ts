/**
 * The retransmission timer of a flow: begun again behind each data packet and by ACKs. Its event stays where it is while the time moves
 * on, and is put again when it comes too early; it has its place among the events of its instant from when it was begun.
 */
import { timeoutEvent } from '../event-numbers';
import { cancel, drawOrder, dueAt, nowOrder, nowPs, schedule } from '../event-queue';
import { SimFlow } from '../records';
import { timeoutOf } from './irn';
import { LossyFlow } from './records';

/** Bits of `timer`: its event is in the queue; it runs. */
const TIMER_SCHEDULED: u32 = 1;
const TIMER_RUNS: u32 = 2;

/** Begins the timer again; 0 = the flow's sender has none. */
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

/** The timer's event has come; returns whether it is due. */
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
