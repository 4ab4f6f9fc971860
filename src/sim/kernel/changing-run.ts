/** Runs the kernel with settings that change: each change is applied between two slices of the run. */
import { PARAMETER_SET_BYTES, PARAMETER_SETS_ADDRESS } from '../../abi/layout.js';
import { readField, readSlot, writeFields } from '../../abi/records/define-record.js';
import { SIM_FLOW, SIM_PORT } from '../../abi/records/network.js';
import { SIM_TOTAL } from '../../abi/records/sim-run.js';
import { FLOW_DONE, FLOW_STARTED, RUN_REACHED, SIM_FLOWS, SIM_PORTS, SIM_TOTALS } from '../../abi/sim-codes.js';
import { writeParameterRecord } from '../../config/algorithms/algorithm.js';
import { ALGORITHMS, recordWith } from '../../config/algorithms/registry.js';
import { changeReceivers } from '../features/transports/memory.js';
import type { ChangePlan, NetworkPlan } from '../plan.js';
import { requireNumber } from './kernel-options.js';
import { recordAt, type SimAbi } from './sim-abi.js';

export class ChangingRun {
  readonly #plan: NetworkPlan;
  #changed = 0;

  constructor(plan: NetworkPlan) {
    this.#plan = plan;
  }

  /** Handles the events before `untilPs`, at most `budget` of them, and applies the changes due by then. Returns RUN_*. */
  run(abi: SimAbi, untilPs: number, budget: number): number {
    requireNumber('untilPs', untilPs);
    requireNumber('budget', budget);
    const change = this.#plan.changes?.[this.#changed];
    if (change === undefined || change.timePs > untilPs) return abi.simRun(untilPs, budget);
    const before = eventsOf(abi);
    const end = abi.simRun(change.timePs, budget);
    if (end !== RUN_REACHED) return end;
    this.#apply(abi, change);
    this.#changed++;
    return this.run(abi, untilPs, budget - (eventsOf(abi) - before));
  }

  /** Applies a change. All earlier events have been handled, but none of its instant. */
  #apply(abi: SimAbi, change: ChangePlan): void {
    const { timePs, marking, parameterSets } = change;
    changeReceivers(abi, this.#plan, change);
    const view = new DataView(abi.memory.buffer);
    marking?.forEach((thresholds, port) => {
      writeFields(view, recordAt(abi, SIM_PORTS, SIM_PORT, port), SIM_PORT, thresholds);
    });
    if (parameterSets === undefined) return;
    // Timers are evaluated lazily, so those due before the change must expire now, under the old parameters.
    for (const record of this.#running(abi, view)) abi.simRate(record, timePs - 1);
    parameterSets.forEach((parameterSet, index) => {
      if (parameterSet.algorithm !== 'dcqcn') return;
      const at = PARAMETER_SETS_ADDRESS + index * PARAMETER_SET_BYTES;
      writeParameterRecord(view, at, recordWith(ALGORITHMS, parameterSet));
    });
    abi.configure();
  }

  /** Records of flows that have begun and are not done. */
  *#running(abi: SimAbi, view: DataView): Generator<number> {
    const { messageRecords, flows } = this.#plan;
    for (let record = 0; record < Math.min(messageRecords ?? Infinity, flows.length); record++) {
      const flags = readField(view, recordAt(abi, SIM_FLOWS, SIM_FLOW, record), SIM_FLOW, 'flags');
      if ((flags & (FLOW_STARTED | FLOW_DONE)) === FLOW_STARTED) yield record;
    }
  }
}

function eventsOf(abi: SimAbi): number {
  return readSlot(new DataView(abi.memory.buffer), abi.simRegion(SIM_TOTALS), SIM_TOTAL, 'events');
}
