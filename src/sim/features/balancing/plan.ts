/**
 * How switches balance load among equal paths, and how hosts choose UDP source ports, under fidelity `standard`. Part of a `NetworkPlan`.
 */
import { ENTROPY_STATE } from '../../../abi/records/balancing.js';
import type { InferredLossState, MarkedProbeState, PathSelection } from '../../scenario/spec.js';
import type { BalancingRule } from './rules.js';

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
  /** Of `adaptive`. */
  readonly adaptive: AdaptivePlan;
  /** By group, of `wcmp` and `weighted-random`: weight of each next hop, whole, 1 or more; undefined: its switch has no such rule. */
  readonly weights: readonly (readonly number[] | undefined)[];
  /** By node, of `source-route`: what the UDP source port of a packet is divided by before it is a place among the next hops; empty: no switch has that rule. */
  readonly strides: readonly number[];
  /** The outer header of source-routed packets; left out: they have none. */
  readonly usids?: UsidsPlan;
  /** By node: whether a host changes its UDP source port on a Fast CNP. */
  readonly detours: readonly boolean[];
  /** UDP source ports of each data packet; left out: all flows keep their own. */
  readonly selection?: SelectionPlan;
}

/** Source routes in the outer headers of data. */
export interface UsidsPlan {
  /** The 32 bits that all uSIDs share. */
  readonly block: number;
}

/** Queue classes. */
export interface AdaptivePlan {
  /** Queue lengths at 100 Gb/s from which a port is in the next class, ascending, at most 7; in proportion to the port's rate. */
  readonly thresholdsBytes: readonly number[];
  /** A class is computed again if it is older, picoseconds. */
  readonly refreshPs: number;
}

/** How a host chooses the UDP source port of a data packet: `flow`, that of the flow. */
export type SelectionRule = PathSelection;

/** How hosts choose the UDP source port of each data packet. */
export interface SelectionPlan {
  /** By node; `flow` for switches. */
  readonly rules: readonly SelectionRule[];
  /** By node: entropies of a flow, a power of two up to 16,384. */
  readonly entropies: readonly number[];
  /** Of `reps`: how long only known entropies are used after a timeout, picoseconds. */
  readonly freezePs: number;
  /** Of `reps`: packets with new entropies after that. */
  readonly explorePackets: number;
  /** Of `entropy-states`; left out: no host has that rule. */
  readonly states?: EntropyStatesPlan;
}

/** MRC's states of entropies. */
export interface EntropyStatesPlan {
  /** Entropies of a flow besides those of the active set. */
  readonly reserve: number;
  /** Usable entropies of the active set at least. */
  readonly minActive: number;
  /** How long an entropy is skipped, picoseconds; null: once. */
  readonly skipPs: number | null;
  /** What a loss that SACKs show makes of an entropy. */
  readonly inferredLoss: InferredLossState;
  /** Planes of the network; entropy e is of plane e modulo this. */
  readonly planes: number;
  /** Left out: senders probe no paths. */
  readonly probes?: ProbesPlan;
  /** Marked packets of an entropy in a row to which a receiver answers ALWAYS_SKIP; left out: it never does. */
  readonly alwaysSkipMarks?: number;
  /** In order of time; left out: no controller denies entropies. */
  readonly denials?: readonly DenialPlan[];
}

/** A controller denies an entropy of each flow, or it is GOOD again. */
export interface DenialPlan {
  /** When, picoseconds. */
  readonly timePs: number;
  /** From the first entropy of the flow on. */
  readonly number: number;
  /** Whether it is denied from then on. */
  readonly isDenied: boolean;
}

/** Probes of entropies that are assumed bad. */
export interface ProbesPlan {
  /** Time between probes of an entropy, picoseconds; null: the timeout of its flow. */
  readonly intervalPs: number | null;
  /** Probes in a row that have to be acknowledged. */
  readonly toReturn: number;
  /** What the last of them makes of its entropy if it was marked. */
  readonly marked: MarkedProbeState;
  /** Length of a probe. */
  readonly lenBytes: number;
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

/** Bytes of the states of a flow's entropies, and of its active set. */
export function stateBytes(active: number, reserve: number): number {
  return (active + reserve) * ENTROPY_STATE.bytes + active * 2;
}
