/** Interface to the simulator, which tests can replace. */
import type { PacketRecord, Progress, SimResult } from '../../sim/result.js';
import { compileScenario } from '../../sim/compile/compile-scenario.js';
import { followFlowSync } from '../../sim/flow-path/follow-flow.js';
import type { NoteRecord } from '../../note-record.js';
import { PhaseClock } from '../../sim/steps.js';
import { PortCapture } from '../../sim/files/capture.js';
import { estimateMemoryBytes, requireMemory, estimateRun, type RunEstimate } from '../../sim/compile/estimates.js';
import { runScenario } from '../../sim/run/run-scenario.js';
import type { ValidScenario } from '../../sim/scenario/valid-scenario.js';
import { traceRates, type RateTraceOptions } from '../../sim/trace-rates.js';
import { simTraceModule } from '../shipped-files.js';
import { validateScenario } from '../../sim/scenario/validate.js';
import { RoceError } from '../../errors.js';
import type { FlowPath, RunOptions, ScenarioFiles, ScenarioSpec } from '../../sim/index.js';
import type { WorkloadGraph } from '../../workloads/index.js';

/** A job's name and graph. */
export interface NamedGraph {
  readonly name: string;
  readonly graph: WorkloadGraph;
}

/** Files that a scenario names, and the simulator for fidelity `reference-uet`. */
export type FilesOfRun = ScenarioFiles & Pick<RunOptions, 'uetReference'>;

export interface Simulator {
  /** Validates and compiles a scenario, once for all its runs. @throws RoceError `invalid-scenario`. */
  readonly prepare: (spec: unknown, maxMemoryBytes?: number, files?: FilesOfRun) => PreparedScenario;
}

/** A scenario that is ready to run. */
export interface PreparedScenario {
  readonly spec: ScenarioSpec;
  /** Times of its phases, beginning with validation. */
  readonly phases: PhaseClock;
  readonly run: (options: SimulatorOptions) => RunningScenario;
  /** Graphs of its jobs. */
  readonly graphs?: readonly NamedGraph[];
  /** Estimates its run; undefined if unknown. */
  readonly estimate?: () => PreparedEstimate;
  /** Number of flows that can be followed; undefined if none can. */
  readonly flowCount?: number;
  /** Follows a flow, by a second run. Default: the flow that was notified first. @throws RoceError. */
  readonly follow?: (result: SimResult, flow?: number) => FlowPath | undefined;
  /** Traces rate changes, by a second run. */
  readonly traceRates?: (options: Omit<RateTraceOptions, 'module'>) => Generator<Progress, SimResult>;
  /** Creates captures of its packets. */
  readonly captures: CaptureMakers;
}

/** Estimate of a run. */
export interface PreparedEstimate extends RunEstimate {
  readonly memoryBytes: number;
}

/** A running scenario, which reports progress. There is a result even if the signal cancels it. */
export interface RunningScenario extends AsyncIterable<Progress> {
  readonly result: Promise<SimResult>;
}

export interface SimulatorOptions {
  readonly signal: AbortSignal;
  /** Called with the packets that left the captured ports. */
  readonly onPackets?: (records: readonly PacketRecord[]) => void;
}

/** Creates captures. */
export interface CaptureMakers {
  /** Names of ports, by index. */
  readonly portNames: readonly string[];
  readonly make: () => CaptureMaker;
}

/** Encodes a capture file while packets arrive. */
export interface CaptureMaker {
  readonly notes: readonly NoteRecord[];
  add(record: PacketRecord): void;
  /** Returns the bytes encoded since the last call. */
  drain(): readonly Uint8Array[];
  /** Returns the remaining bytes. */
  finish(): Uint8Array;
}

/** Prepares a scenario of fidelity `reference-uet`, which has no paths, rate traces or captures. */
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
