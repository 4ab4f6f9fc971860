/** Agents, and how the environment uses them. */

/** Kinds of agents: every QP, every host that sends, or every switch that marks packets. */
export const AGENT_KINDS = ['qps', 'hosts', 'switches'] as const;

/** Kind of agent. */
export type AgentKind = (typeof AGENT_KINDS)[number];

/** A QP's agent, as plain data. */
export interface QpAgent {
  /** `qp` followed by the number of the QP's first flow in the result. */
  readonly name: string;
  /** Marks a QP's agent. */
  readonly kind: 'qp';
  /** Name of the sending host. */
  readonly from: string;
  /** Name of the receiving host. */
  readonly to: string;
  /** Name of the QP's algorithm in the scenario. */
  readonly algorithm: string;
  /** Rate of the port through which it sends, bits per second. */
  readonly lineRateBps: number;
}

/** A host's agent, as plain data. */
export interface HostAgent {
  /** Name of the host. */
  readonly name: string;
  /** Marks a host's agent. */
  readonly kind: 'host';
  /** Rate of the slowest port through which its QPs send, bits per second. */
  readonly lineRateBps: number;
  /** Number of QPs that the host sends on. */
  readonly qps: number;
}

/** A switch's agent, as plain data. */
export interface SwitchAgent {
  /** Name of the switch. */
  readonly name: string;
  /** Marks a switch's agent. */
  readonly kind: 'switch';
  /** Names of the switch's ports, `node:peer`. */
  readonly ports: readonly string[];
}

/** An agent of any kind, as plain data. */
export type Agent = QpAgent | HostAgent | SwitchAgent;

/** Observed values by name, as listed in an observation space. */
export type Observation = Readonly<Record<string, number>>;

/**
 * Values to set by name, as listed in an action space. Null returns control to the simulator; omitted values do not
 * change.
 */
export type Action = Readonly<Record<string, number | null>>;

/** An agent during an episode. */
export interface ActiveAgent {
  readonly agent: Agent;
  /** Returns its observation of the interval that ends at this time, picoseconds. */
  readonly observe: (timePs: number) => Record<string, number>;
  /**
   * Validates an action, and returns a function that applies it.
   *
   * @param where name of the action in errors.
   * @throws RoceError `invalid-argument`.
   */
  readonly prepare: (action: Action, where: string) => () => void;
  /** Whether the agent has finished all its work. */
  readonly isDone: () => boolean;
}
