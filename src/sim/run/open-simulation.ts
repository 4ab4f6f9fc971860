/**
 * A network to which flows are added while it runs, for programs that control the time: discrete-event simulators of jobs,
 * schedulers, applications. The result is the same as if all flows were known at the start, including its hash.
 *
 * Flows are held back until the network is about to pass their start; then they are added to the kernel in the order of their
 * starts. When no flow is left, the kernel stops at the event that ended the last one, as a run does, and resumes there when
 * another flow is added: events of the time between are then handled in the same order.
 */
import { checkField, checkRecord, oneOf, reject, wholeIn } from '../../config/field-rules.js';
import { compileScenario, type OpenScenario } from '../compile/compile-scenario.js';
import type { CompiledScenario } from '../compile/compiled-scenario.js';
import type { AddedFlows } from '../kernel/set-up.js';
import { SimKernel, type SliceEnd } from '../kernel/kernel.js';
import type { SimResult } from '../result.js';
import { DEFAULT_DURATION_AFTER_LAST_START_PS } from '../scenario/defaults.js';
import type { FlowSpec } from '../scenario/spec.js';
import { validateScenario } from '../scenario/validate.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';
import { RoceError } from '../../errors.js';
import { atOnce, noClock } from '../steps.js';
import type { WorkloadFlow } from '../workload/workload-flows.js';
import { resultSteps } from './collect-result.js';
import { openParts, withFlows, type OpenOptions, type OpenScenarioSpec } from './open-parts.js';
import { RunRecords, Sampler } from './run-records.js';

/** A flow to send: as in a scenario, with its start in picoseconds. */
export interface OpenFlow extends Pick<FlowSpec, 'from' | 'to' | 'sizeBytes' | 'algorithm' | 'trafficClass'> {
  /** When it begins, whole picoseconds, not before `nowPs`. Default: `nowPs`. */
  readonly startPs?: number;
}

/** A completed flow. */
export interface Completion {
  /** Its number, as returned by `send`. */
  readonly flow: number;
  /** When its last ACK arrived, picoseconds. */
  readonly finishPs: number;
  /** From its start to its last ACK, picoseconds. */
  readonly completionPs: number;
}

const BUDGET = 2 ** 30;
const SIZE_RULE = wholeIn(1, Number.MAX_SAFE_INTEGER, 'bytes');
const CLASS_RULE = wholeIn(1, 7);
const TIME_RULE = wholeIn(0, Number.MAX_SAFE_INTEGER, 'picoseconds');

interface Sent {
  readonly flow: number;
  readonly startPs: number;
}

/**
 * Opens a network without flows.
 *
 * @param scenario as for `runScenario`, without a workload; `record.intervalUs` is 10 by default. Fidelity `standard` or `reference`; no
 * discovery, WAN, path selection, pause storms and other hazards, queue histogram or captures.
 * @throws RoceError `invalid-scenario`, `invalid-config` for the options or what an open simulation can't have, `capacity`.
 * @example
 * const simulation = openSimulation({ name: 'training step', topology: { kind: 'star', hosts: 8 } });
 * const flow = simulation.send({ from: 'h0', to: 'h1', sizeBytes: 1e6 });
 * const done = simulation.next(); // { flow, finishPs, completionPs }
 * simulation.send({ from: 'h1', to: 'h2', sizeBytes: 1e6, startPs: done.finishPs + 5e6 });
 * simulation.advance(1e9);
 * console.log(simulation.result().summary);
 */
export function openSimulation(scenario: OpenScenarioSpec, options: OpenOptions = {}): OpenSimulation {
  checkRecord(scenario, 'scenario');
  checkRecord(options, 'options');
  return new OpenSimulation(scenario, options);
}

/** A network to which flows are added: `openSimulation`. */
export class OpenSimulation {
  /** The kernel, for reading only: do not run it. */
  readonly kernel: SimKernel;
  readonly #scenario: OpenScenarioSpec;
  readonly #valid: ValidScenario;
  readonly #open: OpenScenario;
  readonly #compiled: CompiledScenario;
  readonly #options: Required<OpenOptions>;
  readonly #added: AddedFlows;
  readonly #records: RunRecords;
  /** Samples the network from the first start on. */
  #sampler: Sampler;
  readonly #hosts: ReadonlyMap<string, number>;
  /** The settings common to all flows. */
  readonly #template: WorkloadFlow;
  readonly #parameterSets: number;
  /** Flows so far, and the number that each node sends. */
  readonly #flows: FlowSpec[] = [];
  readonly #sentBy = new Map<number, number>();
  /** Flows that are not yet in the kernel. */
  #waiting: Sent[] = [];
  readonly #done: Completion[] = [];
  #nowPs = 0;
  #lastStartPs = 0;
  #joined = 0;
  #isIdle = true;
  #isOver = false;
  #last: SliceEnd = 'idle';

  /** @internal Use `openSimulation`. */
  constructor(scenario: OpenScenarioSpec, options: OpenOptions) {
    const { valid, open, compiled, sizes } = openParts(scenario, options);
    this.#scenario = scenario;
    [this.#valid, this.#open, this.#compiled, this.#options] = [valid, open, compiled, sizes];
    this.#hosts = new Map(
      this.#compiled.plan.nodes.flatMap(({ name, kind }, node) => (kind === 'host' ? [[name, node]] : [])),
    );
    this.#template = this.#valid.flows.get(0);
    this.#parameterSets = compiled.plan.parameterSets.length;
    this.kernel = new SimKernel(this.#compiled.plan, { pauses: compiled.record.pauses });
    const { added } = this.kernel;
    if (added === undefined) throw new Error('The kernel has all flows.');
    this.#added = added;
    this.#records = new RunRecords(this.kernel, this.#compiled);
    this.#sampler = this.#samplerFrom(0);
  }

  /** The current time, picoseconds; flows can't start earlier. */
  get nowPs(): number {
    return this.#nowPs;
  }

  /** Number of flows sent. */
  get flowsSent(): number {
    return this.#flows.length;
  }

  /** Number of flows that are done. */
  get flowsDone(): number {
    return this.kernel.flowsDone;
  }

  /**
   * Adds a flow.
   *
   * @returns its number, from 0.
   * @throws RoceError `invalid-scenario` naming the invalid field, `invalid-config` for a start before `nowPs`, `capacity`
   * beyond the options `flows` or `flowsPerHost`.
   */
  send(flow: OpenFlow): number {
    checkRecord(flow, 'flow');
    const { startPs = this.#nowPs, ...rest } = flow;
    checkField(startPs, wholeIn(this.#nowPs, Number.MAX_SAFE_INTEGER, 'picoseconds'), 'flow.startPs');
    const index = this.#flows.length;
    const spec: FlowSpec = { ...rest, startPs };
    const [source, destination] = [this.#hostNamed(flow.from, 'flow.from'), this.#hostNamed(flow.to, 'flow.to')];
    this.#requireRoom(index, source, flow.sizeBytes);
    const plan = this.#open.compileFlow({ ...this.#template, ...this.#checked(flow), source, destination, startPs },
      index);
    if (plan.parameterSet >= this.#parameterSets) throw unforeseen(flow);
    this.#compiled.plan.flows.set(index, plan);
    this.#added.open(index);
    this.#flows.push(spec);
    this.#sentBy.set(source, (this.#sentBy.get(source) ?? 0) + 1);
    this.#waiting.push({ flow: index, startPs });
    this.#lastStartPs = Math.max(this.#lastStartPs, startPs);
    return index;
  }

  /**
   * Handles all events before a time.
   *
   * @param untilPs whole picoseconds, not before `nowPs`.
   * @returns the flows that completed, in order of time.
   * @throws RoceError `capacity` if there is no memory for another packet.
   */
  advance(untilPs: number): readonly Completion[] {
    checkField(untilPs, wholeIn(this.#nowPs, Number.MAX_SAFE_INTEGER, 'picoseconds'), 'untilPs');
    this.#run(untilPs, false);
    this.#nowPs = untilPs;
    return this.#done.splice(0);
  }

  /**
   * Runs until a flow is done and returns it; `nowPs` is then the time of that. Undefined: no flow is left, or none will
   * complete.
   *
   * @param untilPs latest time to stop, whole picoseconds. Default: no limit.
   */
  next(untilPs: number = Number.MAX_SAFE_INTEGER): Completion | undefined {
    checkField(untilPs, TIME_RULE, 'untilPs');
    if (this.#done.length === 0) this.#run(untilPs, true);
    const completion = this.#done.shift();
    if (completion !== undefined) this.#nowPs = Math.max(this.#nowPs, completion.finishPs);
    else if (untilPs < Number.MAX_SAFE_INTEGER) this.#nowPs = Math.max(this.#nowPs, untilPs);
    return completion;
  }

  /** Fingerprint of all counters of flows and ports, 16 hexadecimal digits, the same as `roce_sim_hash` in C. */
  stateHash(): string {
    return this.kernel.stateHash(this.#flows.length);
  }

  /**
   * The result of all flows so far. Once they are done, `runScenario` with the result's `scenario`, which lists all flows,
   * gives the same result, including its hash. The simulation can continue afterwards.
   */
  result(): SimResult {
    const compiled = compileScenario(validateScenario(withFlows(this.#scenario, this.#flows)));
    const [kernel, records, sampler] = [this.kernel, this.#records, this.#sampler];
    return atOnce(resultSteps({ compiled, kernel, records, sampler, phases: noClock() }, this.#ended()));
  }

  #ended(): SimResult['ended'] {
    if (this.kernel.flowsDone === this.#flows.length) return 'all-flows-done';
    if (this.#last === 'deadlock') return 'deadlock';
    if (!this.#isOver) return 'cancelled';
    return this.#last === 'reached' ? 'time' : 'stuck';
  }

  /** Latest end of the run; without a duration it depends on the flows. */
  get #endPs(): number {
    const { durationUs } = this.#scenario;
    return durationUs === undefined ?
      this.#lastStartPs + DEFAULT_DURATION_AFTER_LAST_START_PS :
      this.#compiled.plan.endPs;
  }

  #run(untilPs: number, stopsAtFlow: boolean): void {
    while (!this.#isOver) {
      // When stopping at each completed flow, the caller may still add earlier flows than those waiting, so only the next ones
      // are added.
      this.#join(stopsAtFlow ? Math.min(untilPs, this.#firstStartPs() + 1) : untilPs);
      if (this.#isIdle) return;
      const stopPs = stopsAtFlow ? Math.min(untilPs, this.#firstStartPs()) : untilPs;
      const nextPs = Math.min(this.#sampler.nextPs, stopPs, this.#endPs);
      this.#last = this.kernel.run(nextPs, BUDGET);
      this.#records.take(this.#last);
      this.#noteDone();
      if (this.#last === 'idle') this.#isIdle = true;
      else if (this.#last === 'deadlock') this.#isOver = true;
      else if (this.#last === 'reached') {
        if (nextPs === this.#endPs) this.#isOver = true;
        else if (nextPs === this.#sampler.nextPs) this.#sampler.sample();
        if (nextPs === untilPs) return;
      }
      if (stopsAtFlow && this.#done.length > 0) return;
    }
  }

  #samplerFrom(startPs: number): Sampler {
    return new Sampler(this.kernel, { ...this.#compiled, record: { ...this.#compiled.record, startPs } });
  }

  /** First start of the waiting flows. */
  #firstStartPs(): number {
    return this.#waiting.reduce((least, { startPs }) => Math.min(least, startPs), Infinity);
  }

  /** Adds the flows that start before a time to the kernel. No earlier flow can be added any more. */
  #join(beforePs: number): void {
    const due = this.#waiting.filter(({ startPs }) => startPs < beforePs);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter(({ startPs }) => startPs >= beforePs);
    due.sort((a, b) => a.startPs - b.startPs || a.flow - b.flow);
    if (this.#joined === 0) this.#sampler = this.#samplerFrom(due[0].startPs);
    this.#joined += due.length;
    this.#added.start(due.map(({ flow }) => flow));
    this.#isIdle = false;
  }

  #noteDone(): void {
    const flow = this.#added.takeDone();
    if (flow === undefined) return;
    const { startPs, finishPs } = this.kernel.flow(flow);
    this.#done.push({ flow, finishPs, completionPs: finishPs - startPs });
  }

  /** Validates a flow by the rules for a scenario's flows. */
  #checked({ from, to, sizeBytes, algorithm, trafficClass }: OpenFlow): Partial<WorkloadFlow> {
    checkField(sizeBytes, SIZE_RULE, 'flow.sizeBytes');
    if (from === to) reject({ got: to, allowed: 'another host than from', where: 'flow.to' });
    if (trafficClass !== undefined) checkField(trafficClass, CLASS_RULE, 'flow.trafficClass');
    const names = this.#valid.algorithms.map(({ name }) => name);
    if (algorithm !== undefined) checkField(algorithm, oneOf(...names), 'flow.algorithm');
    return {
      sizeBytes,
      algorithm: algorithm === undefined ? 0 : names.indexOf(algorithm),
      ...(trafficClass === undefined ? {} : { trafficClass }),
    };
  }

  #hostNamed(name: string, where: string): number {
    const node = this.#hosts.get(name);
    if (node === undefined) reject({ got: name, allowed: 'the name of a host', where });
    return node;
  }

  #requireRoom(index: number, source: number, sizeBytes: number): void {
    const { flows, flowsPerHost, flowBytes } = this.#options;
    if (index >= flows) throw full('flows', flows);
    if ((this.#sentBy.get(source) ?? 0) >= flowsPerHost) throw full('flowsPerHost', flowsPerHost);
    if (sizeBytes > flowBytes) throw full('flowBytes', flowBytes);
  }
}

function full(what: keyof OpenOptions, capacity: number): RoceError {
  const hint = 'Open the simulation with a larger value';
  return new RoceError('capacity', {
    what: `options.${what}`,
    problem: 'is exceeded',
    got: capacity,
    where: `options.${what}`,
    hint,
  });
}

function unforeseen(flow: OpenFlow): RoceError {
  const hint = 'Increase options.flows, so that each host and algorithm has one when the simulation is opened';
  return new RoceError('unsupported', {
    what: 'the parameter set',
    problem: 'was not compiled when the simulation was opened',
    got: flow,
    where: 'flow',
    hint,
  });
}
