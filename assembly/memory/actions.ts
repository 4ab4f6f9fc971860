/** The action ring: what one batch tells the host, in the order in which it happened. */
import { ACTION_RATE } from '../../src/abi/codes';
import { ACTION_BYTES, ACTION_KIND, ACTION_QP, ACTION_VALUE } from '../../src/abi/layout';
import { actionCapacity, actions } from './map';
import { clearTrace, TRACING } from '../trace/ring';
import { rateActions } from './settings';

let written: u32 = 0;

@inline export function actionCount(): u32 {
  return written;
}

/** Empties the ring, and that of the trace beside it. */
@inline export function clearActions(): void {
  written = 0;
  if (TRACING) clearTrace();
}

/** Room left; a batch can't run out of it, an `advance` over all QPs can. */
@inline export function actionRoom(): u32 {
  return actionCapacity - written;
}

@inline export function emit(timePs: f64, qp: u32, kind: u32, reason: u32, value: f64): void {
  const at = actions + <usize>written * ACTION_BYTES;
  store<f64>(at, timePs);
  store<u32>(at, qp, ACTION_QP);
  store<u32>(at, kind | (reason << 8), ACTION_KIND);
  store<f64>(at, value, ACTION_VALUE);
  written++;
}

/**
 * Tells a rate that is another one than `beforeBps`. Written in any case and kept when it is: whether a rate changed is as
 * good as random, and a mispredicted branch costs more than three stores.
 */
@inline export function emitRate(timePs: f64, qp: u32, cause: u32, rateBps: f64, beforeBps: f64): void {
  if (!rateActions) return;
  emit(timePs, qp, ACTION_RATE, cause, rateBps);
  written -= <u32>(rateBps == beforeBps);
}
