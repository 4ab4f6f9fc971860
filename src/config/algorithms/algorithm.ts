/** What engine and simulator have to know of an algorithm, built in or custom. */
import type { HpccPintParameters } from './hpcc-pint/parameters.js';
import type { HpccParameters } from './hpcc/parameters.js';
import type { ParameterRecord } from './parameter-record.js';

/** Properties of an algorithm. */
export interface Algorithm<Parameters> {
  /** As people write it. */
  readonly title: string;
  /** ALGORITHM_* */
  readonly code: number;
  /** @throws RoceError `invalid-config`, naming the field. */
  readonly validate: (parameters: unknown, name: string) => Parameters;
  /** The fields that engine.wasm reads, behind the algorithm's code. */
  readonly record: (parameters: Parameters) => ParameterRecord;
  /** Bits of src/abi/algorithms.ts; of those that read acknowledgements the record has a window. */
  readonly traits: number;
  /** The telemetry of switches that it reads. */
  readonly telemetry?: (parameters: Parameters) => TelemetryRead;
  /** Encoding in which switches provide the utilisation. */
  readonly pint?: (parameters: Parameters) => Pick<HpccPintParameters, 'pintBase' | 'pintBits'>;
  /** Whether a window bounds the bytes in flight: by its own `windowMode`, or always. Absent: as the network is set up. */
  readonly window?: 'by-mode' | 'always';
  /** Bytes that it adds to each packet of the reference simulator. */
  readonly referenceBytes?: number;
  /** Whether it checks for cuts per period, at a different time for each QP. */
  readonly cutsPerPeriod?: (parameters: Parameters) => boolean;
  /** Maximum number of hops that a QP can hold. */
  readonly hops?: (parameters: Parameters) => number;
  /** Hops that a QP keeps; the maximum unless given. */
  readonly keptHops?: number;
  /** Bytes of state that a QP keeps behind its record, where hops are kept. */
  readonly stateBytes?: () => number;
  /** Rejects what a model supports and the engine doesn't. @throws RoceError `invalid-config`, naming the field. */
  readonly checkForEngine?: (parameters: Parameters, name: string) => void;
  /** Bytes of the tables that the engine makes for a parameter set. */
  readonly tableBytes?: (parameters: Parameters) => number;
}

/** Telemetry in acknowledgements: kind of records, and m of `int64` ones. */
export type TelemetryRead = Pick<HpccParameters, 'records' | 'intMultiplier'>;
