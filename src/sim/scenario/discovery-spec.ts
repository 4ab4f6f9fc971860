/** Settings of discovery before traffic (Technical Disclosure Commons 1652). Fidelity `standard` only. */

/** Probes over the paths of all flows, before the flows start. */
export interface DiscoverySpec {
  /** `ipv4`: the form of the disclosure; `ipv6`: this library's form, which the simulated flows use. Default `ipv6`. */
  readonly form?: 'ipv4' | 'ipv6';
  /**
   * What happens if a path is not lossless, or a node does not do all that the policy requires: `report`, the result reports it;
   * `push`, the policy is sent to all nodes, and the flows run with the resulting settings; `refuse`, the run does not start.
   * Default `report`.
   */
  readonly onMismatch?: 'report' | 'push' | 'refuse';
  /** Timeout for replies, microseconds. Default 1,000,000, as in `createOriginator`. */
  readonly timeoutUs?: number;
  /** Routers with wrong settings or incomplete support. Default: none. */
  readonly routers?: readonly DiscoveryRouterSpec[];
}

/** How switches treat requests, replies and policies, and how they map RoCE data. */
export interface DiscoveryRouterSpec {
  /** Names of switches. */
  readonly nodes: readonly string[];
  /**
   * `always`; `silent`: counted as a hop, without a reply; `unaware`: forwards requests like any packet, neither counts nor
   * replies, and accepts no policy. Default `always`.
   */
  readonly responses?: 'always' | 'silent' | 'unaware';
  /** Whether an access list drops the replies of other nodes that pass here. Default false. */
  readonly dropsReplies?: boolean;
  /** Whether it accepts policies from the originators. Default true. */
  readonly takesPolicies?: boolean;
  /** Priority to which it maps the DSCP of RoCE data, 0 to 7. Default: the class of the data. Others have neither PFC nor ECN. */
  readonly rocePriority?: number;
}
