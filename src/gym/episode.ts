/** An episode: a run of the simulator that stops at the end of each interval. With no actions, its result is that of `runScenario`. */
import type { CompiledScenario } from '../sim/compile/compiled-scenario.js';
import type { AgentControl } from '../sim/kernel/agent-control.js';
import type { SimKernel, SliceEnd } from '../sim/kernel/kernel.js';
import type { SimResult } from '../sim/result.js';
import { resultSteps } from '../sim/run/collect-result.js';
import { noClock } from '../sim/run/phase-clock.js';
import { runEnd } from '../sim/run/run-end.js';
import { RunRecords } from '../sim/run/run-records.js';
import { kernelSteps } from '../sim/run/run-scenario.js';
import { Sampler } from '../sim/run/sampler.js';
import { atOnce } from '../sim/steps.js';

const BUDGET = 2 ** 30;

export class Episode {
  readonly kernel: SimKernel;
  readonly control: AgentControl;
  readonly #compiled: CompiledScenario;
  readonly #records: RunRecords;
  readonly #sampler: Sampler;
  #last: SliceEnd = 'budget';
  #isOver = false;

  /** @throws RoceError `capacity`. */
  constructor(compiled: CompiledScenario) {
    const underAgents = { ...compiled, plan: { ...compiled.plan, agents: true } };
    this.#compiled = underAgents;
    this.kernel = atOnce(kernelSteps(underAgents, {}, noClock()));
    const { agents } = this.kernel;
    if (agents === undefined) throw new Error('The kernel has no agents.');
    this.control = agents;
    this.#records = new RunRecords(this.kernel, underAgents);
    this.#sampler = new Sampler(this.kernel, underAgents);
  }

  /** Where the run ends at the latest, picoseconds. */
  get endPs(): number {
    return this.#compiled.plan.endPs;
  }

  /** Handles all events before a time, and samples the network on the way; false: the run is over. */
  runTo(timePs: number): boolean {
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

  /** The result of a run that is over, or of the run so far: `ended: 'cancelled'`. */
  result(): SimResult {
    const [compiled, kernel, records, sampler] = [this.#compiled, this.kernel, this.#records, this.#sampler];
    const ended = this.#isOver ? runEnd(kernel, this.#last) : 'cancelled';
    return atOnce(resultSteps({ compiled, kernel, records, sampler, phases: noClock() }, ended));
  }
}
