/** What the engine and the simulator need to know about an algorithm, built in or custom. */
import type { HpccPintParameters } from './hpcc-pint/parameters.js';
import type { HpccParameters } from './hpcc/parameters.js';
import type { ParameterRecord } from './parameter-record.js';

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
  readonly pint?: (parameters: Parameters) => Pick<HpccPintParameters, 'pintBase' | 'pintBits'>;
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

/** Telemetry in ACKs: kind of hop records, and the unit multiplier m of `int64` records. */
export type TelemetryRead = Pick<HpccParameters, 'records' | 'intMultiplier'>;
