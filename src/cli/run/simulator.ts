/** The part of the simulator that a test can replace. */
import type { PacketRecord, Progress, SimResult } from '../../sim/result.js';
import { compileScenario } from '../../sim/compile/compile-scenario.js';
import { followFlowSync } from '../../sim/flow-path/follow-flow.js';
import type { NoteRecord } from '../../note-record.js';
import { PhaseClock } from '../../sim/run/phase-clock.js';
import { PortCapture } from '../../sim/files/capture.js';
import { estimateMemoryBytes, requireMemory } from '../../sim/compile/memory-estimate.js';
import { estimateRun, type RunEstimate } from '../../sim/compile/run-estimate.js';
import { runScenario } from '../../sim/run/run-scenario.js';
import type { ValidScenario } from '../../sim/scenario/valid-scenario.js';
import { traceRates, type RateTraceOptions } from '../../sim/trace/trace-rates.js';
import { simTraceModule } from '../sim-trace-module.js';
import { validateScenario } from '../../sim/scenario/validate.js';
import { RoceError } from '../../errors.js';
import type { FlowPath, RunOptions, ScenarioFiles, ScenarioSpec } from '../../sim/index.js';
import type { NamedGraph } from './write-graphs.js';

/** What a scenario names, and what runs one of fidelity `reference-uet`. */
export type FilesOfRun = ScenarioFiles & Pick<RunOptions, 'uetReference'>;

export interface Simulator {
  /** Checks and compiles a scenario, once for all that is done with it. @throws RoceError invalid-scenario. */
  readonly prepare: (spec: unknown, maxMemoryBytes?: number, files?: FilesOfRun) => PreparedScenario;
}

/** A scenario that will run. */
export interface PreparedScenario {
  readonly spec: ScenarioSpec;
  /** Where its time goes, from the check on. */
  readonly phases: PhaseClock;
  readonly run: (options: SimulatorOptions) => RunningScenario;
  /** Of its jobs. */
  readonly graphs?: readonly NamedGraph[];
  /** What its run will take; undefined: not known. */
  readonly estimate?: () => PreparedEstimate;
  /** Flows that can be followed; undefined: none can. */
  readonly flowCount?: number;
  /** The path of a flow of its result, by a second run. Default: the flow that was notified first. @throws RoceError. */
  readonly follow?: (result: SimResult, flow?: number) => FlowPath | undefined;
  /** Each change of a rate, by a second run. */
  readonly traceRates?: (options: Omit<RateTraceOptions, 'module'>) => Generator<Progress, SimResult>;
  /** For captures of its packets. */
  readonly captures: CaptureMakers;
}

/** What a run will take. */
export interface PreparedEstimate extends RunEstimate {
  readonly memoryBytes: number;
}

/** Yields while it runs; the result comes also when it is cancelled by the signal. */
export interface RunningScenario extends AsyncIterable<Progress> {
  readonly result: Promise<SimResult>;
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
  readonly notes: readonly NoteRecord[];
  add(record: PacketRecord): void;
  /** Bytes that are ready, once. */
  drain(): readonly Uint8Array[];
  /** The rest. */
  finish(): Uint8Array;
}

/** It has no path to follow, no rate to trace, no port to capture. */
function preparedUet({ spec }: ValidScenario, { uetReference }: FilesOfRun, phases: PhaseClock): PreparedScenario {
  return {
    spec,
    phases,
    run: (options) => runScenario(spec, { ...options, ...(uetReference && { uetReference }), phases }),
    captures: {
      portNames: [],
      make: () => {
        throw new RoceError('invalid-argument', { what: 'a capture', problem: 'needs a port' });
      },
    },
  };
}

export const SIMULATOR: Simulator = {
  prepare: (spec, maxMemoryBytes = Infinity, files = {}) => {
    const phases = new PhaseClock(() => performance.now());
    const valid = phases.time('validate', () => validateScenario(spec, files));
    requireMemory(valid, maxMemoryBytes);
    if (valid.uet !== null) return preparedUet(valid, files, phases);
    const compiled = phases.time('compile', () => compileScenario(valid));
    const { plan, portNames } = compiled;
    return {
      spec: compiled.spec,
      graphs: valid.jobs,
      phases,
      estimate: () => {
        const estimate = estimateRun(compiled);
        return { ...estimate, memoryBytes: estimateMemoryBytes(valid) + estimate.packetMemoryBytes };
      },
      run: (options) => runScenario(compiled, { ...options, phases }),
      flowCount: plan.messageRecords === undefined ? plan.flows.length : 0,
      follow: (result, flow) => followFlowSync(compiled, result, flow),
      traceRates: (options) => traceRates(compiled, { ...options, module: simTraceModule() }),
      captures: { portNames, make: () => new PortCapture(plan) },
    };
  },
};
