/**
 * How switches balance load among equal paths, and how hosts reroute flows, under fidelity `standard`. Part of a `NetworkPlan`.
 */

/** Which of several equal paths a data packet takes at a switch. */
export type BalancingRule = 'ecmp' | 'random' | 'round-robin' | 'flowlet' | 'drill' | 'conga' | 'least-queue';

/** Left out of a plan where all switches choose by the hash and all flows keep their ports. */
export interface BalancingPlan {
  /** By node; `ecmp` for hosts. */
  readonly rules: readonly BalancingRule[];
  /** A flow that sends nothing for longer begins a new flowlet, picoseconds: of `flowlet` and `conga`. */
  readonly flowletGapPs: number;
  /** Of `drill`. */
  readonly drill: DrillPlan;
  /** Of `conga`. */
  readonly conga: CongaPlan;
  /** By node: whether a host changes its UDP source port on a Fast CNP. */
  readonly detours: readonly boolean[];
}

/** DRILL(d, m). */
export interface DrillPlan {
  /** d: ports drawn at random per packet, 1 to 16. */
  readonly samples: number;
  /** m: ports remembered, 0 to 16. */
  readonly memory: number;
}

/** CONGA's times and leaves. */
export interface CongaPlan {
  /** Averaging time for the bytes that a port sends, picoseconds. */
  readonly tauPs: number;
  /** Reports about a path expire after this time, picoseconds. */
  readonly ageingPs: number;
  /** Node indices of the switches that have hosts, ascending; none without `conga`. */
  readonly leaves: readonly number[];
}

/** Whether a switch remembers flowlets under this rule. */
export function keepsFlowlets(rule: BalancingRule): boolean {
  return rule === 'flowlet' || rule === 'conga';
}
