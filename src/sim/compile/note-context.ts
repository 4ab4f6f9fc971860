/** The context from which notes on a scenario are made. */
import type { Algorithm } from '../../config/algorithms/algorithm.js';
import type { AlgorithmParameters } from '../../config/algorithms/registry.js';
import type { NetworkPlan } from '../plan.js';
import type { FlowPaths } from './flow-paths.js';
import type { ScenarioSpec, SwitchSpec } from '../scenario/spec.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';

export interface NoteContext {
  readonly valid: ValidScenario;
  readonly plan: NetworkPlan;
  readonly spec: ScenarioSpec;
  /** Settings of switches given in the scenario, those of all and those of overrides. */
  readonly switchSpecs: readonly SwitchSpec[];
  /** Names of the algorithms that flows use. */
  readonly algorithmNames: readonly string[];
  /** The library's description of each of them. */
  readonly algorithmsInUse: readonly Algorithm<AlgorithmParameters>[];
  /** Ports that each flow's data leaves by. */
  readonly paths: FlowPaths;
  /** Index of each flow's algorithm. */
  readonly flowAlgorithms: Uint32Array;
}

/** Whether any switch may send Fast CNPs: by the built-in rule, or by a custom congestion point that the scenario names. */
export function maySendFastCnps({ switches, points }: ValidScenario): boolean {
  return switches.some((settings) => settings?.fastCnp === true) || points.some((point) => point?.isNamed === true);
}
