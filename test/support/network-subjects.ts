/**
 * What runs a network plan: the kernel and the plain model, behind one interface, so that one table tests both.
 *
 * A subject whose source isn't there yet is listed with the reason, and its tests are skipped.
 */
import { existsSync } from 'node:fs';
import type { NetworkPlan } from '../../src/sim/plan.js';
import type { Totals } from '../../src/sim/result.js';

/** What of a run is compared. */
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

export type RunPlan = (plan: NetworkPlan) => PlanResult;

export interface NetworkSubject {
  readonly name: string;
  readonly missing: boolean;
  /** Why it can't run, to stand behind its name; else empty. */
  readonly why: string;
  /** How many packet transmissions a test may ask of it; slow subjects leave the large runs out unless ROCE_CC_ALL_GOLDEN_RUNS is set. */
  readonly maxPacketHops: number;
  readonly load: () => Promise<RunPlan>;
}

const ALL_RUNS = process.env.ROCE_CC_ALL_GOLDEN_RUNS !== undefined;

function subject(name: string, path: string, exported: string, maxPacketHops: number): NetworkSubject {
  const url = new URL(`../../${path}`, import.meta.url);
  const present = existsSync(url);
  return {
    name,
    missing: !present,
    why: present ? '' : ` (skipped: ${path} is not there)`,
    maxPacketHops: ALL_RUNS ? Infinity : maxPacketHops,
    load: async () => {
      const module = (await import(url.href)) as Readonly<Record<string, RunPlan>>;
      return module[exported];
    },
  };
}

export const NETWORK_SUBJECTS: readonly NetworkSubject[] = [
  subject('the kernel', 'src/sim/kernel/run-plan.ts', 'runPlan', Infinity),
  subject('the plain model', 'src/sim/model/model.ts', 'modelNetwork', 70_000),
];
