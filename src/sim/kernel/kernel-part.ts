/** A feature's part of the kernel's memory: its sizes, its rules, and the data of the plan that it writes. */
import type { SlotValues } from '../../abi/records/fields.js';
import type { SIM_CAPACITY } from '../../abi/records/sim-capacity.js';
import type { RuleValues } from '../../abi/records/sim-rules.js';
import type { NetworkPlan } from '../plan.js';
import type { PlanLayouts } from './plan-layouts.js';
import type { SimAbi } from './sim-abi.js';

export type CapacityValues = SlotValues<typeof SIM_CAPACITY>;

/** A member is omitted if the feature does not need it. */
export interface KernelPart {
  /** Sizes, needed before memory is laid out. Those that a plan does not need are 0 or omitted. */
  readonly capacity?: (plan: NetworkPlan, layouts: PlanLayouts) => CapacityValues;
  readonly rules?: (plan: NetworkPlan) => RuleValues;
  /** Writes the feature's data, after nodes, ports and flows. No feature reads the data of another. */
  readonly write?: (abi: SimAbi, plan: NetworkPlan, layouts: PlanLayouts) => void;
}
