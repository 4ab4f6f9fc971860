/** Hosts that discard packets of MRC for a while, and why: the fault `receiver-discards`. */
import type { Graph } from '../../compile/graph.js';
import { timesOf } from '../../compile/port-settings.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { FaultSpec, ReceiverDiscardsSpec } from '../../scenario/spec.js';
import type { DiscardPlan } from './plan.js';

/** When hosts begin and end to discard packets, in order of time. Where faults of a host overlap, the first one listed decides. */
export function discardsOf(faults: readonly FaultSpec[], { network: { nodes } }: Graph): DiscardPlan[] {
  const all = faults.flatMap((fault) => fault.kind === 'receiver-discards' ? [fault] : []);
  const plans = [...new Set(all.map(({ host }) => host))].flatMap((host) => {
    const node = nodes.findIndex(({ name }) => name === host);
    return discardsOfHost(all.filter((fault) => fault.host === host)).map((change) => ({ ...change, node }));
  });
  return plans.sort((a, b) => a.timePs - b.timePs || a.node - b.node);
}

function discardsOfHost(faults: readonly ReceiverDiscardsSpec[]): Omit<DiscardPlan, 'node'>[] {
  const timesPs = [...new Set(faults.flatMap(timesOf))].filter((timePs) => timePs < Infinity).sort((a, b) => a - b);
  return timesPs.map((timePs) => {
    const active = faults.find((fault) => {
      const [fromPs, toPs] = timesOf(fault);
      return fromPs <= timePs && timePs < toPs;
    });
    return { timePs, reason: active?.reason ?? null };
  });
}

/** Rejects such a fault in a network without flows of MRC, which it could not affect. */
export function requireMrcForDiscards(faults: readonly FaultSpec[] = []): void {
  const index = faults.findIndex(({ kind }) => kind === 'receiver-discards');
  if (index < 0) return;
  const where = `faults[${index}]`;
  rejectScenario({
    what: where,
    problem: 'needs flows of transport mrc',
    got: 'receiver-discards',
    where,
    hint: 'Set hosts.transport to mrc',
  });
}
