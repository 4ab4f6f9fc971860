/** The action ring: the reports of one batch to the host, in order. */
import { ACTION_RATE } from '../../src/abi/codes';
import { ACTION_BYTES, ACTION_KIND, ACTION_QP, ACTION_VALUE, EVENT_BYTES } from '../../src/abi/layout';
import { actionCapacity, actions } from './map';
import { copy16 } from './lanes';
import { rateActions } from './settings';

let written: u32 = 0;
/** Slots of a run (`beginSlots`): index of the first action, address of the events, and of the number of actions per slot. */
let slotsFrom: u32 = 0;
let run: usize = 0;
let slotSizes: usize = 0;
export let isSlotted: bool = false;

@inline export function actionCount(): u32 {
  return written;
}

@inline export function clearActions(): void {
  written = 0;
}

/** Free entries; a batch always has enough, an `advance` over all QPs may not. */
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
 * Reports a rate that differs from `beforeBps`. The record is always written, and kept only if the rate differs: whether it
 * does is effectively random, and a mispredicted branch costs more than three stores.
 */
@inline export function emitRate(timePs: f64, qp: u32, cause: u32, rateBps: f64, beforeBps: f64): void {
  if (!rateActions) return;
  emit(timePs, qp, ACTION_RATE, cause, rateBps);
  written -= <u32>(rateBps == beforeBps);
}

/**
 * From here on each event of the run at `from` has its own slot, so that events can be applied in another order than they
 * are reported. No event may cause more than one action. `isNeeded`: false if the order is the same; slots then cost nothing.
 * `sizes`: memory for one byte per event.
 */
@inline export function beginSlots(from: usize, sizes: usize, isNeeded: bool): void {
  slotsFrom = written;
  run = from;
  slotSizes = sizes;
  isSlotted = isNeeded;
}

/** Assigns the next action to this event of the run. @returns its slot. */
@inline export function enterSlot(event: usize): u32 {
  const slot = <u32>((event - run) / EVENT_BYTES);
  if (isSlotted) written = slotsFrom + slot;
  return slot;
}

/** Records whether there was an action since `enterSlot`; has no effect without slots. */
@inline export function leaveSlot(slot: u32): void {
  store<u8>(slotSizes + slot, <u8>(written - slotsFrom - slot));
}

/** Ends the slots and removes the gaps between their actions. */
export function closeSlots(count: u32): void {
  const first = actions + <usize>slotsFrom * ACTION_BYTES;
  let to = first;
  for (let slot: usize = 0; slot < <usize>count; slot++) {
    const from = first + slot * ACTION_BYTES;
    const value = load<f64>(from, ACTION_VALUE);
    copy16(to, from);
    store<f64>(to, value, ACTION_VALUE);
    to += <usize>load<u8>(slotSizes + slot) * ACTION_BYTES;
  }
  written = slotsFrom + <u32>((to - first) / ACTION_BYTES);
}
