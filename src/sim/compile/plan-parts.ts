/** Optional parts of a plan. */
import type { NetworkPlan } from '../plan.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';

/** Without a timeout in the scenario, a flow's timeout adapts to the queues on its path. */
export function adaptsTimeout({ fidelity, spec, hostOverrides }: ValidScenario, source: number): boolean {
  return fidelity === 'standard' &&
    (hostOverrides[source]?.retransmitTimeoutUs ?? spec.hosts?.timeout ?? spec.hosts?.retransmitTimeoutUs) ===
      undefined;
}

/** Jobs, and which flow of a host is next; empty for plans that have neither. */
export function jobsOf(
  { jobs, endsWithJobs, hosts }: ValidScenario,
): Pick<NetworkPlan, 'service' | 'jobs' | 'endsWithJobs'> {
  return {
    ...(hosts.service === 'turns' ? {} : { service: hosts.service }),
    ...(jobs.length === 0 ? {} : { jobs }),
    ...(endsWithJobs ? { endsWithJobs } : {}),
  };
}

/** The parts of a plan that a scenario has; the others are left out. */
type Present<Parts> = { readonly [Name in keyof Parts]?: Exclude<Parts[Name], undefined> };

export function present<Parts extends object>(parts: Parts): Present<Parts> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Present<Parts>;
}
