/** A run that stops at times the caller chooses, between which agents can act. */
import type { CompiledScenario } from '../compile/compiled-scenario.js';
import { checkField, checkRecord, reject, wholeIn } from '../../config/field-rules.js';
import type { AgentControl } from '../kernel/agent-control.js';
import type { SimKernel, SliceEnd } from '../kernel/kernel.js';
import type { SimResult } from '../result.js';
import { atOnce, noClock } from '../steps.js';
import { resultSteps } from './collect-result.js';
import { runEnd, kernelSteps } from './run-scenario.js';
import { RunRecords, Sampler } from './run-records.js';

const BUDGET = 2 ** 30;
const TIME_PS = wholeIn(0, Number.MAX_SAFE_INTEGER, 'ps');

/**
 * A run in steps of simulated time. Without actions, its result is that of `runScenario`, including the hash.
 *
 * @example
 * const run = new SteppedRun(compileScenario(validateScenario(scenario)));
 * for (let timePs = us(10); run.runTo(timePs); timePs += us(10)) run.control.act(0, chosenAction());
 * console.log(run.result().summary);
 */
export class SteppedRun {
  /** The kernel, for reading only: do not run it. */
  readonly kernel: SimKernel;
  /** Sets rates, windows and thresholds, and reads the counters of senders. */
  readonly control: AgentControl;
  /** Latest end of the run, picoseconds. */
  readonly endPs: number;
  readonly #compiled: CompiledScenario;
  readonly #records: RunRecords;
  readonly #sampler: Sampler;
  #last: SliceEnd = 'budget';
  #isOver = false;

  /**
   * @param compiled a scenario of fidelity `standard`.
   * @throws RoceError `capacity`, `invalid-config` for another fidelity.
   */
  constructor(compiled: CompiledScenario) {
    checkRecord(compiled, 'compiled');
    const { plan } = compiled;
    if (checkRecord(plan, 'compiled.plan').fidelity !== 'standard')
      reject({ got: plan.fidelity, allowed: ['standard'], where: 'compiled.plan.fidelity' });
    this.#compiled = { ...compiled, plan: { ...plan, agents: true } };
    this.kernel = atOnce(kernelSteps(this.#compiled, {}, noClock()));
    const { agents } = this.kernel;
    if (agents === undefined) throw new Error('The kernel has no agents.');
    this.control = agents;
    this.endPs = plan.endPs;
    this.#records = new RunRecords(this.kernel, this.#compiled);
    this.#sampler = new Sampler(this.kernel, this.#compiled);
  }

  /**
   * Handles all events before a time and takes the samples due until then; false: the run is over.
   *
   * @param timePs whole picoseconds.
   */
  runTo(timePs: number): boolean {
    checkField(timePs, TIME_PS, 'timePs');
    while (!this.#isOver) {
      const nextPs = Math.min(this.#sampler.nextPs, timePs, this.endPs);
      this.#last = this.kernel.run(nextPs, BUDGET);
      this.#records.take(this.#last);
      if (this.#last === 'idle' || this.#last === 'deadlock') this.#isOver = true;
      if (this.#last !== 'reached') continue;
      if (nextPs === this.endPs) this.#isOver = true;
      else if (nextPs === this.#sampler.nextPs) this.#sampler.sample();
      if (nextPs === timePs) break;
    }
    return !this.#isOver;
  }

  /** The result of the run, or of the run so far, with `ended: 'cancelled'`. */
  result(): SimResult {
    const [compiled, kernel, records, sampler] = [this.#compiled, this.kernel, this.#records, this.#sampler];
    const ended = this.#isOver ? runEnd(kernel, this.#last) : 'cancelled';
    return atOnce(resultSteps({ compiled, kernel, records, sampler, phases: noClock() }, ended));
  }
}
