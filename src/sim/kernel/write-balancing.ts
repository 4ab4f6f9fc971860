/** Writes load balancing and source-port changes under `standard` into the kernel's memory, and reads their counters. */
import * as layout from '../../abi/balancing-layout.js';
import { SIM_NONE } from '../../abi/sim-codes.js';
import { SIM_BALANCING } from '../../abi/sim-regions.js';
import { keepsFlowlets, type BalancingPlan, type BalancingRule, type SelectionRule } from '../balancing-plan.js';
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
  'adaptive': layout.BALANCING_RULE_ADAPTIVE,
  'wcmp': layout.BALANCING_RULE_WCMP,
  'weighted-random': layout.BALANCING_RULE_WEIGHTED_RANDOM,
};

const SELECTION_RULES: Readonly<Record<SelectionRule, number>> = {
  flow: layout.SELECTION_RULE_FLOW,
  oblivious: layout.SELECTION_RULE_OBLIVIOUS,
  bitmap: layout.SELECTION_RULE_BITMAP,
  reps: layout.SELECTION_RULE_REPS,
};

const WORD_BYTES = 4;
const DOUBLE_BYTES = 8;

export function writeBalancing(abi: SimAbi, { balancing, groups }: NetworkPlan, { words }: BalancingLayout): void {
  if (balancing === undefined) return;
  const at = abi.simRegion(SIM_BALANCING) >>> 0;
  const view = new DataView(abi.memory.buffer);
  for (const [field, value] of words) view.setUint32(at + field, value, true);
  view.setFloat64(at + layout.BALANCING_GAP, balancing.flowletGapPs, true);
  view.setFloat64(at + layout.BALANCING_TAU, balancing.conga.tauPs, true);
  view.setFloat64(at + layout.BALANCING_AGEING, balancing.conga.ageingPs, true);
  view.setFloat64(at + layout.BALANCING_REFRESH, balancing.adaptive.refreshPs, true);
  view.setFloat64(at + layout.BALANCING_FREEZE, balancing.selection?.freezePs ?? 0, true);
  balancing.adaptive.thresholdsBytes.forEach((threshold, i) => {
    view.setFloat64(at + layout.BALANCING_THRESHOLDS + i * DOUBLE_BYTES, threshold, true);
  });
  const placeOf: PlaceOf = (field) => at + view.getUint32(at + field, true);
  if (balancing.rules.some((rule) => rule !== 'ecmp')) {
    writeRules(view, placeOf, balancing);
    writeWeights(view, placeOf(layout.BALANCING_GROUPS_AT), groups, balancing);
  }
  writeSelectors(view, placeOf, balancing);
  if (!balancing.detours.includes(true)) return;
  balancing.detours.forEach((does, node) => {
    view.setUint32(placeOf(layout.BALANCING_HOSTS_AT) + node * WORD_BYTES, Number(does), true);
  });
}

/** Address of a table, by the field of the header that has its place. */
type PlaceOf = (field: number) => number;

function writeRules(view: DataView, placeOf: PlaceOf, { rules, conga: { leaves } }: BalancingPlan): void {
  let table = 0;
  rules.forEach((rule, node) => {
    const own = placeOf(layout.BALANCING_NODES_AT) + node * layout.BALANCER_BYTES;
    const leaf = leaves.indexOf(node);
    view.setUint32(own + layout.BALANCER_RULE, RULES[rule], true);
    view.setUint32(own + layout.BALANCER_LEAF, leaf < 0 ? SIM_NONE : leaf, true);
    view.setUint32(own + layout.BALANCER_TABLE, keepsFlowlets(rule) ? table++ : 0, true);
  });
}

/** The sum of a group's weights, then the weights, in the words that other rules have for turns. */
function writeWeights(view: DataView, begin: number, groups: NetworkPlan['groups'], { weights }: BalancingPlan): void {
  let at = begin;
  groups.forEach((ports, group) => {
    const own = weights[group] ?? [];
    [own.reduce((sum, weight) => sum + weight, 0), ...own].forEach((word, i) => {
      view.setUint32(at + i * WORD_BYTES, word, true);
    });
    at += (1 + ports.length) * WORD_BYTES;
  });
}

function writeSelectors(view: DataView, placeOf: PlaceOf, { selection }: BalancingPlan): void {
  selection?.rules.forEach((rule, node) => {
    const own = placeOf(layout.BALANCING_SELECTORS_AT) + node * layout.SELECTOR_BYTES;
    view.setUint32(own + layout.SELECTOR_RULE, SELECTION_RULES[rule], true);
    view.setUint32(own + layout.SELECTOR_ENTROPIES, selection.entropies[node], true);
  });
}

/** How often a flow has changed its UDP source port; 0 if no host does. */
export function readDetours(abi: SimAbi, { balancing }: NetworkPlan, flow: number): number {
  if (balancing?.detours.includes(true) !== true) return 0;
  const at = abi.simRegion(SIM_BALANCING) >>> 0;
  const view = new DataView(abi.memory.buffer);
  return view.getUint32(at + view.getUint32(at + layout.BALANCING_FLOWS_AT, true) + flow * 4, true);
}
