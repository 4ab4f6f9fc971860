/**
 * Runs a scenario: validates, compiles and simulates it slice by slice.
 *
 * @example
 * const run = runScenario(scenario);
 * for await (const { flowsDone } of run) show(flowsDone);
 * const { summary } = await run.result;
 */
import { checkRecord, reject } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import { compileScenario, compileSteps, type CompiledScenario } from '../compile/compile-scenario.js';
import type { UetScenario } from '../features/reference-uet/inputs.js';
import { isUetScenario, runUetScenario, type UetReference } from '../features/reference-uet/run.js';
import { instantiateSim } from '../kernel/instantiate.js';
import type { KernelBuild } from '../kernel/kernel-options.js';
import { SimKernel, type SliceEnd } from '../kernel/kernel.js';
import type { PacketRecord, Progress, SimResult } from '../result.js';
import type { ScenarioFiles } from '../scenario/scenario-files.js';
import type { ScenarioSpec } from '../scenario/spec.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';
import { validateScenario } from '../scenario/validate.js';
import { atOnce, type Steps, noClock, timed, type PhaseClock } from '../steps.js';
import { resultSteps } from './collect-result.js';
import { RunRecords, Sampler, type RateSample } from './run-records.js';
import { ScenarioRun, TURN_MS } from './scenario-run.js';

/** How a run is observed and ended. */
export interface RunOptions {
  /** Ends the run between two slices; the result covers the run so far, `ended: 'cancelled'`. */
  readonly signal?: AbortSignal;
  /** Receives the packets of captured ports, in the order in which they left. */
  readonly onPackets?: (records: readonly PacketRecord[]) => void;
  /**
   * Called at each sample of the series, after all earlier events and before those of the same instant; for pages that draw
   * during the run. It may read the kernel but must neither run nor drain it.
   *
   * @param timePs time of the sample, picoseconds.
   * @param rates rates of the flows that the scenario records, one picosecond before.
   */
  readonly onSample?: (kernel: SimKernel, timePs: number, rates: RateSample) => void;
  /**
   * Events per slice. Default: in the background, as many as keep a page on the same thread responsive. Results do not depend
   * on it.
   */
  readonly eventsPerSlice?: number;
  /** Graphs of jobs, by the job's `file`. */
  readonly graphs?: ScenarioFiles['graphs'];
  /** Custom algorithms that the scenario names as presets. */
  readonly algorithms?: ScenarioFiles['algorithms'];
  /** Custom algorithms that the scenario names as files, by path. */
  readonly algorithmFiles?: ScenarioFiles['algorithmFiles'];
  /** Custom congestion points that the scenario names as presets. */
  readonly congestionPoints?: ScenarioFiles['congestionPoints'];
  /** Custom congestion points that the scenario names as files, by path. */
  readonly congestionPointFiles?: ScenarioFiles['congestionPointFiles'];
  /** Custom algorithms that replace built-in ones, by the built-in name; a congestion point as `congestion-point`. */
  readonly substitutes?: ScenarioFiles['substitutes'];
  /**
   * Runs scenarios of fidelity `reference-uet`: `uetReference` of `roce-cc/uet`. Such a run is a single step and can't be ended
   * early.
   */
  readonly uetReference?: UetReference;
  /** Adds up the time of each phase. Default: no timing. */
  readonly phases?: PhaseClock;
  /** @internal Another build of sim.wasm. */
  readonly build?: KernelBuild;
}

const DEFAULT_SLICE = 200_000;
const SLICE_MAX = 2 ** 31;
/**
 * Events per slice in the background, where the clock decides when to yield: it is checked often enough for smooth pages, at
 * negligible cost.
 */
const BACKGROUND_SLICE = 1000;

/**
 * Validates and runs a scenario in the background, yielding to the event loop between slices.
 *
 * @param scenario pass JSON through `parseScenario` first; a compiled scenario is not validated or compiled again.
 * @throws RoceError `invalid-scenario` naming flow, node, link or key; `invalid-argument` for the options. Later
 * errors reject `result`: `capacity`, and `invalid-scenario` for errors found when the scenario is compiled, such as a
 * flow without a path.
 */
export function runScenario(scenario: ScenarioSpec | CompiledScenario, options: RunOptions = {}): ScenarioRun {
  checkRecord(options, 'options');
  const { eventsPerSlice = BACKGROUND_SLICE } = options;
  const prepared = prepare(scenario, { ...options, eventsPerSlice });
  // A caller that sets the length of slices gets progress after each one.
  const turnMs = options.eventsPerSlice === undefined ? TURN_MS : 0;
  return new ScenarioRun(
    (isCancelled) => backgroundSteps(prepared, () => isCancelled() || options.signal?.aborted === true),
    turnMs,
  );
}

/** Validates and runs a scenario in one call. @throws as `simulate`. */
export function runScenarioSync(scenario: ScenarioSpec | CompiledScenario, options: RunOptions = {}): SimResult {
  const slices = simulate(scenario, options);
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Validates a scenario and runs it on the calling thread, pausing between slices, for callers with their own event loop.
 *
 * @returns a generator of progress that returns the result. The same scenario and seed give the same result, including its
 * hash.
 * @throws RoceError `invalid-scenario` naming flow, node, link or key; `invalid-argument` for the options; `capacity`.
 */
export function simulate(scenario: ScenarioSpec | CompiledScenario,
  options: RunOptions = {}): Generator<Progress, SimResult> {
  const prepared = prepare(scenario, options);
  const { phases } = prepared;
  if (prepared.valid !== undefined && isUetScenario(prepared.valid)) return uetSteps(prepared.valid, prepared);
  const compiled = prepared.compiled ?? phases.time('compile', () => compileScenario(prepared.valid));
  const kernel = atOnce(kernelSteps(compiled, options, phases));
  return slicesOf(new Run(kernel, compiled, options, phases), () => options.signal?.aborted === true);
}

/** A scenario that is already validated or compiled. */
type Prepared = { readonly options: RunOptions; readonly phases: PhaseClock }
  & ({ readonly valid: ValidScenario; readonly compiled?: undefined } | {
    readonly valid?: undefined;
    readonly compiled: CompiledScenario;
  });

function prepare(scenario: ScenarioSpec | CompiledScenario, options: RunOptions): Prepared {
  checkRecord(scenario, 'scenario');
  checkRecord(options, 'options');
  const { phases = noClock() } = options;
  if (typeof (phases as PhaseClock | null)?.time !== 'function')
    reject({ got: phases, allowed: 'a PhaseClock', where: 'options.phases' });
  if ('plan' in scenario) {
    checkOptions(options);
    return { options, phases, compiled: scenario };
  }
  const valid = phases.time('validate', () => validateScenario(scenario, filesOf(options)));
  checkOptions(options);
  return { options, phases, valid };
}

/** Set-up, slices and result, yielding to the event loop between them. */
function* backgroundSteps({ options, phases, ...prepared }: Prepared,
  isCancelled: () => boolean): Generator<Progress | undefined, SimResult> {
  if (prepared.valid !== undefined && isUetScenario(prepared.valid))
    return yield* uetSteps(prepared.valid, { options, phases });
  const compiled = prepared.compiled ?? (yield* timed(phases, 'compile', compileSteps(prepared.valid)));
  yield;
  const build = options.build ?? { abi: phases.time('plan', instantiateSim), rateChanges: 0 };
  yield;
  const kernel = yield* kernelSteps(compiled, { ...options, build }, phases);
  yield;
  const run = new Run(kernel, compiled, options, phases);
  yield;
  while (run.slice()) {
    yield run.progress();
    if (isCancelled()) return yield* run.finishSteps('cancelled');
  }
  return yield* run.finishSteps();
}

/** A run of uet.wasm, which is a single step. */
function* uetSteps(valid: UetScenario,
  { options, phases }: Pick<Prepared, 'options' | 'phases'>): Generator<never, SimResult> {
  return phases.time('kernel', () => runUetScenario(valid, options.uetReference));
}

/** Creates a kernel and writes the network into its memory, in steps. */
export function* kernelSteps({ plan, record }: CompiledScenario, { onPackets, build }: RunOptions,
  phases: PhaseClock): Steps<SimKernel> {
  const captured = new Set(onPackets ? record.capture : []);
  let steps: Steps<void> | undefined;
  const setUp = (all: Steps<void>): void => {
    steps = all;
  };
  const kernel = phases.time('plan',
    () => new SimKernel(plan, { captured, pauses: record.pauses }, build && { ...build, setUp }));
  if (steps !== undefined) yield* timed(phases, 'plan', steps);
  if (record.queueHistogram !== null) kernel.sampleQueues(record.queueHistogram);
  return kernel;
}

function filesOf(
  { graphs, algorithms, algorithmFiles, congestionPoints, congestionPointFiles, substitutes }: RunOptions,
): ScenarioFiles {
  return {
    ...(graphs !== undefined && { graphs }),
    ...(algorithms !== undefined && { algorithms }),
    ...(algorithmFiles !== undefined && { algorithmFiles }),
    ...(congestionPoints !== undefined && { congestionPoints }),
    ...(congestionPointFiles !== undefined && { congestionPointFiles }),
    ...(substitutes !== undefined && { substitutes }),
  };
}

function* slicesOf(run: Run, isCancelled: () => boolean): Generator<Progress, SimResult> {
  while (run.slice()) {
    yield run.progress();
    if (isCancelled()) return run.finish('cancelled');
  }
  return run.finish();
}

class Run {
  readonly #compiled: CompiledScenario;
  readonly #options: RunOptions;
  readonly #phases: PhaseClock;
  readonly #kernel: SimKernel;
  readonly #records: RunRecords;
  readonly #sampler: Sampler;
  readonly #early: EarlyPackets;
  readonly #bytesTotal: number;
  readonly #eventsPerSlice: number;
  #last: SliceEnd = 'budget';

  constructor(kernel: SimKernel, compiled: CompiledScenario, options: RunOptions, phases: PhaseClock) {
    this.#kernel = kernel;
    this.#compiled = compiled;
    this.#options = options;
    this.#phases = phases;
    this.#eventsPerSlice = options.eventsPerSlice ?? DEFAULT_SLICE;
    this.#early = new EarlyPackets(compiled.discovery?.packets ?? [], options.onPackets ? compiled.record.capture : []);
    this.#records = new RunRecords(this.#kernel, compiled);
    this.#sampler = new Sampler(this.#kernel, compiled);
    this.#bytesTotal = compiled.plan.flows.sizeBytes.reduce((sum, sizeBytes) => sum + sizeBytes, 0);
  }

  /** Handles a slice of events and samples the network when due; false if no event is left. */
  slice(): boolean {
    const until = this.#kernel.events + this.#eventsPerSlice;
    const { endPs } = this.#compiled.plan;
    while (this.#kernel.events < until) {
      const nextPs = this.#sampler.nextPs;
      this.#last = this.#phases.time('kernel', () =>
        this.#kernel.run(Math.min(nextPs, endPs), until - this.#kernel.events));
      this.#drainPackets();
      this.#records.take(this.#last);
      if (this.#last === 'idle' || this.#last === 'deadlock' || (this.#last === 'reached' && nextPs >= endPs))
        return false;
      if (this.#last === 'reached') {
        const rates = this.#phases.time('sample', () => this.#sampler.sample());
        this.#options.onSample?.(this.#kernel, nextPs, rates);
      }
    }
    return true;
  }

  progress(): Progress {
    return {
      nowPs: this.#kernel.nowPs,
      flowsDone: this.#kernel.flowsDone,
      flowsTotal: this.#compiled.plan.flows.length,
      bytesDelivered: this.#kernel.bytesDelivered,
      bytesTotal: this.#bytesTotal,
      packetHops: this.#kernel.packetHops,
      events: this.#kernel.events,
    };
  }

  finish(ended?: SimResult['ended']): SimResult {
    return atOnce(this.finishSteps(ended));
  }

  finishSteps(ended: SimResult['ended'] = runEnd(this.#kernel, this.#last)): Steps<SimResult> {
    const early = this.#early.rest();
    if (early.length > 0) this.#options.onPackets?.(early);
    const [compiled, kernel, records, sampler] = [this.#compiled, this.#kernel, this.#records, this.#sampler];
    return resultSteps({ compiled, kernel, records, sampler, phases: this.#phases }, ended);
  }

  #drainPackets(): void {
    if (!this.#options.onPackets) return;
    const records = this.#early.merged(this.#kernel.drainPackets());
    if (records.length > 0) this.#options.onPackets(records);
  }
}

function checkOptions(options: RunOptions): void {
  checkSlice(options.eventsPerSlice ?? DEFAULT_SLICE);
  for (const name of ['onPackets', 'onSample', 'uetReference'] as const)
    checkCallback(options[name], `options.${name}`);
}

function checkCallback(got: unknown, where: string): void {
  if (got !== undefined && typeof got !== 'function') reject({ got, allowed: 'a function', where });
}

/** Rejects an invalid number of events per slice, with which the run would never end. */
function checkSlice(events: number): void {
  if (Number.isSafeInteger(events) && events >= 1 && events <= SLICE_MAX) return;
  const allowed = { min: 1, max: SLICE_MAX, multipleOf: 1 };
  throw new RoceError('invalid-argument', { got: events, allowed, where: 'eventsPerSlice' });
}

/** Merges discovery packets into the kernel's records, in order of time. */
class EarlyPackets {
  readonly #waiting: PacketRecord[];

  /**
   * Takes the packets that left captured ports. @param packets packets of discovery in order of time. @param ports captured
   * ports.
   */
  constructor(packets: readonly PacketRecord[], ports: readonly number[]) {
    const captured = new Set(ports);
    this.#waiting = packets.filter(({ port }) => captured.has(port));
  }

  /** The records of a slice, merged with the early packets that left before the last of them. */
  merged(records: readonly PacketRecord[]): readonly PacketRecord[] {
    const last = records.at(-1);
    if (last === undefined || this.#waiting.length === 0) return records;
    const due = this.#waiting.findIndex(({ timePs }) => timePs > last.timePs);
    const early = this.#waiting.splice(0, due < 0 ? this.#waiting.length : due);
    return [...early, ...records].sort((a, b) => a.timePs - b.timePs);
  }

  /** The early packets that remain at the end. */
  rest(): PacketRecord[] {
    return this.#waiting.splice(0);
  }
}

/** Determines how a run ended. @param last how its last slice ended. */
export function runEnd({ operationsDone, operations, flowsDone, plan }: SimKernel, last: SliceEnd): SimResult['ended'] {
  const areJobsDone = operationsDone === operations;
  if (areJobsDone && flowsDone === plan.flows.length) return 'all-flows-done';
  if (areJobsDone && plan.endsWithJobs === true) return 'jobs-done';
  if (last === 'deadlock') return 'deadlock';
  return last === 'reached' ? 'time' : 'stuck';
}
