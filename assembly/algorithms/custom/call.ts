/**
 * A call of a handler: writes its input, checks the values that it has set, and applies them.
 *
 * A handler is a function of a user's module or a JavaScript function, in this module's table. An invalid value causes a trap;
 * the record at CUSTOM_CALL_ADDRESS then tells the host the call and the fault.
 */
import { CALL_FAULT, CALL_HANDLER, CALL_QP, CALL_TIME, CALL_VALUE, CUSTOM_CALL_ADDRESS, CUSTOM_GAP_RUNNING,
  CUSTOM_PARAMETERS, CUSTOM_RATE_SET, FAULT_GUARD, FAULT_NEXT_SEND, FAULT_RATE, FAULT_READ_ONLY, FAULT_RESULT,
  FAULT_TIMER, FAULT_WINDOW, HANDLED_NO_SIGNAL, HANDLER_COUNT } from '../../../src/abi/custom-layout';
import { TRACE_CUSTOM } from '../../../src/abi/trace-layout';
import { because, input, TRACING, tracing } from '../../trace/ring';
import { sendGapPs } from '../rate-numbers';
import { areGuardsIntact, CustomParameterSet, CustomQp } from './record';
import { ControllerState } from '../../records/controllers';

/** Limit of windows and times: larger numbers are not exact integers, or are later than all events. */
const WINDOW_MAX: f64 = <f64>(1 << 53);
const LATEST_PS: f64 = <f64>(1 << 62);

/**
 * Calls a handler and applies the values that it has set. `timePs`: time of the event, or due time of a timer.
 *
 * @returns HANDLED_*
 */
export function call(index: u32, handler: u32, q: ControllerState, c: CustomQp, p: CustomParameterSet, timePs: f64,
  argument: u32): u32 {
  const beforeBps = c.rateBps;
  const timer0 = c.timer0Ps;
  const timer1 = c.timer1Ps;
  const timer2 = c.timer2Ps;
  const timer3 = c.timer3Ps;
  c.reason = 0;
  c.flags &= ~CUSTOM_RATE_SET;
  c.lastEventPs = q.lastEventPs;
  store<u32>(CUSTOM_CALL_ADDRESS, changetype<usize>(c), CALL_QP);
  store<u32>(CUSTOM_CALL_ADDRESS, 0, CALL_FAULT);
  store<f64>(CUSTOM_CALL_ADDRESS, timePs, CALL_TIME);
  store<u32>(CUSTOM_CALL_ADDRESS, handler, CALL_HANDLER);
  const result = call_indirect<u32>(index, changetype<usize>(c), changetype<usize>(p) + CUSTOM_PARAMETERS, timePs,
    argument);
  if (result > <u32>HANDLED_NO_SIGNAL) fault(FAULT_RESULT, <f64>result);
  check(c, p);
  if (c.timer0Ps != timer0) c.timer0SetPs = setTimer(c.timer0Ps, timePs);
  if (c.timer1Ps != timer1) c.timer1SetPs = setTimer(c.timer1Ps, timePs);
  if (c.timer2Ps != timer2) c.timer2SetPs = setTimer(c.timer2Ps, timePs);
  if (c.timer3Ps != timer3) c.timer3SetPs = setTimer(c.timer3Ps, timePs);
  store<u32>(CUSTOM_CALL_ADDRESS, HANDLER_COUNT, CALL_HANDLER);
  if (beforeBps != c.rateBps) rateChanged(c, p, beforeBps);
  takeOver(q, c);
  return result;
}

/** Copies the values that a handler has set to the record that the rest of the engine reads. */
@inline export function takeOver(q: ControllerState, c: CustomQp): void {
  if (TRACING && tracing) explain(c);
  q.rateBps = c.rateBps;
  q.windowBytes = c.windowBytes;
  q.nextSendPs = c.nextSendPs;
  c.earliestPs = min<f64>(min<f64>(c.timer0Ps, c.timer1Ps), min<f64>(c.timer2Ps, c.timer3Ps));
}

/** Records the fault and traps, which ends the host's call. */
export function fault(code: u32, value: f64): void {
  store<u32>(CUSTOM_CALL_ADDRESS, code, CALL_FAULT);
  store<f64>(CUSTOM_CALL_ADDRESS, value, CALL_VALUE);
  unreachable();
}

@inline function check(c: CustomQp, p: CustomParameterSet): void {
  if (!areGuardsIntact(c, p)) fault(FAULT_GUARD, 0);
  if (!(c.rateBps > 0 && c.rateBps <= p.maxRateBps)) fault(FAULT_RATE, c.rateBps);
  if (!(c.windowBytes >= 0 && c.windowBytes <= WINDOW_MAX) || (p.ack == 0 && c.windowBytes != 0))
    fault(FAULT_WINDOW, c.windowBytes);
  if (!(c.nextSendPs >= 0 && c.nextSendPs <= LATEST_PS)) fault(FAULT_NEXT_SEND, c.nextSendPs);
  if (c.lineRateBps != p.maxRateBps) fault(FAULT_READ_ONLY, c.lineRateBps);
}

/** @returns the time when a timer was set, which is the time of the event. */
@inline function setTimer(duePs: f64, timePs: f64): f64 {
  if (!(duePs >= timePs)) fault(FAULT_TIMER, duePs);
  return timePs;
}

/** Adjusts the running gap as if the new rate had applied from its start, if the algorithm's pacing requires that. */
@inline function rateChanged(c: CustomQp, p: CustomParameterSet, beforeBps: f64): void {
  c.flags |= CUSTOM_RATE_SET;
  if (p.pacing != CUSTOM_GAP_RUNNING) return;
  const lenBytes = c.lastLenBytes;
  c.nextSendPs += sendGapPs(<f64>p.sendGap, lenBytes, c.rateBps) - sendGapPs(<f64>p.sendGap, lenBytes, beforeBps);
}

@inline function explain(c: CustomQp): void {
  if (!c.reason) return;
  because(TRACE_CUSTOM);
  input(0, <f64>c.reason);
}
