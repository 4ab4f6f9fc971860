/** The kernel and the plain model behind one interface, so that one table tests both. */
import { runPlan } from '../../src/sim/kernel/run-plan.js';
import { modelNetwork } from '../model/model.js';
import type { NetworkPlan } from '../../src/sim/plan.js';
import type { Totals } from '../../src/sim/result.js';
import { IS_LONG } from './effort.js';

/** The compared results of a run. */
export interface PlanResult {
  readonly flows: readonly { readonly completionPs: number | null }[];
  readonly ports: readonly {
    readonly maxClassQueueBytes: number;
    readonly marks: number;
    readonly pausesSent: number;
    readonly txPackets: number;
  }[];
  readonly totals: Totals;
}

export interface NetworkSubject {
  readonly name: string;
  /** Maximum packet transmissions of a test. The model's other golden runs are in model-golden.test.ts. */
  readonly maxPacketHops: number;
  readonly run: (plan: NetworkPlan) => PlanResult;
}

export const NETWORK_SUBJECTS: readonly NetworkSubject[] = [
  { name: 'the kernel', maxPacketHops: Infinity, run: (plan) => runPlan(plan) },
  { name: 'the plain model', maxPacketHops: IS_LONG ? 70_000 : 5000, run: (plan) => modelNetwork(plan) },
];
