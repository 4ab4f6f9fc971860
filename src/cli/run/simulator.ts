/** All that the command line uses of the simulator, in one place; and the part of it that a test can stand in for. */
import type { PacketRecord, Progress, SimResult } from '../../sim/result.js';
import { compileScenario, PortCapture, runScenario, validateScenario } from '../../sim/index.js';

export {
  explainResult, flowsToCsv, parseResultJson, portsToCsv, readReferenceExperiment, resultToJson, resultToPerfetto, seriesToCsv,
} from '../../sim/index.js';

export interface Simulator {
  /** @throws RoceError INVALID_SCENARIO. */
  readonly validate: (spec: unknown) => void;
  /** Yields while it runs; returns the result, also when cancelled by the signal. */
  readonly run: (spec: unknown, options: SimulatorOptions) => AsyncGenerator<Progress, SimResult>;
  /** An empty capture, for packets of this scenario. */
  readonly capture: (spec: unknown) => CaptureMaker;
}

export interface SimulatorOptions {
  readonly signal: AbortSignal;
  /** Gets what left the ports that are captured. */
  readonly onPackets?: (records: readonly PacketRecord[]) => void;
}

/** Makes a capture file of packets as they come. */
export interface CaptureMaker {
  readonly notes: readonly string[];
  add(record: PacketRecord): void;
  finish(): Uint8Array;
}

export const SIMULATOR: Simulator = {
  // Compiled as well: only that finds flows without a way, and ports that aren't there.
  validate: (spec) => { compileScenario(validateScenario(spec)); },
  run: runScenario,
  capture: (spec) => new PortCapture(compileScenario(validateScenario(spec)).plan),
};
