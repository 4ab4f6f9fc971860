/** What a scenario says of discovery before traffic (Technical Disclosure Commons 1652). Fidelity `standard` alone. */

/** Probes over the paths of all flows, before the flows start. */
export interface DiscoverySpec {
  /** `ipv4`: as the disclosure has it; `ipv6`: this library's form of it. Default `ipv6`, which is what the simulated flows have. */
  readonly form?: 'ipv4' | 'ipv6';
  /**
   * What becomes of a path that is not lossless, or a node that does not do all that the policy asks: `report`, the result says so; `push`, the
   * policy is sent to all nodes, and the flows meet what they then are; `reject`, the run does not start. Default `report`.
   */
  readonly onMismatch?: 'report' | 'push' | 'refuse';
  /** How long replies are waited for, microseconds. Default 1,000,000, as `createOriginator` has it. */
  readonly timeoutUs?: number;
  /** Routers that are set wrong or don't take part as they should. Default: none. */
  readonly routers?: readonly DiscoveryRouterSpec[];
}

/** What switches do with requests, replies and policies, and how they map RoCE data. */
export interface DiscoveryRouterSpec {
  /** Names of switches. */
  readonly nodes: readonly string[];
  /**
   * `always`; `silent`: counted as a hop, without a reply; `unaware`: forwards requests as any packet, neither counts nor replies, and takes no
   * policy. Default `always`.
   */
  readonly responses?: 'always' | 'silent' | 'unaware';
  /** Does an access list drop the replies of other nodes that pass here? Default false. */
  readonly dropsReplies?: boolean;
  /** Does it take policies from the originators? Default true. */
  readonly takesPolicies?: boolean;
  /** Priority that it maps the DSCP of RoCE data to, 0 to 7. Default: the class of the data. Elsewhere the data has neither PFC nor ECN. */
  readonly rocePriority?: number;
}
