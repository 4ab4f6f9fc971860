/** Findings of discovery before traffic, in a result. */

/** Verdict on a path: see `reportPath` of `roce-cc/discovery`. */
export type DiscoveryVerdict = 'lossless' | 'not-lossless' | 'unknown';

/** Discovery over the paths of all flows. */
export interface DiscoveryResult {
  /** Of the packets: `ipv4` or `ipv6`. */
  readonly form: string;
  /** The worst verdict of all paths, with the settings that the flows used. */
  readonly verdict: DiscoveryVerdict;
  /** Whether each node did all that the policy requires when the flows started. */
  readonly isAsAsked: boolean;
  /** When the last round was over: all flow starts are delayed by this much, picoseconds. */
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
  /** Reasons of the verdict, as sentences; empty when lossless. */
  readonly reasons: readonly string[];
  /** Sentences on differences that are not dangerous. */
  readonly remarks: readonly string[];
  /** The effect of the policy, node by node, in sentences. Absent: none was pushed. */
  readonly pushed?: readonly string[];
  /** Verdict of the last round. Absent: nothing was pushed. */
  readonly verdictAfter?: DiscoveryVerdict;
  /** Reasons of that verdict, as sentences. Absent: nothing was pushed. */
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
