/** What notes on a scenario are made of. */
import type { NetworkPlan } from '../plan.js';
import type { Path } from './paths.js';
import type { ScenarioSpec, SwitchSpec } from '../scenario/spec.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';

export interface NoteContext {
  readonly valid: ValidScenario;
  readonly plan: NetworkPlan;
  readonly spec: ScenarioSpec;
  /** Settings of switches that the scenario gives, those of all and those of overrides. */
  readonly switchSpecs: readonly SwitchSpec[];
  /** Algorithms that flows use, as `dcqcn`. */
  readonly algorithmsInUse: ReadonlySet<string>;
  /** Ports that each flow's data leaves by. */
  readonly paths: readonly Path[];
}
