/**
 * Records of a QP and of a parameter set of a custom algorithm. Handlers see the QP's record from its rate on
 * (src/abi/custom-layout.ts has the same offsets for them). It is stored in the memory that other algorithms use for hops.
 */
import { CUSTOM_FLAGS, CUSTOM_GUARD, CUSTOM_GUARD_BYTES, CUSTOM_HANDLERS, CUSTOM_LAST_EVENT, CUSTOM_LAST_LENGTH,
  CUSTOM_LINE_RATE, CUSTOM_NEXT_SEND, CUSTOM_PACED, CUSTOM_PACING, CUSTOM_PARAMETERS, CUSTOM_REASON, CUSTOM_SEND_GAP,
  CUSTOM_SEQUENCE, CUSTOM_SEQUENCE_MODE, CUSTOM_STATE, CUSTOM_STATE_BYTES, CUSTOM_TIE_GAP, CUSTOM_TIMER_COUNT,
  CUSTOM_TIMERS, CUSTOM_TIMERS_SET, CUSTOM_UNTIL, CUSTOM_WINDOW, HANDLER_COUNT } from '../../../src/abi/custom-layout';
import { ParameterSet } from '../../memory/records';

/** State of a QP under a custom algorithm. */
@unmanaged
export class CustomQp {
  /** R, bits per second. */
  rateBps: f64;
  /** Window, bytes; 0 = none. */
  windowBytes: f64;
  nextSendPs: f64;
  timer0Ps: f64;
  timer1Ps: f64;
  timer2Ps: f64;
  timer3Ps: f64;
  lineRateBps: f64;
  lastEventPs: f64;
  lastLenBytes: u32;
  /** CUSTOM_PACED if packets are paced, else 0. */
  flags: u32;
  reason: u32;
  sequence: u32;
  timer0SetPs: f64;
  timer1SetPs: f64;
  timer2SetPs: f64;
  timer3SetPs: f64;
  /** Due time of the earliest timer. */
  earliestPs: f64;
  /** Timers expire up to this time. */
  untilPs: f64;
}

/** One parameter set, as src/config/algorithms/custom/custom-parameters.ts writes it. */
@unmanaged
export class CustomParameterSet extends ParameterSet {
  open: u16;
  sent: u16;
  ack: u16;
  cnp: u16;
  fastCnp: u16;
  loss: u16;
  timer: u16;
  nack: u16;
  /** How a new rate changes the running gap, CUSTOM_GAP_*. */
  pacing: u8;
  sendGap: u8;
  tieGapPs: u8;
  sequence: u8;
  stateBytes: u16;
  free46: u16;
}

/** The record at the address of a QP's hops. */
@inline export function customOf(hops: usize): CustomQp {
  return changetype<CustomQp>(hops + CUSTOM_GUARD_BYTES);
}

/** Address of one of the timers. */
@inline export function timerOf(c: CustomQp, index: u32): usize {
  return changetype<usize>(c) + CUSTOM_TIMERS + (<usize>index << 3);
}

/** Address of the time when a timer was set. */
@inline export function timerSetOf(c: CustomQp, index: u32): usize {
  return changetype<usize>(c) + CUSTOM_TIMERS_SET + (<usize>index << 3);
}

/** Whether packets are paced at the QP's rate. */
@inline export function isPaced(c: CustomQp): bool {
  return (c.flags & CUSTOM_PACED) != 0;
}

/** Address of the guard after a record. */
@inline function guardBehind(c: CustomQp, p: CustomParameterSet): usize {
  return changetype<usize>(c) + CUSTOM_STATE + <usize>p.stateBytes;
}

const GUARD: u64 = (<u64>~CUSTOM_GUARD << 32) | <u64>CUSTOM_GUARD;

export function writeGuards(c: CustomQp, p: CustomParameterSet): void {
  const before = changetype<usize>(c) - CUSTOM_GUARD_BYTES;
  const behind = guardBehind(c, p);
  store<u64>(before, GUARD);
  store<u64>(before + 8, GUARD);
  store<u64>(behind, GUARD);
  store<u64>(behind + 8, GUARD);
}

@inline export function areGuardsIntact(c: CustomQp, p: CustomParameterSet): bool {
  const before = changetype<usize>(c) - CUSTOM_GUARD_BYTES;
  const behind = guardBehind(c, p);
  return ((load<u64>(before) ^ GUARD) | (load<u64>(before + 8) ^ GUARD) | (load<u64>(behind) ^ GUARD) |
    (load<u64>(behind + 8) ^ GUARD)) == 0;
}

/** Fails the build if a class does not match the offsets that handlers use. */
@inline export function checkCustomLayouts(): void {
  if (offsetof<CustomQp>('windowBytes') != CUSTOM_WINDOW) ERROR('CustomQp.windowBytes');
  if (offsetof<CustomQp>('nextSendPs') != CUSTOM_NEXT_SEND) ERROR('CustomQp.nextSendPs');
  if (offsetof<CustomQp>('timer0Ps') != CUSTOM_TIMERS) ERROR('CustomQp.timer0Ps');
  if (offsetof<CustomQp>('lineRateBps') != CUSTOM_LINE_RATE) ERROR('CustomQp.lineRateBps');
  if (offsetof<CustomQp>('lastEventPs') != CUSTOM_LAST_EVENT) ERROR('CustomQp.lastEventPs');
  if (offsetof<CustomQp>('lastLenBytes') != CUSTOM_LAST_LENGTH) ERROR('CustomQp.lastLenBytes');
  if (offsetof<CustomQp>('flags') != CUSTOM_FLAGS) ERROR('CustomQp.flags');
  if (offsetof<CustomQp>('reason') != CUSTOM_REASON) ERROR('CustomQp.reason');
  if (offsetof<CustomQp>('sequence') != CUSTOM_SEQUENCE) ERROR('CustomQp.sequence');
  if (offsetof<CustomQp>('timer0SetPs') != CUSTOM_TIMERS_SET) ERROR('CustomQp.timer0SetPs');
  if (offsetof<CustomQp>('untilPs') != CUSTOM_UNTIL) ERROR('CustomQp.untilPs');
  if (offsetof<CustomQp>() != CUSTOM_STATE) ERROR('CustomQp ends before or behind CUSTOM_STATE');
  checkParameterLayouts();
}

@inline function checkParameterLayouts(): void {
  if (offsetof<CustomParameterSet>('open') != CUSTOM_HANDLERS) ERROR('CustomParameterSet.open');
  if (offsetof<CustomParameterSet>('pacing') != CUSTOM_PACING) ERROR('CustomParameterSet.pacing');
  if (offsetof<CustomParameterSet>('tieGapPs') != CUSTOM_TIE_GAP) ERROR('CustomParameterSet.tieGapPs');
  if (offsetof<CustomParameterSet>('sendGap') != CUSTOM_SEND_GAP) ERROR('CustomParameterSet.sendGap');
  if (offsetof<CustomParameterSet>('sequence') != CUSTOM_SEQUENCE_MODE) ERROR('CustomParameterSet.sequence');
  if (offsetof<CustomParameterSet>('stateBytes') != CUSTOM_STATE_BYTES) ERROR('CustomParameterSet.stateBytes');
  if (offsetof<CustomParameterSet>() != CUSTOM_PARAMETERS) ERROR('CustomParameterSet ends elsewhere');
  if (CUSTOM_PACING - CUSTOM_HANDLERS != HANDLER_COUNT << 1) ERROR('handlers');
  if (CUSTOM_TIMER_COUNT != 4) ERROR('CUSTOM_TIMER_COUNT');
}
