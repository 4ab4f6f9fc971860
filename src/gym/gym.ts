/**
 * The environment: it simulates in steps of time; agents observe and act between them. The terms are Gymnasium's; as in
 * PettingZoo's parallel environments, values are records with a member per agent.
 *
 *   step     actions take effect at the start of the interval; then all events before its end are handled; then agents
 *            observe
 *   repeat   same scenario, seed, parameters and actions: the same observations, and the same hash of the result
 *
 * Sources   Gymnasium 1.0, API of Env (reset, step, terminated, truncated, info); PettingZoo, ParallelEnv.
 */
import { checkField, checkKeys, checkRecord, wholeIn, omit } from '../config/field-rules.js';
import { RoceError } from '../errors.js';
import { compileScenario, validateScenario, type AlgorithmSpec, type CompiledScenario, type ScenarioFiles,
  type ScenarioSpec, SteppedRun, type SimResult } from '../sim/index.js';
import { PS_PER_US } from '../units.js';
import { activeAgents } from './active-agents.js';
import { QP_ACTIONS, rejectAction, SWITCH_ACTIONS, type Action, type Agent, type AgentKind, spacesOf, type LineRates,
  type Spaces, type Observation, type ActiveAgent } from './agent.js';
import { HOST_OBSERVATIONS, QP_OBSERVATIONS, SWITCH_OBSERVATIONS } from './observe.js';
import { resolveOptions, type GymOptions, type ResolvedOptions } from './options.js';

const SEED = wholeIn(0, 2 ** 32 - 1);

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

/** Declared observations and actions of each kind of agent. */
export const DECLARED = {
  qps: { observations: QP_OBSERVATIONS, actions: QP_ACTIONS },
  hosts: { observations: HOST_OBSERVATIONS, actions: QP_ACTIONS },
  switches: { observations: SWITCH_OBSERVATIONS, actions: SWITCH_ACTIONS },
} as const;

/** A simulation environment for learning agents, opened with `openGym`. */
export class Gym {
  /** Kind of agent. */
  readonly kind: AgentKind;
  /** Simulated time of a step, microseconds. */
  readonly intervalUs: number;
  /** Values that each agent observes. */
  readonly observationSpace: Spaces;
  /** Values that each agent may set. */
  readonly actionSpace: Spaces;
  readonly #scenario: ScenarioSpec;
  readonly #options: ResolvedOptions;
  #agents: readonly Agent[];
  #episode: RunningEpisode | undefined;

  /** @internal Use `openGym`. */
  constructor(scenario: ScenarioSpec, options: GymOptions) {
    checkRecord(scenario, 'scenario');
    this.#scenario = scenario;
    this.#options = resolveOptions(options);
    const compiled = compileEpisode(scenario, this.#options.files);
    const { kind, intervalPs } = this.#options;
    this.#agents = new RunningEpisode(compiled, this.#options).agents;
    this.kind = kind;
    this.intervalUs = intervalPs / PS_PER_US;
    const rates = lineRatesOf(compiled);
    this.observationSpace = spacesOf(DECLARED[kind].observations, rates, false);
    this.actionSpace = spacesOf(DECLARED[kind].actions, rates, true);
  }

  /** Agents since the last reset; before the first one, those for the scenario's own seed. */
  get agents(): readonly Agent[] {
    return this.#agents;
  }

  /**
   * Starts an episode.
   *
   * @param seed of all random numbers, 0 to 2^32 - 1. Default: the scenario's.
   * @throws RoceError `invalid-config` or `invalid-scenario` naming the parameter, `invalid-argument` if the scenario
   * has no such algorithm.
   */
  reset(seed?: number, options: ResetOptions = {}): Reset {
    if (seed !== undefined) checkField(seed, SEED, 'seed');
    checkKeys(checkRecord(options, 'options'), ['parameters'], 'options');
    const { parameters = {} } = options;
    for (const [name, changed] of Object.entries(checkRecord(parameters, 'options.parameters')))
      checkRecord(changed, `options.parameters.${name}`);
    const seeded = seed === undefined ? this.#scenario : { ...this.#scenario, seed };
    const changed = Object.keys(parameters).length === 0 ?
      seeded :
      withParameters(seeded, parameters, this.#options.files);
    const compiled = compileEpisode(changed, this.#options.files);
    const episode = new RunningEpisode(compiled, this.#options);
    this.#episode = episode;
    this.#agents = episode.agents;
    const info = { step: 0, timeUs: 0, seed: compiled.plan.seed, agents: episode.agents };
    return { observations: episode.observe(), info };
  }

  /**
   * Simulates one interval.
   *
   * @param actions by agent; omitted agents, and omitted members of an action, keep their settings.
   * @throws RoceError `invalid-argument` naming a bad action, and then no action is applied; also before a reset, and
   * after the end.
   */
  step(actions: ByAgent<Action> = {}): Step {
    return this.#running('step').step(checkRecord(actions, 'actions') as ByAgent<Action>);
  }

  /**
   * The complete result of the episode; before its end, the result so far with `ended: 'cancelled'`. @throws as `step`.
   */
  result(): SimResult {
    return this.#running('result').result();
  }

  #running(where: string): RunningEpisode {
    if (this.#episode !== undefined) return this.#episode;
    return rejectAction({ what: 'the environment', problem: 'has no episode', where, hint: 'Reset it first' });
  }
}

/**
 * Opens an environment for a scenario.
 *
 * @param scenario with fidelity `standard`.
 * @throws RoceError `invalid-scenario`; `invalid-config` for bad options; `unsupported` for another fidelity.
 */
export function openGym(scenario: ScenarioSpec, options: GymOptions = {}): Gym {
  return new Gym(scenario, options);
}

/** A running episode with its agents: applies actions, advances time, observes, computes rewards. */
class RunningEpisode {
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
function compileEpisode(scenario: ScenarioSpec, files: ScenarioFiles): CompiledScenario {
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
function withParameters(scenario: ScenarioSpec, parameters: EpisodeParameters, files: ScenarioFiles): ScenarioSpec {
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

function lineRatesOf({ plan: { nodes, ports } }: CompiledScenario): LineRates {
  const rates = ports.filter(({ node }) => nodes[node].kind === 'host').map(({ rateBps }) => rateBps);
  return { leastBps: Math.min(...rates), mostBps: Math.max(...rates) };
}
