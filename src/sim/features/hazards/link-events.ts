/** When links go down and come up, and when their losses begin and end. */
import type { LinkEventPlan, LossEventPlan, NetworkPlan } from '../../plan.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import { PS_PER_US } from '../../workload/workload-flow.js';
import type { Graph } from '../../compile/graph.js';
import { lossesByPort, portsBetween, timesOf } from '../../compile/port-settings.js';

/** Events that faults set; without losses that change there are none of these. */
export function faultEvents(valid: ValidScenario, graph: Graph): Pick<NetworkPlan, 'linkEvents'> & Partial<
  Pick<NetworkPlan, 'lossEvents'>
> {
  const losses = lossEvents(valid, graph);
  return { linkEvents: linkEvents(valid, graph), ...(losses && { lossEvents: losses }) };
}

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

/** In order of time; undefined: losses stay as they are. */
function lossEvents({ faults }: ValidScenario, graph: Graph): LossEventPlan[] | undefined {
  const losing = faults.flatMap((fault) => fault.kind === 'loss' ? [fault] : []);
  const timesPs = new Set(losing.flatMap(timesOf).filter((timePs) => timePs > 0 && timePs < Infinity));
  if (timesPs.size === 0) return undefined;
  return [...timesPs].sort((a, b) => a - b).flatMap((timePs) => {
    const changing = losing.filter((fault) => timesOf(fault).includes(timePs));
    const ports = new Set(changing.flatMap(({ between }) => portsBetween(graph, between)));
    const losses = lossesByPort(faults, graph, timePs);
    return [...ports].sort((a, b) => a - b).map((port) => {
      const { dataLoss, ackLoss, cnpLoss } = losses[port];
      return { timePs, port, dataLoss, ackLoss, cnpLoss };
    });
  });
}
