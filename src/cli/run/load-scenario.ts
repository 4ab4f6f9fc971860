/** Loads scenarios from files, from the shipped ones, and from files of the reference simulator. */
import path from 'node:path';
import { underAlgorithm, withAlgorithms, type AlgorithmFiles,
  type ScenarioWithFiles } from '../algorithms/algorithms-of-scenario.js';
import { algorithmOfWord } from '../algorithms/algorithm-words.js';
import { readRunOfSweep } from '../sweep/load-sweep.js';
import type { JobFile } from '../../workloads/job-readers.js';
import { readJobFiles } from './job-files.js';
import { readReference, readScenario, readWorkload, type ReadScenario,
  type ReferenceOptions } from './read-scenario.js';
import { uniqueNames } from './run-names.js';
import { withSizeFiles } from './scenario-sizes.js';
import { withTopologyFile } from './scenario-topology.js';
import { applySetValues, type SetValue } from './set-values.js';
import { settingsChanges } from './settings-changes.js';
import type { ReadSettings } from '../settings/read-settings.js';
import type { ConnectionsSpec } from '../../sim/scenario/spec.js';
import type { TopologyOption } from './topology-option.js';

/** A scenario that has been read but not validated. */
export interface LoadedScenario extends Omit<ReadScenario, 'folder'> {
  /** Unique name of the run. */
  readonly name: string;
  /** The scenario's custom algorithms, by absolute path. */
  readonly algorithmFiles: AlgorithmFiles;
  /** The scenario's custom congestion points, by absolute path. */
  readonly congestionPointFiles: ScenarioWithFiles['congestionPointFiles'];
}

export interface ScenarioSources {
  /** Files, names of shipped scenarios, or runs of sweeps, as `sweep.json#0123456789abcdef`. */
  readonly scenarios: readonly string[];
  /** Config files of the reference simulator. */
  readonly references: readonly string[];
  /** Files of workloads, and the topology that they run on. */
  readonly files?: readonly JobFile[];
  readonly topology?: TopologyOption | undefined;
  readonly topo?: string | undefined;
  /** QPs of the messages of workload files. */
  readonly connections?: ConnectionsSpec | undefined;
  readonly seed: number | undefined;
  readonly changes: readonly SetValue[];
  /** Vendors' settings; `changes` override them. */
  readonly settings?: readonly ReadSettings[];
  /** Presets and files that replace the algorithms of the scenarios, each in a separate run. Default: none. */
  readonly algorithms?: readonly string[];
  /** Options for reading `references`. */
  readonly ofReferences?: ReferenceOptions;
}

/**
 * Reads all scenarios and applies the command line's changes.
 *
 * @throws RoceError and system errors, which name the file.
 */
export async function loadScenarios(
  {
    scenarios,
    references,
    files = [],
    topology,
    topo,
    connections,
    seed,
    changes,
    settings = [],
    algorithms = [],
    ofReferences,
  }: ScenarioSources,
): Promise<LoadedScenario[]> {
  const read = [
    ...(await Promise.all(scenarios.map(async (source) => await readRunOfSweep(source) ?? readScenario(source)))),
    ...(await Promise.all(references.map((source) => readReference(source, ofReferences)))),
    ...(await Promise.all(
      files.map((file) =>
        readWorkload(file, { topology, topo, connections, ignoreUnknownKeys: ofReferences?.ignoreUnknownKeys })
      ),
    )),
  ];
  const allChanges = seed === undefined ? changes : [...changes, { text: `seed=${seed}`, path: ['seed'], value: seed }];
  const changed = await Promise.all(
    read.flatMap((one) => variantsOf(one, algorithms)).map(async ({ folder, variant, ...scenario }) => {
      const ofVendors = settingsChanges(settings, scenario.spec, scenario.source);
      const set = applySetValues(scenario.spec, [...ofVendors, ...allChanges]);
      const { spec: given, ...files } = await withAlgorithms(set, folder);
      const spec = await withSizeFiles(given, folder);
      const graphs = await readJobFiles(spec, folder, scenario.graphs);
      return { ...scenario, variant, spec: await withTopologyFile(spec, folder, graphs), graphs, ...files };
    }),
  );
  const names = uniqueNames(changed.map(({ spec, source, variant }) => {
    const name = nameOf(spec) ?? path.parse(source).name;
    return variant === undefined ? name : `${name}, under ${variant}`;
  }));
  return changed.map(({ variant, ...scenario }, index) => ({
    ...scenario,
    name: names[index] ?? variant ?? scenario.source,
  }));
}

/** The scenario with each of these algorithms; unchanged if there are none. */
function variantsOf(scenario: ReadScenario,
  algorithms: readonly string[]): (ReadScenario & { readonly variant: string | undefined })[] {
  if (algorithms.length === 0) return [{ ...scenario, variant: undefined }];
  return algorithms.map((algorithm) => ({
    ...scenario,
    spec: underAlgorithm(scenario.spec, algorithmOfWord(algorithm)),
    variant: path.parse(algorithm).name,
  }));
}

function nameOf(spec: unknown): string | undefined {
  const name = typeof spec === 'object' && spec !== null && 'name' in spec ? spec.name : undefined;
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}
