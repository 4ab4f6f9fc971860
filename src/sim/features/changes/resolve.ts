/**
 * Settings that change during a run: each change applies on top of the earlier ones, and is validated as if the scenario had
 * begun with it.
 */
import { PRESET_ALGORITHMS, isPresetName } from '../../../config/algorithms/registry.js';
import { RoceError } from '../../../errors.js';
import { PS_PER_US } from '../../../unit-sizes.js';
import { asSettings } from '../../scenario/as-settings.js';
import { changeTarget, isOfMarking } from './changeable.js';
import { DEFAULT_ALGORITHM } from '../../scenario/defaults.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { ScenarioSpec } from '../../scenario/spec.js';
import type { ValidAlgorithm, ValidChange } from '../../scenario/valid-scenario.js';

/** Settings of a scenario that may change. */
export type Changeable = Pick<ValidChange, 'switches' | 'algorithms'>;

/**
 * Resolves the changes of a scenario.
 *
 * @param resolve resolves and validates the settings of a scenario that begins with them.
 * @throws RoceError `invalid-scenario`, naming the change.
 */
export function resolveChanges(spec: ScenarioSpec, algorithms: readonly ValidAlgorithm[],
  resolve: (changed: ScenarioSpec) => Changeable): ValidChange[] {
  const { changes = [], ...base } = spec;
  let [changed, beforePs]: [ScenarioSpec, number] = [withPlaces(base), 0];
  return changes.map(({ atUs, set }, i) => {
    const where = `changes[${i}]`;
    const timePs = Math.round(atUs * PS_PER_US);
    if (timePs <= beforePs) {
      const allowed = { above: beforePs / PS_PER_US, unit: 'us' };
      rejectScenario({ what: 'the time of a change', got: atUs, allowed, where: `${where}.atUs` });
    }
    beforePs = timePs;
    for (const [path, value] of Object.entries(set)) {
      requireDcqcn(path, algorithms, `${where}.set`);
      requireThresholds(spec, path, `${where}.set.${path}`);
      changed = put(changed, changeTarget(path).steps, value) as ScenarioSpec;
    }
    return { timePs, set, ...resolvedAt(`${where}.set`, () => resolve(changed)) };
  });
}

/** Adds an object for each path that a change may set: the default parameter set, and ECN that is given as a flag. */
function withPlaces({ algorithms = {}, switches = {}, ...spec }: ScenarioSpec): ScenarioSpec {
  const { name, ...byDefault } = DEFAULT_ALGORITHM;
  const ecn = asSettings(switches.ecn);
  return {
    ...spec,
    algorithms: Object.keys(algorithms).length > 0 ? algorithms : { [name]: byDefault },
    switches: { ...switches, ...(ecn === undefined ? {} : { ecn }) },
  };
}

/** Rejects changes of thresholds that `ecn.byRate` overrides. */
function requireThresholds({ switches = {} }: ScenarioSpec, path: string, where: string): void {
  const byRate = asSettings(switches.ecn)?.byRate;
  if (byRate === undefined || !isOfMarking(path)) return;
  rejectScenario({ what: path, problem: 'cannot change: switches.ecn.byRate sets the thresholds', got: byRate, where });
}

function put(target: unknown, [step, ...rest]: readonly string[], value: number): unknown {
  if (step === undefined) return value;
  const object = typeof target === 'object' && target !== null ? target as Readonly<Record<string, unknown>> : {};
  return { ...object, [step]: put(object[step], rest, value) };
}

function requireDcqcn(path: string, algorithms: readonly ValidAlgorithm[], where: string): void {
  const { algorithm: name } = changeTarget(path);
  if (name === undefined) return;
  const allowed = algorithms.filter(isDcqcn).map((algorithm) => algorithm.name);
  if (allowed.includes(name)) return;
  rejectScenario({
    what: 'the name of an algorithm whose parameters change',
    got: name,
    allowed,
    where: `${where}.${path}`,
    hint: 'Only parameters of the built-in DCQCN can change while a run goes',
  });
}

function isDcqcn({ preset = '', custom, substitutes = {} }: ValidAlgorithm): boolean {
  const isBuiltIn = custom === undefined && !Object.hasOwn(substitutes, 'dcqcn');
  return isBuiltIn && isPresetName(preset) && PRESET_ALGORITHMS[preset] === 'dcqcn';
}

function resolvedAt<Made>(where: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    throw error.at(`${where}.${error.where}`, 'invalid-scenario');
  }
}
