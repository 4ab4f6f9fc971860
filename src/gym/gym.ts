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
import { checkField, checkKeys, checkRecord, wholeIn } from '../config/field-rules.js';
import type { CompiledScenario, ScenarioSpec, SimResult } from '../sim/index.js';
import { PS_PER_US } from '../unit-sizes.js';
import { QP_ACTIONS, rejectAction, SWITCH_ACTIONS } from './actions.js';
import { type Action, type Agent, type AgentKind, spacesOf, type LineRates, type Spaces } from './agent.js';
import { compileEpisode, withParameters, RunningEpisode, type ByAgent, type Reset, type ResetOptions,
  type Step } from './episode.js';
import { HOST_OBSERVATIONS, QP_OBSERVATIONS, SWITCH_OBSERVATIONS } from './observe.js';
import { resolveOptions, type GymOptions, type ResolvedOptions } from './options.js';

const SEED = wholeIn(0, 2 ** 32 - 1);

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

function lineRatesOf({ plan: { nodes, ports } }: CompiledScenario): LineRates {
  const rates = ports.filter(({ node }) => nodes[node].kind === 'host').map(({ rateBps }) => rateBps);
  return { leastBps: Math.min(...rates), mostBps: Math.max(...rates) };
}
