/**
 * The parts of an engine that DCQCN does not need. roce-cc passes all of them, roce-cc/dcqcn only the table of its one
 * algorithm, so that a DCQCN-only bundle contains no other algorithm's code.
 */
import { bindAlgorithms } from '../algorithm/bind.js';
import { reasonText, guardedBackend } from '../algorithm/bound.js';
import { moduleBytesNeeded } from '../algorithm/module-regions.js';
import { ALGORITHMS, type AlgorithmTable } from '../config/algorithms/registry.js';
import { telemetry } from '../config/telemetry.js';
import { AckRecords } from './ack-records.js';
import { readAlgorithmState } from './algorithm-state.js';
import { RateChangeReader } from './rate-change-reader.js';
import { portBytesNeeded, writeTelemetry } from './write-telemetry.js';

export interface EngineParts {
  readonly algorithms: AlgorithmTable;
  /** Validates telemetry settings; undefined if no algorithm reads telemetry. */
  readonly checkTelemetry?: typeof telemetry;
  /** Writes acknowledgements. */
  readonly AckRecords?: typeof AckRecords;
  /** Binds custom algorithms. */
  readonly bindAlgorithms?: typeof bindAlgorithms;
  readonly moduleBytesNeeded?: typeof moduleBytesNeeded;
  readonly guardedBackend?: typeof guardedBackend;
  readonly reasonText?: typeof reasonText;
  readonly readAlgorithmState: typeof readAlgorithmState;
  readonly RateChangeReader?: typeof RateChangeReader;
  readonly portBytesNeeded?: typeof portBytesNeeded;
  readonly writeTelemetry?: typeof writeTelemetry;
}

/** The parts for all algorithms. */
export const ALL_PARTS: EngineParts = {
  algorithms: ALGORITHMS,
  checkTelemetry: telemetry,
  AckRecords,
  bindAlgorithms,
  moduleBytesNeeded,
  guardedBackend,
  reasonText,
  readAlgorithmState,
  RateChangeReader,
  portBytesNeeded,
  writeTelemetry,
};
