/**
 * Agents, how the environment uses them, and the numbers that they observe or set: unit, range, meaning. Spaces,
 * validation and the tables of docs/guides/gym.md are derived from these.
 */
import { inRange } from '../config/field-rules.js';
import { RoceError } from '../errors.js';

const U32_MAX = 2 ** 32 - 1;

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

/** A number in an observation or an action, as plain data. */
export interface Space {
  /** Always a number. */
  readonly type: 'number';
  /** Unit such as `b/s`, `bytes`, `us`; empty for a share or a count. */
  readonly unit: string;
  /** Minimum value. */
  readonly min: number;
  /** Maximum value; null if unbounded. */
  readonly max: number | null;
  /** Whether only whole numbers are allowed. */
  readonly whole: boolean;
  /** Whether an action may be null, which returns control to the simulator. */
  readonly nullable: boolean;
  /** Meaning of the number. */
  readonly description: string;
}

/** The numbers of an observation or an action, by name. */
export type Spaces = Readonly<Record<string, Space>>;

/** Line rates of the hosts' ports, which bound rates. */
export interface LineRates {
  /** Rate of the slowest port, bits per second. */
  readonly leastBps: number;
  /** Rate of the fastest port, bits per second. */
  readonly mostBps: number;
}

/** A space whose maximum may depend on the network. */
export interface Declared extends Omit<Space, 'type' | 'max' | 'nullable'> {
  readonly max: number | null | keyof LineRates;
}

/** An observation: its space, and how to read it. */
export interface Observed<Seen> extends Declared {
  readonly read: (seen: Seen) => number;
}

/** Resolves declared spaces for a network. */
export function spacesOf(declared: Readonly<Record<string, Declared>>, rates: LineRates, nullable: boolean): Spaces {
  return Object.fromEntries(Object.entries(declared).map(([name, { unit, min, max, whole, description }]) => [name, {
    type: 'number',
    unit,
    min,
    max: typeof max === 'string' ? rates[max] : max,
    whole,
    nullable,
    description,
  }]));
}

/**
 * Makes a function that reads all observations. The table's members are listed once, because each agent is read at each
 * step.
 */
export function readerOf<Seen>(
  observed: Readonly<Record<string, Observed<Seen>>>,
): (seen: Seen) => Record<string, number> {
  const members = Object.entries(observed).map(([name, { read }]) => ({ name, read }));
  return (seen) => {
    const values: Record<string, number> = {};
    for (const { name, read } of members) values[name] = read(seen);
    return values;
  };
}

/** Actions of a QP's agent; a host's agent applies them to each of its QPs. */
export const QP_ACTIONS = {
  rateShare: {
    unit: '',
    min: 1e-5,
    max: 1,
    whole: false,
    description: 'Rate by which it is paced, as a share of the line rate; its algorithm runs on, and does not pace it',
  },
  rateBps: {
    unit: 'b/s',
    min: 1e5,
    max: 'leastBps',
    whole: false,
    description: 'The same in bits per second; not together with `rateShare`',
  },
  windowBytes: {
    unit: 'bytes',
    min: 1,
    max: U32_MAX,
    whole: true,
    description: 'Bytes that may be in flight, instead of the window of its algorithm',
  },
} as const satisfies Record<string, Declared>;

/** Actions of a switch's agent, for each of its ports that marks packets. */
export const SWITCH_ACTIONS = {
  kminBytes: {
    unit: 'bytes',
    min: 0,
    max: U32_MAX,
    whole: false,
    description: 'Kmin: queue from which packets are marked; at most Kmax',
  },
  kmaxBytes: {
    unit: 'bytes',
    min: 0,
    max: U32_MAX,
    whole: false,
    description: 'Kmax: queue from which all packets are marked',
  },
  pmax: {
    unit: '',
    min: 0,
    max: 1,
    whole: false,
    description: 'Pmax: share of packets marked just below Kmax',
  },
} as const satisfies Record<string, Declared>;

/** Throws RoceError `invalid-argument` unless all members are declared and within their ranges. */
export function checkAction(action: Action, declared: Readonly<Record<string, Declared>>, lineRateBps: number,
  where: string): void {
  for (const [name, got] of Object.entries(action)) {
    if (!Object.hasOwn(declared, name))
      rejectAction({ what: `a member of ${where}`, got: name, allowed: Object.keys(declared), where });
    const { min, max, unit, whole } = declared[name];
    const range = {
      min,
      ...(max === null ? {} : { max: typeof max === 'string' ? lineRateBps : max }),
      ...(unit === '' ? {} : { unit }),
      ...(whole ? { multipleOf: 1 } : {}),
    };
    if (got !== null && !inRange(range).accepts(got))
      rejectAction({ got, allowed: [range, null], where: `${where}.${name}` });
  }
}

/** Rejects an action. Throws RoceError `invalid-argument`. */
export function rejectAction(fields: ConstructorParameters<typeof RoceError>[1]): never {
  throw new RoceError('invalid-argument', fields);
}
