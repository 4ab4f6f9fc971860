/** Facts of a scenario that the page shows before and during a run. */
import type { CustomAlgorithm } from '../../src/algorithm/index.js';
import { compileScenario, validateScenario, type CompiledScenario } from '../../src/sim/index.js';
import { WorkloadGraph } from '../../src/workloads/graph/workload-graph.js';
import type { GraphsByFile, ScenarioFacts } from '../protocol/run-protocol.js';
import { algorithmFacts } from './parameter-facts.js';

/** Maximum flows with sampled rates: more could not be distinguished or drawn in time. */
const RATED_FLOWS_MAX = 64;

/** @throws RoceError `invalid-scenario`; SyntaxError if the text is not JSON. */
export function compileText(text: string, algorithm?: CustomAlgorithm, graphs: GraphsByFile = {}): CompiledScenario {
  // Messages contain only the data of a graph, without its class.
  const read = Object.entries(graphs).map(([file, parts]) => [file, new WorkloadGraph(parts)]);
  const files = { graphs: Object.fromEntries(read) as Readonly<Record<string, WorkloadGraph>> };
  return compileScenario(
    validateScenario(JSON.parse(text), algorithm === undefined ? files : { ...files, algorithms: [algorithm] }),
  );
}

export function ratedFlows({ plan, record }: CompiledScenario): number {
  return Math.min(record.flows, plan.flows.length, RATED_FLOWS_MAX);
}

function congestionPointOf({ nodes, points }: CompiledScenario['plan'],
  { node, ecn }: { readonly node: number; readonly ecn: boolean }): { isMarking: boolean; sendsFastCnps: boolean } {
  const { kind, fastCnp } = nodes[node] ?? {};
  const isMarking = ecn && kind === 'switch' && (points?.ofNode[node] ?? -1) < 0;
  return { isMarking, sendsFastCnps: isMarking && (fastCnp ?? false) };
}

export function scenarioFacts(compiled: CompiledScenario): ScenarioFacts {
  const { plan, portNames, spec, notes, record } = compiled;
  return {
    name: spec.name ?? 'scenario',
    nodes: plan.nodes.map(({ name, kind, bufferBytes, pfc }) => ({ name, kind, bufferBytes, pfc })),
    ports: plan.ports.map((port, index) => ({
      name: portNames[index] ?? '',
      node: port.node,
      peerNode: plan.ports[port.peerPort]?.node ?? 0,
      peerPort: port.peerPort,
      rateBps: port.rateBps,
      delayPs: port.delayPs,
      ...congestionPointOf(plan, port),
      kminBytes: port.kminBytes,
      kmaxBytes: port.kmaxBytes,
      pmax: port.pmax,
    })),
    flows: plan.flows.length,
    keepsEarlyPackets: plan.transports !== undefined,
    ratedFlows: ratedFlows(compiled),
    startPs: record.startPs,
    changes: (plan.changes ?? []).map(({ timePs, marking }) => ({ timePs, ...(marking && { marking }) })),
    algorithms: algorithmFacts(compiled),
    notes,
  };
}
