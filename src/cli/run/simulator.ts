/** All that the command line uses of the simulator, in one place; and the part of it that a test can stand in for. */
import type { PacketRecord, Progress, SimResult } from '../../sim/result.js';
import { compileScenario, PortCapture, runScenario, validateScenario } from '../../sim/index.js';

export { explainResult, flowsToCsv, parseResultJson, portsToCsv, readReferenceExperiment, resultToJson,
  resultToPerfetto, seriesToCsv } from '../../sim/index.js';

export interface Simulator {
  /** @throws RoceError `invalid-scenario`. */
  readonly validate: (spec: unknown) => void;
  /** Yields while it runs; returns the result, also when cancelled by the signal. */
  readonly run: (spec: unknown, options: SimulatorOptions) => AsyncGenerator<Progress, SimResult>;
  /** For captures of packets of this scenario. */
  readonly captures: (spec: unknown) => CaptureMakers;
}

export interface SimulatorOptions {
  readonly signal: AbortSignal;
  /** Gets what left the ports that are captured. */
  readonly onPackets?: (records: readonly PacketRecord[]) => void;
}

/** Makes empty captures. */
export interface CaptureMakers {
  /** By index. */
  readonly portNames: readonly string[];
  readonly make: () => CaptureMaker;
}

/** Makes a capture file of packets as they come. */
export interface CaptureMaker {
  readonly notes: readonly string[];
  add(record: PacketRecord): void;
  /** Bytes that are ready, once. */
  take(): readonly Uint8Array[];
  /** The rest. */
  finish(): Uint8Array;
}

export const SIMULATOR: Simulator = {
  // Compiled as well: only that finds flows without a way, and ports that aren't there.
  validate: (spec) => {
    compileScenario(validateScenario(spec));
  },
  run: runScenario,
  captures: (spec) => {
    const { plan, portNames } = compileScenario(validateScenario(spec));
    return { portNames, make: () => new PortCapture(plan) };
  },
};
