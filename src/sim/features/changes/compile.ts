/** Compiles changes of settings during a run: each has the thresholds of all ports, ranges of receivers and the parameter sets from then on. */
import type { AlgorithmParameters } from '../../../config/algorithms/registry.js';
import type { ChangePlan } from './plan.js';
import { CHANGEABLE_PENALTY, CHANGEABLE_RANGE, changeTarget, isOfMarking } from './changeable.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { ValidAlgorithm, ValidChange, ValidScenario } from '../../scenario/valid-scenario.js';
import { RoceError } from '../../../errors.js';
import { leadsToHost, type Graph } from '../../compile/graph.js';
import { marking } from '../../compile/port-settings.js';

/** @throws RoceError `invalid-scenario`, naming the change. */
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

function at<Made>(where: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RoceError)) throw error;
    throw error.at(`${where}.${error.where}`);
  }
}
