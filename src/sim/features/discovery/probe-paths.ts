/** The paths to probe: each path of the scenario's flows once, using the first flow that takes it. */
import type { CompiledScenario } from '../../compile/compiled-scenario.js';
import { rejectScenario } from '../../scenario/scenario-error.js';

/** Maximum paths: an originator's identifiers must last for three rounds. */
const PATHS_MAX = 16_384;

/** A path, and the flow whose packets the probe imitates. */
export interface ProbePath {
  readonly flow: number;
  readonly source: number;
  readonly destination: number;
  readonly trafficClass: number;
  /** Egress ports of the data. */
  readonly ports: readonly number[];
}

/** @throws RoceError `invalid-scenario` for more paths than there are identifiers. */
export function probePaths({ plan: { flows }, flowPaths }: Pick<CompiledScenario, 'plan' | 'flowPaths'>): ProbePath[] {
  const seen = new Set<string>();
  const paths: ProbePath[] = [];
  for (let flow = 0; flow < flows.length; flow++) {
    const ports = flowPaths.get(flow);
    const trafficClass = flows.dataClass[flow];
    const key = `${trafficClass} ${ports.join()}`;
    if (ports.length === 0 || seen.has(key)) continue;
    seen.add(key);
    paths.push({ flow, source: flows.source[flow], destination: flows.destination[flow], trafficClass, ports });
    if (paths.length > PATHS_MAX) {
      rejectScenario({
        what: 'the number of paths to be probed',
        got: paths.length,
        allowed: { max: PATHS_MAX },
        where: 'discovery',
      });
    }
  }
  return paths;
}
