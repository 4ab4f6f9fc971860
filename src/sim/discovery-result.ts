/** What discovery before traffic found, as a result has it. */

/** Verdict on a path: see `reportPath` of `roce-cc/discovery`. */
export type DiscoveryVerdict = 'lossless' | 'not-lossless' | 'unknown';

/** Discovery over the paths of all flows. */
export interface DiscoveryResult {
  /** Of the packets: `ipv4` or `ipv6`. */
  readonly form: string;
  /** The worst verdict of all paths, as the flows met them. */
  readonly verdict: DiscoveryVerdict;
  /** Did each node do all that the policy asks, when the flows started? */
  readonly isAsAsked: boolean;
  /** When the last round was over: flows started so much later than the scenario says, picoseconds. */
  readonly endPs: number;
  /** Rounds: 1; 3 where a policy was pushed (probe, push, probe). */
  readonly rounds: number;
  /** Requests sent by hosts. */
  readonly requests: number;
  /** Replies sent by switches and hosts. */
  readonly replies: number;
  /** Replies that access lists dropped. */
  readonly repliesDropped: number;
  /** Switches that the policy changed, by name. */
  readonly changed: readonly string[];
  /** Paths in the order of their first flows. */
  readonly paths: readonly DiscoveryPathResult[];
}

/** One path, by its probe. */
export interface DiscoveryPathResult {
  /** Name of the sending host, which sent the probes. */
  readonly from: string;
  /** Name of the receiving host. */
  readonly to: string;
  /** Index of the first flow that takes this path. */
  readonly flow: number;
  /** Verdict of the first round. */
  readonly verdict: DiscoveryVerdict;
  /** Sentences that led to it; empty when lossless. */
  readonly reasons: readonly string[];
  /** Sentences on what is no danger, and yet not alike. */
  readonly remarks: readonly string[];
  /** What became of the policy, node by node, in sentences. Absent: none was pushed. */
  readonly pushed?: readonly string[];
  /** Verdict of the last round. Absent: nothing was pushed. */
  readonly verdictAfter?: DiscoveryVerdict;
  /** Sentences that led to that. Absent: nothing was pushed. */
  readonly reasonsAfter?: readonly string[];
  /** Hops that replied in the first round: routers in order, the destination last. */
  readonly hops: readonly DiscoveryHopResult[];
}

/** A node that replied. */
export interface DiscoveryHopResult {
  /** Name of the node. */
  readonly node: string;
  /** Hop count of its reply. */
  readonly hop: number;
  /** From the request's first bit to the reply's last, picoseconds. */
  readonly roundTripPs: number;
}
