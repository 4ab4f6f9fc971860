/** Which flows have packets on several paths at once, due to a switch's rule or to their sender's entropies. */
import type { NetworkPlan } from '../../plan.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import { RULE_FACTS } from './rules.js';

/** Whether the flows of a host are spread over several paths. */
export type IsSpread = (source: number) => boolean;

export function spreadOfScenario({ fidelity, switches, hosts, hostOverrides }: ValidScenario): IsSpread {
  if (fidelity !== 'standard') return () => false;
  const atSwitches = switches.some((settings) => settings !== null && RULE_FACTS[settings.balancingRule].spreads);
  return (source) => atSwitches || (hostOverrides[source]?.pathSelection ?? hosts.pathSelection) !== 'flow';
}

/** Like `spreadOfScenario`, for a plan. */
export function spreadOfPlan({ balancing }: NetworkPlan): IsSpread {
  if (balancing === undefined) return () => false;
  const atSwitches = balancing.rules.some((rule) => RULE_FACTS[rule].spreads);
  return (source) => atSwitches || (balancing.selection?.rules[source] ?? 'flow') !== 'flow';
}
