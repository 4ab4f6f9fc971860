/** What a scenario names but does not contain: the graphs of its jobs, and custom algorithms, named as presets or as files. */
import type { CustomAlgorithm } from '../../config/algorithms/custom/custom-algorithm.js';
import { isCustomAlgorithm } from '../../config/algorithms/custom/custom-parameters.js';
import { checkCongestionPoint, POINT_SUBSTITUTE,
  type CustomCongestionPoint } from '../../config/custom-congestion-point.js';
import { checkRecord, reject } from '../../config/field-rules.js';
import { WorkloadGraph } from '../../workloads/graph/workload-graph.js';
import type { PointsOfScenario } from '../features/points/compile.js';
import type { JobContext } from '../workload/workload-flows.js';
import { rejectScenario } from './scenario-error.js';
import type { AlgorithmSpec, ScenarioSpec } from './spec.js';
import type { ValidAlgorithm } from './valid-scenario.js';

/** Files that a scenario names but does not contain. */
export interface ScenarioFiles extends AlgorithmsOfScenario, PointsOfScenario {
  /** Graphs of jobs, by the job's `file`. */
  readonly graphs?: Readonly<Record<string, WorkloadGraph>>;
  /** Whether jobs whose files are missing are omitted. Default false: they are rejected. */
  readonly withoutFiles?: boolean;
}

/** Finds the graphs that jobs of a scenario name. */
export function graphFinder(files: ScenarioFiles): JobContext['graphOf'] {
  checkRecord(files, 'files');
  const { graphs = {}, withoutFiles = false } = files;
  checkRecord(graphs, 'files.graphs');
  if (typeof withoutFiles !== 'boolean')
    reject({ got: withoutFiles, allowed: [true, false], where: 'files.withoutFiles' });
  return (file, where) => {
    const graph: unknown = Object.hasOwn(graphs, file) ? graphs[file] : undefined;
    if (graph instanceof WorkloadGraph) return graph;
    if (graph !== undefined) reject({ got: graph, allowed: 'a WorkloadGraph', where: `files.graphs[${file}]` });
    if (withoutFiles) return undefined;
    const hint = 'Read the file with roce-cc/workloads, and pass its graph with the scenario';
    return rejectScenario({ what: 'the file of the job', problem: 'has not been read', got: file, where, hint });
  };
}

/** Custom algorithms that are passed with a scenario. */
export interface AlgorithmsOfScenario {
  /** Algorithms that the scenario names as presets. */
  readonly algorithms?: readonly CustomAlgorithm[];
  /** Algorithms that the scenario names as files, by path. */
  readonly algorithmFiles?: Readonly<Record<string, CustomAlgorithm>>;
  /**
   * Custom algorithms that replace built-in ones, by the built-in name such as `dcqcn`, and a custom congestion point that
   * replaces the built-in rule, as `congestion-point`. The scenario is unchanged, so that equal hashes of results mean equal
   * behaviour.
   */
  readonly substitutes?: Readonly<Record<string, CustomAlgorithm | CustomCongestionPoint>>;
}

/** Substitutes, separated by kind. */
export interface Substitutes {
  readonly algorithms: Readonly<Record<string, CustomAlgorithm>>;
  readonly point: CustomCongestionPoint | undefined;
}

const ALLOWED = 'what defineAlgorithm returned';

/** @throws RoceError for values that are not custom algorithms, and for duplicate names. @returns the substitutes. */
export function checkAlgorithms({ algorithms = [], algorithmFiles = {}, substitutes: given = {} }: AlgorithmsOfScenario,
  where: string): Substitutes {
  if (!Array.isArray(algorithms))
    reject({ got: algorithms, allowed: `a list of ${ALLOWED}`, where: `${where}.algorithms` });
  algorithms.forEach((one: unknown, index) => {
    if (!isCustomAlgorithm(one)) reject({ got: one, allowed: ALLOWED, where: `${where}.algorithms[${index}]` });
    if (algorithms.findIndex(({ name }) => name === one.name) !== index)
      reject({ got: one.name, problem: 'is the name of two algorithms', where: `${where}.algorithms[${index}]` });
  });
  const { [POINT_SUBSTITUTE]: point, ...substitutes } = checkRecord(given, `${where}.substitutes`);
  if (point !== undefined) checkCongestionPoint(point, `${where}.substitutes.${POINT_SUBSTITUTE}`);
  for (const [key, record] of Object.entries({ algorithmFiles, substitutes })) {
    for (const [name, one] of Object.entries(checkRecord(record, `${where}.${key}`)))
      if (!isCustomAlgorithm(one)) reject({ got: one, allowed: ALLOWED, where: `${where}.${key}.${name}` });
  }
  return { algorithms: substitutes as Substitutes['algorithms'], point: point as Substitutes['point'] };
}

/** The validated custom algorithms of a scenario. */
type Given = AlgorithmsOfScenario & { readonly checked: Substitutes };

/**
 * An entry of the scenario, with the custom algorithm that it names.
 *
 * @param presets names of the built-in presets.
 * @param withoutFiles whether an algorithm whose hash the scenario states, as in a result, may be missing.
 */
export function withCustom(name: string, spec: AlgorithmSpec, given: Given, presets: readonly string[],
  withoutFiles = false): ValidAlgorithm {
  if (withoutFiles && spec.sourceHash !== undefined) return { ...spec, name };
  const custom = customOf(name, spec, given, presets);
  if (custom !== undefined) {
    checkSource(name, spec, custom);
    return { ...spec, name, custom };
  }
  return { ...spec, name, substitutes: given.checked.algorithms };
}

function customOf(name: string, { preset, file }: AlgorithmSpec,
  { algorithms = [], algorithmFiles = {} }: AlgorithmsOfScenario, presets: readonly string[]
): CustomAlgorithm | undefined {
  const where = `algorithms.${name}`;
  if (file !== undefined) {
    if (preset !== undefined)
      rejectScenario({ what: `file of algorithm ${name}`, problem: 'is not allowed with a preset', got: file, where });
    if (Object.hasOwn(algorithmFiles, file)) return algorithmFiles[file];
    const hint = 'Import the file, and pass what it exports by default: options.algorithmFiles';
    return rejectScenario({
      what: `the file of algorithm ${name}`,
      problem: 'has not been read',
      got: file,
      where: `${where}.file`,
      hint,
    });
  }
  if (preset === undefined)
    return rejectScenario({
      what: `the preset of algorithm ${name}`,
      got: preset,
      allowed: presets,
      where: `${where}.preset`,
    });
  const custom = algorithms.find((one) => one.name === preset);
  if (custom !== undefined && presets.includes(preset))
    rejectScenario({ what: `the custom algorithm ${preset}`, problem: 'has the name of a preset', got: preset, where });
  return custom;
}

/** Rejects code with another hash than the scenario states, as a result's scenario does. */
function checkSource(name: string, { sourceHash }: AlgorithmSpec, custom: CustomAlgorithm): void {
  if (sourceHash === undefined || sourceHash === custom.sourceHash) return;
  rejectScenario({
    what: `the code of algorithm ${name}`,
    problem: 'is not the one that the scenario states',
    got: custom.sourceHash,
    allowed: [sourceHash],
    where: `algorithms.${name}.sourceHash`,
  });
}

/** The scenario as given, with the source hash of each custom algorithm, so that the result's hash depends on it. */
export function withSourceHashes(spec: ScenarioSpec, algorithms: readonly ValidAlgorithm[]): ScenarioSpec {
  const custom = algorithms.filter((one) => one.custom !== undefined);
  if (custom.length === 0) return spec;
  const stated = custom.map(({ name, custom: one }) =>
    [name, { ...spec.algorithms?.[name], sourceHash: one?.sourceHash }] as const
  );
  return { ...spec, algorithms: { ...spec.algorithms, ...Object.fromEntries(stated) } } as ScenarioSpec;
}
