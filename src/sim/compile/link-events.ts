/** When links go down and come up. */
import type { LinkEventPlan } from '../plan.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';
import { PS_PER_US } from '../workload/workload-flow.js';
import type { Graph } from './graph.js';
import { portsBetween } from './port-settings.js';

/** In order of time. */
export function linkEvents({ faults }: ValidScenario, graph: Graph): LinkEventPlan[] {
  const events = faults.flatMap((fault) => {
    if (fault.kind !== 'link-down') return [];
    return portsBetween(graph, fault.between)
      .filter((port) => port < graph.peerPort[port])
      .flatMap((port) => [
        { timePs: Math.round(fault.fromUs * PS_PER_US), port, up: false },
        { timePs: Math.round(fault.toUs * PS_PER_US), port, up: true },
      ]);
  });
  return events.sort((a, b) => a.timePs - b.timePs || a.port - b.port || Number(a.up) - Number(b.up));
}
