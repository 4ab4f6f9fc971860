/** The declaration of a custom algorithm: parameters, state, and what it needs from the network. */

/** Properties of the network that a default may depend on. */
export interface NetworkOfFlows {
  /** Rate of the sending host's port, bits per second. */
  readonly lineRateBps: number;
  /** Longest base round trip, picoseconds; 0 for an engine without a network. */
  readonly baseRttPs: number;
  /** Line rate times base round trip, bytes; 0 for an engine without a network. */
  readonly windowBytes: number;
  /** Payload of a full packet, bytes. */
  readonly mtuBytes: number;
}

/** Value of a parameter: a number, a boolean, or one of the declared words. */
export type ParameterValue = number | string | boolean;

/**
 * A parameter of a custom algorithm or congestion point. Validation, `--set`, sweeps, sliders and docs are derived from it.
 *
 * @typeParam Context what a default may depend on.
 */
export interface ParameterDeclaration<Context = NetworkOfFlows> {
  /** Default value, or a function that derives it from the network. */
  readonly default: ParameterValue | ((network: Context) => ParameterValue);
  /** Smallest allowed value. Default: none. */
  readonly min?: number;
  /** Largest allowed value. Default: none. */
  readonly max?: number;
  /** Whether only whole numbers are allowed. Default: no. */
  readonly whole?: boolean;
  /** Allowed words, for a parameter that is not a number. */
  readonly values?: readonly string[];
  /** Unit to display: `b/s`, `ps`, `bytes`. Default: none. */
  readonly unit?: string;
  /** Display name. Default: the parameter's name. */
  readonly title?: string;
  /** Its purpose, in one sentence. */
  readonly description?: string;
  /** Where the default comes from. */
  readonly source?: string;
}

/** Declarations of parameters by their names. */
export type ParameterDeclarations<Context = NetworkOfFlows> = Readonly<Record<string, ParameterDeclaration<Context>>>;

/** Initial values of a QP's state by name: numbers, and lists of numbers. */
export type StateDeclaration = Readonly<Record<string, number | readonly number[]>>;

/** Parameter values as passed to handlers and to functions of a declaration. */
export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** How a new rate changes the time of the next packet. */
export type Pacing = 'next-packet' | 'running-gap' | 'own';

/** Whether a timer due at t expires before a packet event at t, or after it. */
export type TimerOrder = 'before-event' | 'after-event';

/** A value, or a function that derives it from the parameters. */
export type ByParameters<T> = T | ((parameters: ParameterValues) => T);

/** The declaration of a custom algorithm, which `defineAlgorithm` takes together with the code. */
export interface AlgorithmDeclaration {
  /** At most 32 lower-case letters, digits and hyphens; not the name of a preset. */
  readonly name: string;
  /** Display name. Default: the name. */
  readonly title?: string;
  /** Paper, draft or document that defines it. */
  readonly source?: string;
  /** Parameters by name, at most 34. */
  readonly parameters?: ParameterDeclarations;
  /** State of a QP, at most 128 numbers. */
  readonly state?: StateDeclaration;
  /** How a new rate changes the time of the next packet. Default: `next-packet`. */
  readonly pacing?: Pacing;
  /** Order of timers and packet events of the same instant. Default: `before-event`. */
  readonly timers?: ByParameters<TimerOrder>;
  /** Hop records in ACKs. Default: none. */
  readonly telemetry?: ByParameters<{
    /** Kind of the records of hops. */
    readonly records: 'exact' | 'int64';
    /** Multiplier of 64-bit records. */
    readonly intMultiplier: number;
  }>;
  /** Encoded utilisation of the busiest hop in ACKs (PINT). Default: none. */
  readonly pint?: ByParameters<{
    /** Base of the encoding. */
    readonly pintBase: number;
    /** Bits of an encoded value. */
    readonly pintBits: number;
  }>;
  /** Whether a window bounds the bytes in flight: always, or if `windowMode` says so. Default: the network decides. */
  readonly window?: 'always' | 'by-mode';
  /** Bytes that it adds to each packet under fidelity `reference`. Default: 0. */
  readonly referenceBytes?: number;
  /** Whether it reacts to ECN marks; used for notes on a scenario. Default: yes. */
  readonly readsMarks?: boolean;
  /** Texts of the reasons that a module reports by number, counted from 1. */
  readonly reasons?: readonly string[];
}
