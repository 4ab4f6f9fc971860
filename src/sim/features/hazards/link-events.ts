/** When links go down and come up, and when their losses begin and end. */
import { PS_PER_US } from '../../../unit-sizes.js';
import type { LinkEventPlan, LinkNoticePlan, LossEventPlan, NetworkPlan } from '../../plan.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import type { Graph } from '../../compile/graph.js';
import { lossesByPort, portsBetween, timesOf } from '../../compile/port-settings.js';

/** Events that faults cause: links down and up, their detection, and changing losses if there are any. */
export function faultEvents(valid: ValidScenario, graph: Graph): Pick<NetworkPlan, 'linkEvents'> & Partial<
  Pick<NetworkPlan, 'linkNotices' | 'lossEvents'>
> {
  const losses = lossEvents(valid, graph);
  const links = linkEvents(valid, graph);
  const detectPs = Math.round(valid.hosts.mrc.portDetectUs * PS_PER_US);
  const isLate = (detectPs > 0 || valid.hosts.mrc.portStatus) && links.length > 0 && graph.network.planes !== undefined;
  return {
    linkEvents: links,
    ...(isLate && { linkNotices: linkNotices(links, detectPs) }),
    ...(losses && { lossEvents: losses }),
  };
}

/** Of changes that last longer than it takes to detect them. */
function linkNotices(events: readonly LinkEventPlan[], detectPs: number): LinkNoticePlan[] {
  const notices: LinkNoticePlan[] = [];
  const down = new Set<number>();
  const dueOf = new Map<number, number>();
  for (const { timePs, port, up } of events) {
    if (up !== down.has(port)) continue;
    if (up) down.delete(port);
    else down.add(port);
    const duePs = dueOf.get(port);
    if (duePs !== undefined && duePs < timePs) notices.push({ timePs: duePs, port });
    if (duePs === undefined || duePs < timePs) dueOf.set(port, timePs + detectPs);
    else dueOf.delete(port);
  }
  for (const [port, timePs] of dueOf) notices.push({ timePs, port });
  return notices.sort((a, b) => a.timePs - b.timePs || a.port - b.port);
}

/** When links go down and come up, in order of time. */
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

/** Changes of losses in order of time; undefined: losses do not change. */
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
