/**
 * Settings that change during a run. Each change applies on top of the earlier ones, and is validated as if the
 * scenario had begun with it; its plan has the thresholds of all ports, ranges of receivers and the parameter sets from
 * then on.
 */
import { PRESET_ALGORITHMS, isPresetName, type AlgorithmParameters } from '../../config/algorithms/registry.js';
import { RoceError, type RoceErrorCode } from '../../errors.js';
import { PS_PER_US } from '../../unit-sizes.js';
import { leadsToHost, type Graph } from '../compile/routes.js';
import { marking } from '../compile/port-settings.js';
import type { ChangePlan } from '../plan.js';
import { DEFAULT_ALGORITHM } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import { asSettings } from '../scenario/setting-words.js';
import type { ScenarioSpec } from '../scenario/spec.js';
import type { ValidAlgorithm, ValidChange, ValidScenario } from '../scenario/valid-scenario.js';
import { changeTarget, isOfMarking, CHANGEABLE_PENALTY, CHANGEABLE_RANGE } from './changeable-settings.js';

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
    return { timePs, set, ...at(`${where}.set`, () => resolve(changed), 'invalid-scenario') };
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

/** The plans of changes; undefined without changes. @throws RoceError `invalid-scenario`, naming the change. */
export function changePlans({ changes, points }: ValidScenario, graph: Graph,
  parametersOf: (algorithms: readonly ValidAlgorithm[]) => AlgorithmParameters[]): readonly ChangePlan[] | undefined {
  if (changes.length === 0) return undefined;
  const hasPoints = points.some((point) => point !== null);
  return changes.map((change, i) => {
    const where = `changes[${i}].set`;
    const paths = Object.keys(change.set);
    const ofMarking = paths.find(isOfMarking);
    const ofAlgorithms = paths.find((path) => changeTarget(path).algorithm !== undefined);
    if (hasPoints && ofMarking !== undefined) {
      const problem = 'cannot change: a custom congestion point decides on marks';
      rejectScenario({ what: ofMarking, problem, got: change.set[ofMarking], where: `${where}.${ofMarking}` });
    }
    return {
      timePs: change.timePs,
      ...(ofMarking === undefined ? {} : { marking: thresholdsOf(change, graph) }),
      ...(change.set[CHANGEABLE_RANGE] === undefined ? {} : { receiverRangePackets: change.set[CHANGEABLE_RANGE] }),
      ...(change.set[CHANGEABLE_PENALTY] === undefined ? {} : { windowPenalty: change.set[CHANGEABLE_PENALTY] }),
      ...(ofAlgorithms === undefined ? {} : { parameterSets: at(where, () => parametersOf(change.algorithms)) }),
    };
  });
}

function thresholdsOf({ switches }: ValidChange, graph: Graph): NonNullable<ChangePlan['marking']> {
  return graph.nodeOf.map((node, port) => {
    const { kminBytes, kmaxBytes, pmax } = marking(switches[node], graph.rateBps[port], leadsToHost(graph, port));
    return { kminBytes, kmaxBytes, pmax };
  });
}

/** Adds the path of a change to errors. @param code replaces that of the error. */
function at<Made>(where: string, make: () => Made, code?: RoceErrorCode): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    throw error.at(`${where}.${error.where}`, code);
  }
}
