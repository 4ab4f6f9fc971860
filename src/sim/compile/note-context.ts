/** The inputs from which notes on a scenario are made. */
import type { Algorithm } from '../../config/algorithms/algorithm.js';
import type { AlgorithmParameters } from '../../config/algorithms/registry.js';
import type { NetworkPlan } from '../plan.js';
import type { FlowPaths } from './compiled-scenario.js';
import type { ScenarioSpec, SwitchSpec } from '../scenario/spec.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';

export interface NoteContext {
  readonly valid: ValidScenario;
  readonly plan: NetworkPlan;
  readonly spec: ScenarioSpec;
  /** Switch settings that the scenario states, both general ones and overrides. */
  readonly switchSpecs: readonly SwitchSpec[];
  /** Names of the algorithms that flows use. */
  readonly algorithmNames: readonly string[];
  /** The library's description of each algorithm in use. */
  readonly algorithmsInUse: readonly Algorithm<AlgorithmParameters>[];
  /** The egress ports on each flow's path. */
  readonly paths: FlowPaths;
  /** Index of each flow's algorithm. */
  readonly flowAlgorithms: Uint32Array;
}

/** Whether any switch may send Fast CNPs: by the built-in rule, or by a custom congestion point that the scenario names. */
export function maySendFastCnps({ switches, points }: ValidScenario): boolean {
  return switches.some((settings) => settings?.fastCnp === true) || points.some((point) => point?.isNamed === true);
}
