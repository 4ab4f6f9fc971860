/**
 * Custom algorithms: the frame around handlers that a user brings, as JavaScript or as a WebAssembly module.
 *
 * Role      each transition lets due timers expire, calls the handler of its event, if there is one, and paces packets by the
 *           rate that the handler has set.
 * State     the 64 bytes that all controllers have, which the rest of the engine reads, and a record that handlers see
 *           (record.ts), in the place of kept hops.
 * Numbers   ALGORITHM_CUSTOM and those behind it: this frame is registered for each, with traits that the host writes.
 * Pacing    next packet = t + gap(length, R), unless the QP is not paced, or the handler sets it.
 * Source    the contract is this project's: docs/guides/your-own-algorithm.md.
 */
import { ACK_NO_SIGNAL, ACK_RATE_SET, ACK_SKIPPED, ACK_UPDATE, LOSS_FAST } from '../../../src/abi/ack-layout';
import { ALGORITHM_COUNT, ALGORITHM_CUSTOM } from '../../../src/abi/algorithms';
import { CAUSE_FAST_CNP } from '../../../src/abi/codes';
import { CUSTOM_GAP_OWN, CUSTOM_PACED, CUSTOM_RATE_SET, HANDLED_NOT_USED, HANDLED_USED, HANDLER_ACK, HANDLER_CNP,
  HANDLER_FAST_CNP, HANDLER_LOSS, HANDLER_NACK, HANDLER_OPEN, HANDLER_SENT } from '../../../src/abi/custom-layout';
import { sendGapPs } from '../rate-numbers';
import { register as registerAlgorithm, registerCheck, registerCnp, registerLoss, registerNack, registerTime,
  registerTouchBefore, traitsOf } from '../registry';
import { call, takeOver } from './call';
import { areGuardsIntact, checkCustomLayouts, CustomParameterSet, customOf, CustomQp, isPaced,
  writeGuards } from './record';
import { expireSetBefore, expireThrough } from './timers';
import { ControllerState } from '../../records/controllers';

/** Makes the frame known under all numbers of custom algorithms. */
export function register(): void {
  checkCustomLayouts();
  for (let algorithm: u32 = ALGORITHM_CUSTOM; algorithm < <u32>ALGORITHM_COUNT; algorithm++) {
    // The host writes the traits.
    registerAlgorithm(algorithm, traitsOf(algorithm), open, sent, ack);
    registerLoss(algorithm, loss);
    registerNack(algorithm, nack);
    registerCnp(algorithm, cnp);
    registerTime(algorithm, touch, deadline);
    registerTouchBefore(algorithm, touchBefore);
    registerCheck(algorithm, check);
  }
}

@inline function stateOf(q: usize): ControllerState {
  return changetype<ControllerState>(q);
}

/** A QP begins at the line rate, paced, without window and timers; its record is zeroed. */
export function open(q: usize, p: usize, hops: usize): void {
  const parameters = changetype<CustomParameterSet>(p);
  const c = customOf(hops);
  c.rateBps = parameters.maxRateBps;
  c.lineRateBps = parameters.maxRateBps;
  c.timer0Ps = Infinity;
  c.timer1Ps = Infinity;
  c.timer2Ps = Infinity;
  c.timer3Ps = Infinity;
  c.flags = CUSTOM_PACED;
  c.sequence = <u32>parameters.sequence;
  writeGuards(c, parameters);
  takeOver(stateOf(q), c);
  if (parameters.open) call(parameters.open, HANDLER_OPEN, stateOf(q), c, parameters, 0, 0);
}

/** A data packet left; its time is checked. */
export function sent(q: usize, p: usize, hops: usize, timePs: f64, lenBytes: u32): void {
  const parameters = changetype<CustomParameterSet>(p);
  const c = begin(q, p, hops, timePs);
  c.lastLenBytes = lenBytes;
  stateOf(q).lastLenBytes = lenBytes;
  if (parameters.sent) call(parameters.sent, HANDLER_SENT, stateOf(q), c, parameters, timePs, lenBytes);
  if (parameters.pacing != CUSTOM_GAP_OWN && isPaced(c)) {
    c.nextSendPs = timePs + sendGapPs(<f64>parameters.sendGap, lenBytes, c.rateBps);
    stateOf(q).nextSendPs = c.nextSendPs;
  }
}

/** An acknowledgement arrived. @returns ACK_* */
export function ack(q: usize, p: usize, hops: usize, record: usize, timePs: f64): u32 {
  const handler = changetype<CustomParameterSet>(p).ack;
  return handler ? outcome(handle(handler, HANDLER_ACK, q, p, hops, timePs, <u32>record), hops) : ACK_NO_SIGNAL;
}

/** A CNP or Fast CNP arrived; `record`: the AckEvent with its hops, or 0. @returns as `ack` */
export function cnp(q: usize, p: usize, hops: usize, record: usize, timePs: f64, cause: u32): u32 {
  const parameters = changetype<CustomParameterSet>(p);
  const isFast = cause == CAUSE_FAST_CNP;
  const handler = isFast ? parameters.fastCnp : parameters.cnp;
  if (!handler) return ACK_NO_SIGNAL;
  const name: u32 = isFast ? HANDLER_FAST_CNP : HANDLER_CNP;
  return outcome(handle(handler, name, q, p, hops, timePs, <u32>record), hops);
}

/** A packet was lost. */
export function loss(q: usize, p: usize, hops: usize, timePs: f64, found: u32): void {
  handle(changetype<CustomParameterSet>(p).loss, HANDLER_LOSS, q, p, hops, timePs, found);
}

/** A NACK arrived: a switch trimmed a packet. Without a handler for it, it is a loss. `record`: the NACK's. */
export function nack(q: usize, p: usize, hops: usize, record: usize, timePs: f64): void {
  const handler = changetype<CustomParameterSet>(p).nack;
  if (handler) handle(handler, HANDLER_NACK, q, p, hops, timePs, <u32>record);
  else loss(q, p, hops, timePs, LOSS_FAST);
}

/** Only time passed: what is due up to and including it is applied. */
export function touch(q: usize, p: usize, hops: usize, timePs: f64): void {
  expireThrough(stateOf(q), customOf(hops), changetype<CustomParameterSet>(p), timePs);
}

/** What is due at this instant, and was set before the event that is to come was scheduled (reference simulator). */
export function touchBefore(q: usize, p: usize, hops: usize, timePs: f64, sincePs: f64): void {
  expireSetBefore(stateOf(q), customOf(hops), changetype<CustomParameterSet>(p), timePs, sincePs);
}

/** When the rate can next change without an event, picoseconds. */
export function deadline(hops: usize): f64 {
  return customOf(hops).earliestPs;
}

/** Of a record from outside: the two records agree, and nothing in them that a handler could not have left. */
export function check(q: usize, p: usize, hops: usize): bool {
  const parameters = changetype<CustomParameterSet>(p);
  const c = customOf(hops);
  const state = stateOf(q);
  return areGuardsIntact(c, parameters) && c.rateBps == state.rateBps && c.windowBytes == state.windowBytes &&
    c.nextSendPs == state.nextSendPs && c.lineRateBps == parameters.maxRateBps && c.timer0Ps >= 0 && c.timer1Ps >= 0 &&
    c.timer2Ps >= 0 && c.timer3Ps >= 0 &&
    c.earliestPs == min<f64>(min<f64>(c.timer0Ps, c.timer1Ps), min<f64>(c.timer2Ps, c.timer3Ps));
}

/** The timers that come before an event have expired. @returns the record that handlers see. */
@inline function begin(q: usize, p: usize, hops: usize, timePs: f64): CustomQp {
  const parameters = changetype<CustomParameterSet>(p);
  const c = customOf(hops);
  expireThrough(stateOf(q), c, parameters, timePs - <f64>parameters.tieGapPs);
  return c;
}

/** Calls a handler, 0: the algorithm has none, when the timers that come before its event have expired. @returns HANDLED_* */
function handle(handler: u32, name: u32, q: usize, p: usize, hops: usize, timePs: f64, argument: u32): u32 {
  const c = begin(q, p, hops, timePs);
  if (!handler) return HANDLED_USED;
  return call(handler, name, stateOf(q), c, changetype<CustomParameterSet>(p), timePs, argument);
}

/** What a handler returned, as the reaction point counts it. */
function outcome(handled: u32, hops: usize): u32 {
  if (handled == HANDLED_USED) return customOf(hops).flags & CUSTOM_RATE_SET ? ACK_UPDATE | ACK_RATE_SET : ACK_UPDATE;
  return handled == HANDLED_NOT_USED ? ACK_SKIPPED : ACK_NO_SIGNAL;
}
