/** What a custom algorithm says of itself, apart from its code: parameters, state, and what the network has to do for it. */

/** What of the network a default may depend on. */
export interface NetworkOfFlows {
  /** Rate of the sending host's port, bits per second. */
  readonly lineRateBps: number;
  /** Longest base round trip, picoseconds; an engine without a network has 0. */
  readonly baseRttPs: number;
  /** Line rate times base round trip, bytes; an engine without a network has 0. */
  readonly windowBytes: number;
  /** Payload of a whole packet, bytes. */
  readonly mtuBytes: number;
}

/** A value of a parameter: a number, true or false, or one of the words that it declares. */
export type ParameterValue = number | string | boolean;

/**
 * A parameter of a custom algorithm or congestion point. From it follow checks, `--set`, sweeps, sliders and docs.
 *
 * @typeParam Context what a default may depend on.
 */
export interface ParameterDeclaration<Context = NetworkOfFlows> {
  /** The value unless another one is given, or how it follows from the network. */
  readonly default: ParameterValue | ((network: Context) => ParameterValue);
  /** Smallest value, included. Default: none. */
  readonly min?: number;
  /** Largest value, included. Default: none. */
  readonly max?: number;
  /** Only whole numbers. Default: no. */
  readonly whole?: boolean;
  /** Words instead of numbers. */
  readonly values?: readonly string[];
  /** Unit for people: `b/s`, `ps`, `bytes`. Default: a number without one. */
  readonly unit?: string;
  /** Name for people. Default: the parameter's. */
  readonly title?: string;
  /** What it is for, in a sentence. */
  readonly description?: string;
  /** Where the default comes from. */
  readonly source?: string;
}

/** Declarations of parameters by their names. */
export type ParameterDeclarations<Context = NetworkOfFlows> = Readonly<Record<string, ParameterDeclaration<Context>>>;

/** Initial values of a QP's state by name: numbers, and lists of numbers. */
export type StateDeclaration = Readonly<Record<string, number | readonly number[]>>;

/** Parameters as handlers and functions of a declaration see them. */
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** How a new rate moves the time of the next packet. */
export type Pacing = 'next-packet' | 'running-gap' | 'own';

/** Whether a timer due at t expires before a packet event at t, or after it. */
export type TimerOrder = 'before-event' | 'after-event';

/** A value, or how it follows from the parameters. */
export type ByParameters<T> = T | ((parameters: ParameterValues) => T);

/** The declaration of a custom algorithm, as `defineAlgorithm` takes it next to the code. */
export interface AlgorithmDeclaration {
  /** Lower-case letters, digits and hyphens, at most 32; no name of a preset. */
  readonly name: string;
  /** As people write it. Default: the name. */
  readonly title?: string;
  /** Paper, draft or document that it follows. */
  readonly source?: string;
  /** At most 34. */
  readonly parameters?: ParameterDeclarations;
  /** At most 128 numbers. */
  readonly state?: StateDeclaration;
  /** Default: `next-packet`. */
  readonly pacing?: Pacing;
  /** Default: `before-event`. */
  readonly timers?: ByParameters<TimerOrder>;
  /** Records of hops in acknowledgements. Default: none. */
  readonly telemetry?: ByParameters<{
    /** Kind of the records of hops. */
    readonly records: 'exact' | 'int64';
    /** Multiplier of 64-bit records. */
    readonly intMultiplier: number;
  }>;
  /** Utilisation of the busiest hop in acknowledgements. Default: none. */
  readonly pint?: ByParameters<{
    /** Base of the codes. */
    readonly pintBase: number;
    /** Bits of a code. */
    readonly pintBits: number;
  }>;
  /** Whether it keeps a window: always, or as its parameter `windowMode` says. Default: as the network is set up. */
  readonly window?: 'always' | 'by-mode';
  /** Bytes that it adds to each packet under fidelity `reference`. Default: 0. */
  readonly referenceBytes?: number;
  /** Whether it reacts to congestion marks, for notes on a scenario. Default: yes. */
  readonly readsMarks?: boolean;
  /** Texts of reasons that a module gives by number, from 1 on. */
  readonly reasons?: readonly string[];
}
