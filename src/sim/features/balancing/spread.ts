/** Flows whose packets are on several paths at once: by the rule of a switch, or by the entropies of their sender. */
import type { NetworkPlan } from '../../plan.js';
import type { ValidScenario } from '../../scenario/valid-scenario.js';
import { RULE_FACTS } from './rules.js';

/** Of the flows of a host. */
export type IsSpread = (source: number) => boolean;

export function spreadOfScenario({ fidelity, switches, hosts, hostOverrides }: ValidScenario): IsSpread {
  if (fidelity !== 'standard') return () => false;
  const atSwitches = switches.some((settings) => settings !== null && RULE_FACTS[settings.balancingRule].spreads);
  return (source) => atSwitches || (hostOverrides[source]?.pathSelection ?? hosts.pathSelection) !== 'flow';
}

/** The same of its plan. */
export function spreadOfPlan({ balancing }: NetworkPlan): IsSpread {
  if (balancing === undefined) return () => false;
  const atSwitches = balancing.rules.some((rule) => RULE_FACTS[rule].spreads);
  return (source) => atSwitches || (balancing.selection?.rules[source] ?? 'flow') !== 'flow';
}
