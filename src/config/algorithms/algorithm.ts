/** What the engine and the simulator need to know about an algorithm, built in or custom, and the record of its parameters. */
/** Properties of an algorithm. */
export interface Algorithm<Parameters> {
  /** Display name. */
  readonly title: string;
  /** One of the ALGORITHM_* codes. */
  readonly code: number;
  /** @throws RoceError `invalid-config`, naming the field. */
  readonly validate: (parameters: unknown, name: string) => Parameters;
  /** The fields that follow the algorithm's code in the record that engine.wasm reads. */
  readonly record: (parameters: Parameters) => ParameterRecord;
  /** Bits of src/abi/algorithms.ts. Algorithms that read ACKs also have a window in a QP's record. */
  readonly traits: number;
  /** The switch telemetry that it reads. */
  readonly telemetry?: (parameters: Parameters) => TelemetryRead;
  /** Encoding in which switches provide the utilisation. */
  readonly pint?: (parameters: Parameters) => { readonly pintBase: number; readonly pintBits: number };
  /** Whether a window bounds the bytes in flight: if its `windowMode` says so, or always. Absent: the network decides. */
  readonly window?: 'by-mode' | 'always';
  /** Bytes that it adds to each packet under fidelity `reference`. */
  readonly referenceBytes?: number;
  /** Whether it checks for rate cuts periodically, with a separate phase for each QP. */
  readonly cutsPerPeriod?: (parameters: Parameters) => boolean;
  /** Maximum number of hops per QP. */
  readonly hops?: (parameters: Parameters) => number;
  /** Hops whose last telemetry a QP stores; the maximum unless given. */
  readonly keptHops?: number;
  /** Bytes of further state per QP, stored after its record instead of hops. */
  readonly stateBytes?: () => number;
  /** Rejects parameters that only the reference model supports. @throws RoceError `invalid-config`, naming the field. */
  readonly checkForEngine?: (parameters: Parameters, name: string) => void;
  /** Bytes of the tables that the engine makes for a parameter set. */
  readonly tableBytes?: (parameters: Parameters) => number;
}

/** Telemetry in ACKs. */
export interface TelemetryRead {
  /** Kind of hop records. */
  readonly records: 'exact' | 'int64';
  /** The unit multiplier m of `int64` records. */
  readonly intMultiplier: number;
}

/** A field: its name in the engine's class, its value, and its type: `u32`, or f64 if absent. */
export type ParameterField = readonly [name: string, value: number, type?: 'u32'];
/** A parameter set as the engine reads it: the fields of the algorithm's class in assembly/algorithms, in its order. */
export type ParameterRecord = readonly ParameterField[];

/** The fields that follow the code in every algorithm: algorithm-specific flag bits, line rate, and floor of the rate. */
export function commonFields(maxRateBps: number, minRateBps: number, switches = 0): ParameterRecord {
  return [['switches', switches, 'u32'], ['maxRateBps', maxRateBps], ['minRateBps', minRateBps]];
}

/** Fields of all senders that count round trips. The first word of each type becomes 0, the second 1. */
export function senderFields({ numbers, sequence, sendGap }: {
  readonly numbers: 'float64' | 'whole-bps';
  readonly sequence: 'u32' | 'psn24';
  readonly sendGap: 'picoseconds' | 'ns3-nanoseconds';
}): ParameterRecord {
  return [
    ['numbers', Number(numbers === 'whole-bps')],
    ['sequence', Number(sequence === 'psn24')],
    ['sendGap', Number(sendGap === 'ns3-nanoseconds')],
  ];
}

/** Writes a record at a byte address. */
export function writeParameterRecord(view: DataView, at: number, record: ParameterRecord): void {
  let next = at;
  for (const [, value, type] of record) {
    if (type === 'u32') view.setUint32(next, value, true);
    else view.setFloat64(next, value, true);
    next += type === 'u32' ? 4 : 8;
  }
}
