/** Agents: what they are, and what the environment does with each of them. */

/** Who acts: every QP, every host that sends, or every switch that marks packets. */
export const AGENT_KINDS = ['qps', 'hosts', 'switches'] as const;

/** Who acts. */
export type AgentKind = (typeof AGENT_KINDS)[number];

/** A QP as an agent, as plain data. */
export interface QpAgent {
  /** `qp` and the number of its first flow in the result. */
  readonly name: string;
  /** It is a QP. */
  readonly kind: 'qp';
  /** Host that sends. */
  readonly from: string;
  /** Host that receives. */
  readonly to: string;
  /** Name of its algorithm in the scenario. */
  readonly algorithm: string;
  /** Of the port by which it sends, bits per second. */
  readonly lineRateBps: number;
}

/** A host as an agent, as plain data. */
export interface HostAgent {
  /** Of the host. */
  readonly name: string;
  /** It is a host. */
  readonly kind: 'host';
  /** Of the slowest port by which its QPs send, bits per second. */
  readonly lineRateBps: number;
  /** QPs that it sends. */
  readonly qps: number;
}

/** A switch as an agent, as plain data. */
export interface SwitchAgent {
  /** Of the switch. */
  readonly name: string;
  /** It is a switch. */
  readonly kind: 'switch';
  /** Its ports, `node:peer`. */
  readonly ports: readonly string[];
}

/** One agent, as plain data. */
export type Agent = QpAgent | HostAgent | SwitchAgent;

/** Numbers by name, as an observation space lists them. */
export type Observation = Readonly<Record<string, number>>;

/** Numbers by name, of those that an action space lists; null gives control back, what is left out stays as it is. */
export type Action = Readonly<Record<string, number | null>>;

/** An agent during an episode. */
export interface ActiveAgent {
  readonly agent: Agent;
  /** What it sees of the interval that ends at this time, picoseconds. */
  readonly observe: (timePs: number) => Record<string, number>;
  /**
   * Checks an action, and returns what applies it at once.
   *
   * @param where name of the action in errors.
   * @throws RoceError `invalid-argument`.
   */
  readonly prepare: (action: Action, where: string) => () => void;
  /** Whether it has nothing left to do. */
  readonly isDone: () => boolean;
}
