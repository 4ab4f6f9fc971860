/**
 * How switches balance load among equal paths, and how hosts choose UDP source ports, under fidelity `standard`. Part of a `NetworkPlan`.
 */
import { ENTROPY_STATE } from '../../../abi/records/balancing.js';
import type { InferredLossState, MarkedProbeState, PathSelection } from '../../scenario/spec.js';
import type { BalancingRule } from './rules.js';

/** How switches and hosts balance load. Omitted if all switches hash and all flows keep their ports. */
export interface BalancingPlan {
  /** Rule of each node; `ecmp` for hosts. */
  readonly rules: readonly BalancingRule[];
  /** Gap after which a flow begins a new flowlet under `flowlet` and `conga`, picoseconds. */
  readonly flowletGapPs: number;
  /** Settings of `drill`. */
  readonly drill: DrillPlan;
  /** Settings of `conga`. */
  readonly conga: CongaPlan;
  /** Settings of `adaptive`. */
  readonly adaptive: AdaptivePlan;
  /**
   * Weights of each group's next hops under `wcmp` and `weighted-random`, whole numbers from 1; undefined: its switch has
   * another rule.
   */
  readonly weights: readonly (readonly number[] | undefined)[];
  /**
   * Divisor of each node under `source-route`: the UDP source port divided by it, modulo the number of next hops, selects the
   * next hop; empty: no switch has that rule.
   */
  readonly strides: readonly number[];
  /** Bits of the UDP source port that each node reads under `entropy-bits`; empty: no switch has that rule. */
  readonly bits: readonly BitField[];
  /** The outer header of source-routed packets; omitted: they have none. */
  readonly usids?: UsidsPlan;
  /** Whether each node changes a flow's UDP source port on a Fast CNP. */
  readonly detours: readonly boolean[];
  /** How hosts choose the UDP source port of each data packet; omitted: each flow keeps its own. */
  readonly selection?: SelectionPlan;
}

/** A range of bits of the UDP source port. */
export interface BitField {
  /** Number of bits below it. */
  readonly offset: number;
  readonly width: number;
}

/** Source routes in the outer headers of data packets. */
export interface UsidsPlan {
  /** The 32 bits that all uSIDs share. */
  readonly block: number;
  /** Entries that tables of switches lose or have again, in order of time; omitted: they stay complete. */
  readonly events?: readonly UsidEventPlan[];
}

/** The table of a switch loses the uSID that leads to one of its ports, or has it again. */
export interface UsidEventPlan {
  /** Time of the event, picoseconds. */
  readonly timePs: number;
  /** The egress port. */
  readonly port: number;
  /** Whether the uSID is missing from then on. */
  readonly isWithdrawn: boolean;
}

/** Queue classes of `adaptive`. */
export interface AdaptivePlan {
  /** Queue lengths at 100 Gb/s from which a port is in the next class, ascending, at most 7; in proportion to the port's rate. */
  readonly thresholdsBytes: readonly number[];
  /** Maximum age of a class before it is recomputed, picoseconds. */
  readonly refreshPs: number;
}

/** How a host chooses the UDP source port of a data packet. `flow`: always the flow's own port. */
export type SelectionRule = PathSelection;

/** How hosts choose the UDP source port of each data packet. */
export interface SelectionPlan {
  /** Rule of each node; `flow` for switches. */
  readonly rules: readonly SelectionRule[];
  /** Number of entropies per flow of each node, a power of two up to 16,384. */
  readonly entropies: readonly number[];
  /** `reps`: time after a timeout during which only known entropies are used, picoseconds. */
  readonly freezePs: number;
  /** `reps`: number of packets that then use new entropies. */
  readonly explorePackets: number;
  /** Settings of `entropy-states`; omitted: no host has that rule. */
  readonly states?: EntropyStatesPlan;
}

/** Settings of MRC's entropy states. */
export interface EntropyStatesPlan {
  /** Entropies of a flow in addition to the active set. */
  readonly reserve: number;
  /** Minimum usable entropies in the active set. */
  readonly minActive: number;
  /** How long an entropy is skipped, picoseconds; null: once. */
  readonly skipPs: number | null;
  /** State of an entropy after a loss inferred from SACKs. */
  readonly inferredLoss: InferredLossState;
  /** Number of planes; an entropy belongs to plane e modulo this number, where e is its UDP source port or the part in `planeBits`. */
  readonly planes: number;
  /** Bits of the UDP source port that select the plane; omitted: all of them. */
  readonly planeBits?: BitField;
  /** Bytes waiting at a port of a host's adapter from which it has no room for further packets; 0: every port has room. */
  readonly portRoomBytes: number;
  /** Path probes; omitted: senders send none. */
  readonly probes?: ProbesPlan;
  /** Consecutive marked packets of an entropy after which a receiver sends ALWAYS_SKIP; omitted: never. */
  readonly alwaysSkipMarks?: number;
  /** Denials in order of time; omitted: no controller denies entropies. */
  readonly denials?: readonly DenialPlan[];
}

/** A controller denies an entropy of each flow or all entropies of a plane, or ends that. */
export interface DenialPlan {
  /** Time of the change, picoseconds. */
  readonly timePs: number;
  /** Number of the entropy, counted from the flow's first one, or DENIED_PLANE + the plane. */
  readonly target: number;
  /** Whether it is denied from then on. */
  readonly isDenied: boolean;
}

/** Probes of entropies that are assumed bad. */
export interface ProbesPlan {
  /** Time between probes of an entropy, picoseconds; null: the timeout of its flow. */
  readonly intervalPs: number | null;
  /** Consecutive acknowledged probes after which an entropy is used again. */
  readonly toReturn: number;
  /** State of the entropy if the last of these probes was marked. */
  readonly marked: MarkedProbeState;
  /** Length of a probe. */
  readonly lenBytes: number;
}

/** Settings of DRILL(d, m). */
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
  /** Node indices of the switches that have hosts, ascending; empty without `conga`. */
  readonly leaves: readonly number[];
}

/** Bytes of the states of a flow's entropies, and of its active set. */
export function stateBytes(active: number, reserve: number): number {
  return (active + reserve) * ENTROPY_STATE.bytes + active * 2;
}
