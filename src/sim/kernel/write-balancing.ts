/** Writes load balancing and source-port changes under `standard` into the kernel's memory, and reads their counters. */
import * as layout from '../../abi/balancing-layout.js';
import { SIM_NONE } from '../../abi/sim-layout.js';
import { SIM_BALANCING } from '../../abi/sim-regions.js';
import { keepsFlowlets, type BalancingRule } from '../balancing-plan.js';
import type { NetworkPlan } from '../plan.js';
import type { BalancingLayout } from './balancing-layout.js';
import type { SimAbi } from './sim-abi.js';

const RULES: Readonly<Record<BalancingRule, number>> = {
  'ecmp': layout.BALANCING_RULE_ECMP,
  'random': layout.BALANCING_RULE_RANDOM,
  'round-robin': layout.BALANCING_RULE_ROUND_ROBIN,
  'flowlet': layout.BALANCING_RULE_FLOWLET,
  'drill': layout.BALANCING_RULE_DRILL,
  'conga': layout.BALANCING_RULE_CONGA,
  'least-queue': layout.BALANCING_RULE_LEAST_QUEUE,
};

export function writeBalancing(abi: SimAbi, { balancing }: NetworkPlan, { words }: BalancingLayout): void {
  if (balancing === undefined) return;
  const at = abi.simRegion(SIM_BALANCING) >>> 0;
  const view = new DataView(abi.memory.buffer);
  for (const [field, value] of words) view.setUint32(at + field, value, true);
  view.setFloat64(at + layout.BALANCING_GAP, balancing.flowletGapPs, true);
  view.setFloat64(at + layout.BALANCING_TAU, balancing.conga.tauPs, true);
  view.setFloat64(at + layout.BALANCING_AGEING, balancing.conga.ageingPs, true);
  const placeOf = (field: number): number => at + view.getUint32(at + field, true);
  if (balancing.rules.some((rule) => rule !== 'ecmp')) {
    let table = 0;
    balancing.rules.forEach((rule, node) => {
      const own = placeOf(layout.BALANCING_NODES_AT) + node * layout.BALANCER_BYTES;
      const leaf = balancing.conga.leaves.indexOf(node);
      view.setUint32(own + layout.BALANCER_RULE, RULES[rule], true);
      view.setUint32(own + layout.BALANCER_LEAF, leaf < 0 ? SIM_NONE : leaf, true);
      view.setUint32(own + layout.BALANCER_TABLE, keepsFlowlets(rule) ? table++ : 0, true);
    });
  }
  if (!balancing.detours.includes(true)) return;
  balancing.detours.forEach((does, node) => {
    view.setUint32(placeOf(layout.BALANCING_HOSTS_AT) + node * 4, Number(does), true);
  });
}

/** How often a flow has changed its UDP source port; 0 if no host does. */
export function readDetours(abi: SimAbi, { balancing }: NetworkPlan, flow: number): number {
  if (balancing?.detours.includes(true) !== true) return 0;
  const at = abi.simRegion(SIM_BALANCING) >>> 0;
  const view = new DataView(abi.memory.buffer);
  return view.getUint32(at + view.getUint32(at + layout.BALANCING_FLOWS_AT, true) + flow * 4, true);
}
