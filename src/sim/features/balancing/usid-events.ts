/**
 * When tables of switches lose uSIDs, and when they have them again.
 *
 *   next given   the switch lacks the uSID of that neighbour, or that of its port to that host
 *   otherwise    the switch does not know its own uSID: it forwards no list at all, to any of its ports
 */
import type { Graph } from '../../compile/graph.js';
import { peerOf, portsOf } from '../../compile/graph.js';
import { timesOf } from '../../compile/port-settings.js';
import type { FaultSpec, UsidWithdrawnSpec } from '../../scenario/spec.js';
import type { UsidEventPlan } from './plan.js';

/** Changes in order of time. Faults that overlap count once. */
export function usidEvents(faults: readonly FaultSpec[], graph: Graph): UsidEventPlan[] {
  const withdrawals = faults.flatMap((fault) => fault.kind === 'usid-withdrawn' ? [fault] : []);
  const timesPs = [...new Set(withdrawals.flatMap(timesOf))].filter((timePs) => timePs < Infinity);
  const events: UsidEventPlan[] = [];
  let before = new Set<number>();
  for (const timePs of timesPs.sort((a, b) => a - b)) {
    const now = portsWithoutUsid(withdrawals, graph, timePs);
    const changed = [...new Set([...before, ...now])].filter((port) => before.has(port) !== now.has(port));
    changed.sort((a, b) => a - b);
    events.push(...changed.map((port) => ({ timePs, port, isWithdrawn: now.has(port) })));
    before = now;
  }
  return events;
}

function portsWithoutUsid(withdrawals: readonly UsidWithdrawnSpec[], graph: Graph, timePs: number): Set<number> {
  const nodeNamed = (name: string): number => graph.network.nodes.findIndex((node) => node.name === name);
  return new Set(withdrawals.flatMap((fault) => {
    const [fromPs, toPs] = timesOf(fault);
    if (timePs < fromPs || timePs >= toPs) return [];
    const ports = portsOf(graph, nodeNamed(fault.node));
    if (fault.next === undefined) return ports;
    const neighbour = nodeNamed(fault.next);
    return ports.filter((port) => peerOf(graph, port) === neighbour);
  }));
}
