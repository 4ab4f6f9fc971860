/** Jobs of a plan. */
import type { NetworkPlan } from '../plan.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';

/** Jobs, and which flow of a host is next; of plans that have neither nothing. */
export function jobsOf(
  { jobs, endsWithJobs, hosts }: ValidScenario,
): Pick<NetworkPlan, 'service' | 'jobs' | 'endsWithJobs'> {
  return {
    ...(hosts.service === 'turns' ? {} : { service: hosts.service }),
    ...(jobs.length === 0 ? {} : { jobs }),
    ...(endsWithJobs ? { endsWithJobs } : {}),
  };
}
