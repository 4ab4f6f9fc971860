/**
 * Settings that change during a run, and their paths; all others are fixed when it begins. Each change applies on top of
 * the earlier ones, and is validated as if the scenario had begun with it; its plan has the thresholds of all ports, ranges
 * of receivers and the parameter sets from then on.
 */
import type { DcqcnParameters } from '../../config/algorithms/dcqcn.js';
import { type AlgorithmParameters, isPresetName, PRESET_ALGORITHMS } from '../../config/algorithms/registry.js';
import { RoceError, type RoceErrorCode } from '../../errors.js';
import { PS_PER_US } from '../../units.js';
import { type Graph, leadsToHost } from '../compile/routes.js';
import { marking } from '../compile/port-settings.js';
import type { ChangePlan } from '../plan.js';
import { DEFAULT_ALGORITHM } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import { asSettings } from '../scenario/setting-words.js';
import type { ScenarioSpec } from '../scenario/spec.js';
import type { ValidAlgorithm, ValidChange, ValidScenario } from '../scenario/valid-scenario.js';

/** Marking thresholds. */
export const CHANGEABLE_MARKING = ['switches.ecn.kminKB', 'switches.ecn.kmaxKB', 'switches.ecn.pmax'] as const;

/** The range of receivers of MRC. */
export const CHANGEABLE_RANGE = 'hosts.mrc.receiverRangePackets';

/** The penalty of windows that receivers of MRC demand. */
export const CHANGEABLE_PENALTY = 'hosts.mrc.windowPenalty';

/** Settings that are neither thresholds nor parameters. */
export const CHANGEABLE_OF_MRC = [CHANGEABLE_RANGE, CHANGEABLE_PENALTY] as const;

/**
 * DCQCN parameters that a QP reads each time it uses them. Those copied when a QP is opened, or that determine its state's
 * format, cannot change.
 */
export const CHANGEABLE_PARAMETERS = [
  'minRateBps',
  'alphaGain',
  'initialAlpha',
  'alphaPeriodPs',
  'cutPeriodPs',
  'minDecreaseFactor',
  'rateOnFirstCnpBps',
  'rateOnFirstCnpFraction',
  'increasePeriodPs',
  'byteCounterBytes',
  'fastRecoverySteps',
  'aiRateBps',
  'haiRateBps',
] as const satisfies readonly (keyof DcqcnParameters)[];

/** Matches the path of any changeable setting. */
export const CHANGEABLE_PATH = new RegExp(
  `^(?:${[...CHANGEABLE_MARKING, ...CHANGEABLE_OF_MRC].join('|').replaceAll('.', String.raw`\.`)}|` +
    String.raw`algorithms\.(?<algorithm>[^\s:]{1,64})\.parameters\.(?<parameter>${CHANGEABLE_PARAMETERS.join('|')}))$`,
);

/** What a changeable path refers to: a marking threshold, a setting of MRC's receivers, or a parameter of an algorithm, whose name may contain dots. */
export interface ChangeTarget {
  /** Name of the algorithm; undefined: no parameter of an algorithm. */
  readonly algorithm?: string;
  /** Keys from the scenario to the value. */
  readonly steps: readonly string[];
}

/** Parses a path that `CHANGEABLE_PATH` matches. */
export function changeTarget(path: string): ChangeTarget {
  const { algorithm, parameter } = CHANGEABLE_PATH.exec(path)?.groups ?? {};
  if (algorithm === undefined || parameter === undefined) return { steps: path.split('.') };
  return { algorithm, steps: ['algorithms', algorithm, 'parameters', parameter] };
}

/** Whether a path is that of a threshold of marking. */
export function isOfMarking(path: string): boolean {
  return (CHANGEABLE_MARKING as readonly string[]).includes(path);
}

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
