/**
 * Custom algorithms: the adapter for handlers that a user provides as JavaScript or as a WebAssembly module.
 *
 * Role      each transition expires due timers, calls the handler of its event, if any, and paces packets at the
 *           rate that the handler has set.
 * State     the 64 bytes that all controllers have, which the rest of the engine reads, and a record that handlers see
 *           (record.ts), stored in the memory for hops.
 * Numbers   ALGORITHM_CUSTOM and up: this adapter is registered for each of them, with traits that the host writes.
 * Pacing    next packet = t + gap(length, R), unless the QP is not paced, or the handler sets it.
 * Source    this project's contract: docs/guides/your-own-algorithm.md.
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

/** Registers the adapter under all numbers of custom algorithms. */
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

/** Opens a QP at the line rate, paced, without window and timers. Its record has been zeroed. */
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

/** A data packet was sent. The caller has checked its time. */
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

/** An ACK arrived. @returns ACK_* */
export function ack(q: usize, p: usize, hops: usize, record: usize, timePs: f64): u32 {
  const handler = changetype<CustomParameterSet>(p).ack;
  return handler ? outcome(handle(handler, HANDLER_ACK, q, p, hops, timePs, <u32>record), hops) : ACK_NO_SIGNAL;
}

/** A CNP or Fast CNP arrived; `record`: the AckEvent with its hops, or 0. @returns like `ack` */
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

/** A NACK arrived: a switch trimmed a packet. Without a handler for NACKs it counts as a loss. `record`: the NACK's. */
export function nack(q: usize, p: usize, hops: usize, record: usize, timePs: f64): void {
  const handler = changetype<CustomParameterSet>(p).nack;
  if (handler) handle(handler, HANDLER_NACK, q, p, hops, timePs, <u32>record);
  else loss(q, p, hops, timePs, LOSS_FAST);
}

/** Applies everything that is due up to and including a time. */
export function touch(q: usize, p: usize, hops: usize, timePs: f64): void {
  expireThrough(stateOf(q), customOf(hops), changetype<CustomParameterSet>(p), timePs);
}

/** Applies timers due at this instant that were set before the coming event was scheduled (reference simulator). */
export function touchBefore(q: usize, p: usize, hops: usize, timePs: f64, sincePs: f64): void {
  expireSetBefore(stateOf(q), customOf(hops), changetype<CustomParameterSet>(p), timePs, sincePs);
}

/** Next time when the rate can change without an event, picoseconds. */
export function deadline(hops: usize): f64 {
  return customOf(hops).earliestPs;
}

/** Checks a record from outside: the two records agree, and all values are ones that a handler could have set. */
export function check(q: usize, p: usize, hops: usize): bool {
  const parameters = changetype<CustomParameterSet>(p);
  const c = customOf(hops);
  const state = stateOf(q);
  return areGuardsIntact(c, parameters) && c.rateBps == state.rateBps && c.windowBytes == state.windowBytes &&
    c.nextSendPs == state.nextSendPs && c.lineRateBps == parameters.maxRateBps && c.timer0Ps >= 0 && c.timer1Ps >= 0 &&
    c.timer2Ps >= 0 && c.timer3Ps >= 0 &&
    c.earliestPs == min<f64>(min<f64>(c.timer0Ps, c.timer1Ps), min<f64>(c.timer2Ps, c.timer3Ps));
}

/** Expires the timers that precede an event. @returns the record that handlers see. */
@inline function begin(q: usize, p: usize, hops: usize, timePs: f64): CustomQp {
  const parameters = changetype<CustomParameterSet>(p);
  const c = customOf(hops);
  expireThrough(stateOf(q), c, parameters, timePs - <f64>parameters.tieGapPs);
  return c;
}

/** Expires the timers that precede an event, then calls its handler, if any (0: none). @returns HANDLED_* */
function handle(handler: u32, name: u32, q: usize, p: usize, hops: usize, timePs: f64, argument: u32): u32 {
  const c = begin(q, p, hops, timePs);
  if (!handler) return HANDLED_USED;
  return call(handler, name, stateOf(q), c, changetype<CustomParameterSet>(p), timePs, argument);
}

/** Converts a handler's result to the reaction point's ACK_* code. */
function outcome(handled: u32, hops: usize): u32 {
  if (handled == HANDLED_USED) return customOf(hops).flags & CUSTOM_RATE_SET ? ACK_UPDATE | ACK_RATE_SET : ACK_UPDATE;
  return handled == HANDLED_NOT_USED ? ACK_SKIPPED : ACK_NO_SIGNAL;
}
