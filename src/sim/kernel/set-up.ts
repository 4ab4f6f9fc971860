/** Writes a network into the memory of a fresh sim.wasm, in steps: memory and QPs, the plan, the first events. */
import type { BoundAlgorithms } from '../../algorithm/bound.js';
import type { NetworkPlan } from '../plan.js';
import type { Steps } from '../steps.js';
import { openEngine } from './engine-of-plan.js';
import type { PlanLayouts } from './plan-layouts.js';
import type { SimAbi } from './sim-abi.js';
import { writeCapacity } from './write-capacity.js';
import { writePoints } from '../features/points/write.js';
import { writePlanSteps } from './write-plan.js';

export interface SetUp {
  readonly layouts: PlanLayouts;
  /** CAPTURE_* bits of each traced port. */
  readonly traced: ReadonlyMap<number, number>;
  /** Capacity for traced packets and pauses. */
  readonly packetRecords: number;
  /** Capacity for rate changes; undefined: none are traced. */
  readonly rateChanges: number | undefined;
  /** Receives the exports to use from then on. */
  readonly onOpened: (abi: SimAbi) => void;
  /** Receives the custom algorithms, if there are any. */
  readonly onCustom?: ((custom: BoundAlgorithms) => void) | undefined;
}

/** @throws RoceError `capacity` if the memory can't be allocated. */
export function* setUpSteps(unopened: SimAbi, plan: NetworkPlan,
  { layouts, traced, packetRecords, rateChanges, onOpened, onCustom }: SetUp): Steps<void> {
  writeCapacity(unopened, plan, packetRecords, layouts);
  const opened = openEngine(unopened, plan, rateChanges, onCustom);
  yield;
  yield* writePlanSteps(opened, plan, traced, layouts);
  yield;
  const abi = writePoints(opened, plan);
  onOpened(abi);
  abi.simStart();
}
