/**
 * The environment: steps of simulated time, and agents that see and act between them. The words are Gymnasium's; the shape is that
 * of PettingZoo's parallel environments, a record with a member for each agent.
 *
 *   step     actions hold from the beginning of the interval; then all events before its end are handled; then agents observe
 *   same     same scenario, seed, parameters and actions: the same observations, and the same hash of the result
 *
 * Sources   Gymnasium 1.0, API of Env (reset, step, terminated, truncated, info); PettingZoo, ParallelEnv.
 */
import { checkField, checkKeys, checkRecord, wholeIn } from '../config/field-rules.js';
import type { CompiledScenario, ScenarioSpec, SimResult } from '../sim/index.js';
import { PS_PER_US } from '../unit-sizes.js';
import { QP_ACTIONS, rejectAction, SWITCH_ACTIONS } from './actions.js';
import type { Action, Agent, AgentKind } from './agent.js';
import { compileEpisode, withParameters } from './gym-scenario.js';
import { HOST_OBSERVATIONS } from './observe-host.js';
import { QP_OBSERVATIONS } from './observe-qp.js';
import { SWITCH_OBSERVATIONS } from './observe-switch.js';
import { resolveOptions, type GymOptions, type ResolvedOptions } from './options.js';
import { RunningEpisode } from './running-episode.js';
import { spacesOf, type LineRates, type Spaces } from './space.js';
import type { ByAgent, Reset, ResetOptions, Step } from './step.js';

const SEED = wholeIn(0, 2 ** 32 - 1);

/** Observations and actions of each kind of agent, as declared. */
export const DECLARED = {
  qps: { observations: QP_OBSERVATIONS, actions: QP_ACTIONS },
  hosts: { observations: HOST_OBSERVATIONS, actions: QP_ACTIONS },
  switches: { observations: SWITCH_OBSERVATIONS, actions: SWITCH_ACTIONS },
} as const;

/** An environment; `openGym` opens one. */
export class Gym {
  /** Who acts. */
  readonly kind: AgentKind;
  /** Simulated time of a step, microseconds. */
  readonly intervalUs: number;
  /** What each agent sees. */
  readonly observationSpace: Spaces;
  /** What each agent may set. */
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

  /** Of the last reset; before the first one, those that the scenario's own seed gives. */
  get agents(): readonly Agent[] {
    return this.#agents;
  }

  /**
   * Begins an episode.
   *
   * @param seed of everything random, 0 to 2^32 - 1. Default: the scenario's.
   * @throws RoceError `invalid-config` or `invalid-scenario` naming the parameter, `invalid-argument` for an algorithm that the
   * scenario does not have.
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
   * @param actions by agent; agents that are left out, and members that an action leaves out, stay as they are.
   * @throws RoceError `invalid-argument` naming the action, which none is applied of; before a reset, and after the end.
   */
  step(actions: ByAgent<Action> = {}): Step {
    return this.#running('step').step(checkRecord(actions, 'actions') as ByAgent<Action>);
  }

  /** The whole result of the episode; before its end that of the run so far, `ended: 'cancelled'`. @throws as `step`. */
  result(): SimResult {
    return this.#running('result').result();
  }

  #running(where: string): RunningEpisode {
    if (this.#episode !== undefined) return this.#episode;
    return rejectAction({ what: 'the environment', problem: 'has no episode', where, hint: 'Reset it first' });
  }
}

/**
 * Opens an environment on a scenario.
 *
 * @param scenario of fidelity `standard`.
 * @throws RoceError `invalid-scenario`; `invalid-config` for the options; `unsupported` for another fidelity.
 */
export function openGym(scenario: ScenarioSpec, options: GymOptions = {}): Gym {
  return new Gym(scenario, options);
}

function lineRatesOf({ plan: { nodes, ports } }: CompiledScenario): LineRates {
  const rates = ports.filter(({ node }) => nodes[node].kind === 'host').map(({ rateBps }) => rateBps);
  return { leastBps: Math.min(...rates), mostBps: Math.max(...rates) };
}
