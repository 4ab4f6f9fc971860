/**
 * An episode: its scenario, which is the environment's with a seed and algorithm parameters, its run, and what reset
 * and step return.
 */
import { checkRecord } from '../config/field-rules.js';
import { omit } from '../config/omit.js';
import { RoceError } from '../errors.js';
import { compileScenario, validateScenario, type AlgorithmSpec, type CompiledScenario, type ScenarioFiles,
  type ScenarioSpec, SteppedRun, type SimResult } from '../sim/index.js';
import { PS_PER_US } from '../unit-sizes.js';
import { rejectAction } from './actions.js';
import { activeAgents } from './active-agents.js';
import type { Agent, Observation, Action, ActiveAgent } from './agent.js';
import type { ResolvedOptions } from './options.js';

/** Values by agent name. */
export type ByAgent<Value> = Readonly<Record<string, Value>>;

/** The part of a result that is included in an episode's last step. */
export type EpisodeResult = Pick<
  SimResult,
  'hash' | 'ended' | 'simulatedPs' | 'events' | 'packetHops' | 'summary' | 'notes'
>;

/** Information about a step that agents do not observe. */
export interface StepInfo {
  /** Number of steps in the episode so far. */
  readonly step: number;
  /** Simulated time, microseconds. */
  readonly timeUs: number;
  /** Outcome of the episode; present only in its last step. */
  readonly result?: EpisodeResult;
}

/** Information about a reset that agents do not observe. */
export interface ResetInfo extends StepInfo {
  /** Seed of the episode. */
  readonly seed: number;
  /** Agents of the episode; with some workloads, the QPs depend on the seed. */
  readonly agents: readonly Agent[];
}

/** The start of an episode. */
export interface Reset {
  /** Observations before the first event. */
  readonly observations: ByAgent<Observation>;
  /** Seed and agents of the episode. */
  readonly info: ResetInfo;
}

/** Algorithm parameters: by the algorithm's name in the scenario, then by the parameter's name. */
export type EpisodeParameters = Readonly<Record<string, NonNullable<AlgorithmSpec['parameters']>>>;

/** Options of a reset. */
export interface ResetOptions {
  /** Algorithm parameters that override the scenario's: by algorithm name, then by parameter name. */
  readonly parameters?: EpisodeParameters;
}

/** The outcome of a step. */
export interface Step {
  /** Observations at the end of the interval. */
  readonly observations: ByAgent<Observation>;
  /** Rewards for the interval. */
  readonly rewards: ByAgent<number>;
  /** Whether an agent has finished its work, or the run has ended. */
  readonly terminated: ByAgent<boolean>;
  /** Whether the episode was truncated, by its number of steps or by the scenario's duration. */
  readonly truncated: ByAgent<boolean>;
  /** Step and time; in the last step, also the result. */
  readonly info: StepInfo;
}

/** A running episode with its agents: applies actions, advances time, observes, computes rewards. */
export class RunningEpisode {
  readonly #run: SteppedRun;
  readonly #active: ReadonlyMap<string, ActiveAgent>;
  readonly #options: ResolvedOptions;
  /** Shortest round trip so far by agent, microseconds. */
  readonly #shortestRttUs = new Map<string, number>();
  #steps = 0;
  #timePs = 0;
  #result: SimResult | undefined;

  /** @throws RoceError `capacity`, and `invalid-scenario` if there are no agents of this kind. */
  constructor(compiled: CompiledScenario, options: ResolvedOptions) {
    this.#run = new SteppedRun(compiled);
    this.#options = options;
    const { kernel, control } = this.#run;
    const active = activeAgents(options.kind, { compiled, kernel, control });
    this.#active = new Map(active.map((one) => [one.agent.name, one]));
  }

  get agents(): readonly Agent[] {
    return [...this.#active.values()].map(({ agent }) => agent);
  }

  /** Result of the episode; before its end, of the run so far. */
  result(): SimResult {
    return this.#result ?? this.#run.result();
  }

  /** Observations of the interval that ends now. */
  observe(): ByAgent<Observation> {
    return this.#byAgent(({ observe }) => observe(this.#timePs));
  }

  /** @throws RoceError `invalid-argument` after the end, or for a bad action; no action is applied then. */
  step(actions: ByAgent<Action>): Step {
    if (this.#result !== undefined) {
      rejectAction({ what: 'the episode', problem: 'is over', where: 'step', hint: 'Reset the environment' });
    }
    this.#act(actions);
    const beganPs = this.#timePs;
    this.#timePs = Math.min(beganPs + this.#options.intervalPs, this.#run.endPs);
    this.#steps++;
    const isRunning = this.#run.runTo(this.#timePs);
    const isCut = isRunning && this.#steps === this.#options.stepsMax;
    if (!isRunning || isCut) this.#result = this.#run.result();
    const observations = this.observe();
    const isTruncated = isCut || this.#result?.ended === 'time';
    return {
      observations,
      rewards: this.#rewards(observations, actions, (this.#timePs - beganPs) / PS_PER_US),
      terminated: this.#byAgent(({ isDone }) => isDone() || (!isRunning && !isTruncated)),
      truncated: this.#byAgent(({ isDone }) => isTruncated && !isDone()),
      info: {
        step: this.#steps,
        timeUs: this.#timePs / PS_PER_US,
        ...(this.#result === undefined ? {} : { result: partOf(this.#result) }),
      },
    };
  }

  /** Validates all actions before applying any. */
  #act(actions: ByAgent<Action>): void {
    const applied = Object.entries(actions).map(([name, action]) => {
      const where = `actions.${name}`;
      const agent = this.#active.get(name);
      if (agent === undefined) return this.#rejectName(name);
      return agent.prepare(checkRecord(action, where) as Action, where);
    });
    for (const apply of applied) apply();
  }

  #rejectName(got: string): never {
    const names = [...this.#active.keys()];
    const allowed = names.length > 8 ? `an agent, such as ${names.slice(0, 8).join(', ')}` : names;
    return rejectAction({ what: 'the name of an agent', got, allowed, where: `actions.${got}` });
  }

  #rewards(observations: ByAgent<Observation>, actions: ByAgent<Action>, intervalUs: number): ByAgent<number> {
    return this.#byAgent(({ agent }) => {
      const observation = observations[agent.name];
      const shortestRttUs = this.#noteRtt(agent.name, observation.minRttUs);
      const reward = this.#options.reward({
        agent,
        observation,
        action: actions[agent.name] ?? {},
        intervalUs,
        shortestRttUs,
      });
      if (Number.isFinite(reward)) return reward;
      const what = `the reward of ${agent.name}`;
      throw new RoceError('invalid-argument', {
        what,
        got: reward,
        allowed: 'a finite number',
        where: 'options.reward',
      });
    });
  }

  /** Returns the shortest round trip so far; 0 if no ACK has arrived. */
  #noteRtt(name: string, rttUs = 0): number {
    const before = this.#shortestRttUs.get(name) ?? 0;
    const shortest = before === 0 || (rttUs > 0 && rttUs < before) ? rttUs : before;
    this.#shortestRttUs.set(name, shortest);
    return shortest;
  }

  #byAgent<Value>(of: (one: ActiveAgent) => Value): ByAgent<Value> {
    const values: Record<string, Value> = {};
    for (const [name, one] of this.#active) values[name] = of(one);
    return values;
  }
}

function partOf({ hash, ended, simulatedPs, events, packetHops, summary, notes }: SimResult): EpisodeResult {
  return { hash, ended, simulatedPs, events, packetHops, summary, notes };
}

/** Compiles the scenario. @throws RoceError `invalid-scenario`; `unsupported` for a fidelity other than `standard`. */
export function compileEpisode(scenario: ScenarioSpec, files: ScenarioFiles): CompiledScenario {
  const valid = validateScenario(scenario, files);
  if (valid.fidelity !== 'standard') {
    const hint = 'The other fidelities repeat published simulators, in which no agent acts';
    throw new RoceError('unsupported', {
      got: valid.fidelity,
      allowed: ['standard'],
      where: 'scenario.fidelity',
      hint,
    });
  }
  return compileScenario(valid);
}

/** The scenario with these parameters. @throws RoceError `invalid-argument` if it has no algorithm with this name. */
export function withParameters(scenario: ScenarioSpec, parameters: EpisodeParameters,
  files: ScenarioFiles): ScenarioSpec {
  const algorithms: Record<string, AlgorithmSpec> = { ...scenario.algorithms ?? defaultsOf(scenario, files) };
  for (const [name, changed] of Object.entries(parameters)) {
    if (!Object.hasOwn(algorithms, name)) {
      const allowed = Object.keys(algorithms);
      const where = `parameters.${name}`;
      throw new RoceError('invalid-argument', { what: 'the name of an algorithm', got: name, allowed, where });
    }
    algorithms[name] = { ...algorithms[name], parameters: { ...algorithms[name].parameters, ...changed } };
  }
  return { ...scenario, algorithms };
}

/** The algorithms of a scenario that does not name any. */
function defaultsOf(scenario: ScenarioSpec, files: ScenarioFiles): Record<string, AlgorithmSpec> {
  const { algorithms } = validateScenario(scenario, files);
  return Object.fromEntries(algorithms.map((one) => [one.name, omit(one, 'name', 'custom', 'substitutes')]));
}
