/** What a feature keeps in the kernel's memory: how much, its rules, and what of the plan is written there. */
import type { SlotValues } from '../../abi/records/fields.js';
import type { SIM_CAPACITY } from '../../abi/records/sim-capacity.js';
import type { RuleValues } from '../../abi/records/sim-rules.js';
import type { NetworkPlan } from '../plan.js';
import type { PlanLayouts } from './plan-layouts.js';
import type { SimAbi } from './sim-abi.js';

export type CapacityValues = SlotValues<typeof SIM_CAPACITY>;

/** Each member is left out where a feature has nothing of it. */
export interface KernelPart {
  /** Sizes, before memory is laid out; those that a plan does not need are 0 or left out. */
  readonly capacity?: (plan: NetworkPlan, layouts: PlanLayouts) => CapacityValues;
  readonly rules?: (plan: NetworkPlan) => RuleValues;
  /** After nodes, ports and flows; no feature reads what another one writes. */
  readonly write?: (abi: SimAbi, plan: NetworkPlan, layouts: PlanLayouts) => void;
}
