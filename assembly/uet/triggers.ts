/**
 * Triggers: finished flows fire them, and they start other flows (docs/specs/uet-reference.md, 10).
 *
 *   oneshot     starts all its flows;  a second firing is rejected, as the reference aborts
 *   multishot   each firing starts the next flow
 *   barrier     the last of `count` firings starts all its flows
 *
 * Flows started together run last in, first out, before the next event. A flow has one trigger and starts once.
 */
import { UET_TRIGGER_BYTES, UET_TRIGGER_MULTISHOT, UET_TRIGGER_ONESHOT, UetTrigger } from '../records/uet-flows';
import { UET_ONESHOT_TWICE } from '../records/uet-run';
import { allocate } from './memory';
import { run, stop } from './stop';

/** Stack of the indices of flows to start. */
let stack: usize = 0;
/** Number of flows to start before the next event. */
export let triggered: u32 = 0;

export function allocateTriggered(): void {
  stack = allocate((<usize>run.targetCount + 1) << 2);
}

/** @param index index of the trigger. */
export function fireTrigger(index: u32): void {
  const trigger = changetype<UetTrigger>(<usize>run.triggersAt + <usize>index * UET_TRIGGER_BYTES);
  trigger.firings += 1;
  if (trigger.type == UET_TRIGGER_MULTISHOT) {
    if (trigger.firings <= <f64>trigger.targets) push(trigger.firstTarget + <u32>trigger.firings - 1);
    return;
  }
  if (trigger.type == UET_TRIGGER_ONESHOT && trigger.firings > 1) stop(UET_ONESHOT_TWICE, trigger.id);
  if (trigger.firings != trigger.count) return;
  for (let target: u32 = 0; target < trigger.targets; target++) push(trigger.firstTarget + target);
}

function push(target: u32): void {
  store<u32>(stack + (<usize>triggered << 2), load<u32>(<usize>run.targetsAt + (<usize>target << 2)));
  triggered++;
}

/** Removes the index of the next flow to start; there must be one. */
export function takeTriggered(): u32 {
  triggered--;
  return load<u32>(stack + (<usize>triggered << 2));
}
