/** Optional parts of a plan. */
import type { NetworkPlan } from '../plan.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';

/** Whether a flow's timeout is derived from the queues on its path, which is the case if the scenario sets none. */
export function adaptsTimeout({ fidelity, spec, hostOverrides }: ValidScenario, source: number): boolean {
  return fidelity === 'standard' &&
    (hostOverrides[source]?.retransmitTimeoutUs ?? spec.hosts?.timeout ?? spec.hosts?.retransmitTimeoutUs) ===
      undefined;
}

/** The plan's jobs, and which flow of a host starts next; empty if there are no jobs. */
export function jobsOf(
  { jobs, endsWithJobs, hosts }: ValidScenario,
): Pick<NetworkPlan, 'service' | 'jobs' | 'endsWithJobs'> {
  return {
    ...(hosts.service === 'turns' ? {} : { service: hosts.service }),
    ...(jobs.length === 0 ? {} : { jobs }),
    ...(endsWithJobs ? { endsWithJobs } : {}),
  };
}

/** The parts of a plan that are present; undefined ones are removed. */
type Present<Parts> = { readonly [Name in keyof Parts]?: Exclude<Parts[Name], undefined> };

export function present<Parts extends object>(parts: Parts): Present<Parts> {
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as Present<Parts>;
}
