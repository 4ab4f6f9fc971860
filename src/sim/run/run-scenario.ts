/**
 * Runs a scenario: checked, compiled, simulated slice by slice, with what happens told on the way.
 *
 * @example
 * const run = runScenario(scenario);
 * for (let step = await run.next(); ; step = await run.next()) {
 *   if (step.done) { show(step.value.summary); break; }
 *   show(step.value.flowsDone);
 * }
 */
import { compileScenario, type CompiledScenario } from '../compile/compile-scenario.js';
import { RoceError } from '../../errors.js';
import { SimKernel, type SliceEnd } from '../kernel/kernel.js';
import type { PacketRecord, Progress, SimResult } from '../result.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';
import { validateScenario } from '../scenario/validate.js';
import { collectResult } from './collect-result.js';
import { Sampler } from './sampler.js';

/** How a run is watched and ended. */
export interface RunOptions {
  /** Ends the run between two slices; the result is what there is by then, `ended: 'cancelled'`. */
  readonly signal?: AbortSignal;
  /** Packets of captured ports, in the order in which they left. */
  readonly onPackets?: (records: readonly PacketRecord[]) => void;
  /** Events between two reports of progress, 1 to 2^31. Default 200,000: some tens of milliseconds. No result depends on it. */
  readonly eventsPerSlice?: number;
}

const DEFAULT_SLICE = 200_000;
const SLICE_MAX = 2 ** 31;

/**
 * Runs a checked scenario on the calling thread, yielding between slices.
 *
 * @returns the result. Same scenario, same seed: same result, to the hash.
 * @throws RoceError `invalid-scenario` (what the compiler finds), `invalid-argument` (the options), `capacity`.
 */
export function* simulate(valid: ValidScenario, options: RunOptions = {}): Generator<Progress, SimResult> {
  const compiled = compileScenario(valid);
  const run = new Run(valid, compiled, options);
  while (run.slice()) {
    yield run.progress();
    if (options.signal?.aborted === true) return run.finish('cancelled');
  }
  return run.finish();
}

/**
 * Checks and runs a scenario, letting the host's other work go on between slices.
 *
 * @param spec a `ScenarioSpec`, such as JSON gave it.
 * @throws RoceError `invalid-scenario` naming flow, node, link or key; `invalid-argument` for the options; `capacity`.
 */
export async function* runScenario(spec: unknown, options: RunOptions = {}): AsyncGenerator<Progress, SimResult> {
  const slices = simulate(validateScenario(spec), options);
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
    yield step.value;
    await letOthersRun();
  }
}

/** Checks and runs a scenario at once. @throws as `runScenario`. */
export function runScenarioSync(spec: unknown, options: RunOptions = {}): SimResult {
  const slices = simulate(validateScenario(spec), options);
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}

class Run {
  readonly #valid: ValidScenario;
  readonly #compiled: CompiledScenario;
  readonly #options: RunOptions;
  readonly #kernel: SimKernel;
  readonly #sampler: Sampler;
  readonly #bytesTotal: number;
  readonly #eventsPerSlice: number;
  #last: SliceEnd = 'budget';

  constructor(valid: ValidScenario, compiled: CompiledScenario, options: RunOptions) {
    this.#valid = valid;
    this.#compiled = compiled;
    this.#options = options;
    this.#eventsPerSlice = checkedSlice(options.eventsPerSlice ?? DEFAULT_SLICE);
    this.#kernel = new SimKernel(compiled.plan, new Set(options.onPackets ? compiled.record.capture : []));
    this.#sampler = new Sampler(this.#kernel, compiled);
    this.#bytesTotal = compiled.plan.flows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  }

  /** Handles a slice of events, looking at the network where that is due; false: that was all. */
  slice(): boolean {
    const until = this.#kernel.events + this.#eventsPerSlice;
    const { endPs } = this.#compiled.plan;
    while (this.#kernel.events < until) {
      const nextPs = this.#sampler.nextPs;
      this.#last = this.#kernel.run(Math.min(nextPs, endPs), until - this.#kernel.events);
      this.#drainPackets();
      if (this.#last === 'idle' || (this.#last === 'reached' && nextPs >= endPs)) return false;
      if (this.#last === 'reached') this.#sampler.sample();
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

  finish(ended: SimResult['ended'] = this.#ended()): SimResult {
    return collectResult({
      spec: this.#valid.spec,
      compiled: this.#compiled,
      kernel: this.#kernel,
      sampler: this.#sampler,
    }, ended);
  }

  #ended(): SimResult['ended'] {
    if (this.#kernel.flowsDone === this.#compiled.plan.flows.length) return 'all-flows-done';
    return this.#last === 'reached' ? 'time' : 'stuck';
  }

  #drainPackets(): void {
    if (!this.#options.onPackets) return;
    const records = this.#kernel.takePackets();
    if (records.length > 0) this.#options.onPackets(records);
  }
}

/** With another length no slice would handle anything, and the run would never end. */
function checkedSlice(events: number): number {
  if (Number.isSafeInteger(events) && events >= 1 && events <= SLICE_MAX) return events;
  throw new RoceError('invalid-argument', 'bad length of a slice', {
    got: events,
    allowed: `a whole number from 1 to ${SLICE_MAX}`,
    where: 'eventsPerSlice',
  });
}

function letOthersRun(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
