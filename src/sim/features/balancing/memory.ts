/** Writes load balancing and source-port changes under `standard` into the kernel's memory, and reads their counters. */
import * as records from '../../../abi/records/balancing.js';
import { readField, writeArray, writeFields } from '../../../abi/records/define-record.js';
import { SIM_BALANCING, SIM_NONE } from '../../../abi/sim-codes.js';
import type { KernelPart } from '../../kernel/kernel-part.js';
import type { SimAbi } from '../../kernel/sim-abi.js';
import type { NetworkPlan } from '../../plan.js';
import type { InferredLossState, MarkedProbeState } from '../../scenario/spec.js';
import type { BalancingLayout } from './layout.js';
import type { BalancingPlan, BitField, ProbesPlan, SelectionRule } from './plan.js';
import { RULE_FACTS } from './rules.js';
import { ALL_BITS } from './source-routes.js';

const SELECTION_RULES: Readonly<Record<SelectionRule, number>> = {
  flow: records.SELECTION_RULE_FLOW,
  oblivious: records.SELECTION_RULE_OBLIVIOUS,
  bitmap: records.SELECTION_RULE_BITMAP,
  reps: records.SELECTION_RULE_REPS,
  'entropy-states': records.SELECTION_RULE_ENTROPY_STATES,
};

const LOSS_STATES: Readonly<Record<InferredLossState, number>> = {
  'assumed-bad': records.ENTROPY_ASSUMED_BAD,
  'skip': records.ENTROPY_SKIP,
};

const MARKED_STATES: Readonly<Record<MarkedProbeState, number>> = {
  good: records.ENTROPY_GOOD,
  skip: records.ENTROPY_SKIP,
};

const WORD_BYTES = 4;

export const BALANCING_MEMORY: KernelPart = {
  capacity: ({ balancing, flows }, layouts) => ({
    balancing: layouts.balancing.bytes,
    probes: balancing?.selection?.states?.probes === undefined ? 0 : flows.length,
  }),
  write: (abi, plan, layouts) => {
    writeBalancing(abi, plan, layouts.balancing);
  },
};

function writeBalancing(abi: SimAbi, { balancing, groups }: NetworkPlan, { header }: BalancingLayout): void {
  if (balancing === undefined) return;
  const at = abi.simRegion(SIM_BALANCING) >>> 0;
  const view = new DataView(abi.memory.buffer);
  const { flowletGapPs: gapPs, conga: { tauPs, ageingPs }, adaptive, selection } = balancing;
  writeFields(view, at, records.BALANCING, {
    ...header,
    gapPs,
    tauPs,
    ageingPs,
    refreshPs: adaptive.refreshPs,
    freezePs: selection?.freezePs ?? 0,
  });
  if (selection?.states !== undefined) {
    const {
      skipPs,
      inferredLoss,
      probes,
      reserve,
      minActive,
      planes,
      planeBits = ALL_BITS,
      portRoomBytes: roomBytes,
      alwaysSkipMarks = 0,
    } = selection.states;
    writeFields(view, at, records.BALANCING, {
      reserve,
      minActive,
      planes,
      planeMask: maskOf(planeBits),
      planeShift: planeBits.offset,
      roomBytes,
      alwaysSkipMarks,
      skipPs: skipPs ?? 0,
      inferredLoss: LOSS_STATES[inferredLoss],
    });
    if (probes !== undefined) writeProbes(view, at, probes);
  }
  writeArray(view, at, records.BALANCING, 'thresholds', adaptive.thresholdsBytes);
  const placeOf: PlaceOf = (field) => at + readField(view, at, records.BALANCING, field);
  if (balancing.rules.some((rule) => rule !== 'ecmp')) {
    writeRules(view, placeOf, balancing);
    writeWeights(view, placeOf('groupsAt'), groups, balancing);
  }
  writeSelectors(view, placeOf, balancing);
  if (!balancing.detours.includes(true)) return;
  balancing.detours.forEach((does, node) => {
    view.setUint32(placeOf('hostsAt') + node * WORD_BYTES, Number(does), true);
  });
}

function writeProbes(view: DataView, at: number, { intervalPs, toReturn, marked, lenBytes }: ProbesPlan): void {
  writeFields(view, at, records.BALANCING, {
    probePs: intervalPs ?? 0,
    probesToReturn: toReturn,
    markedProbe: MARKED_STATES[marked],
    probeBytes: lenBytes,
  });
}

/** Returns the address of a table, given the header field that holds its offset. */
type PlaceOf = (field: 'nodesAt' | 'groupsAt' | 'hostsAt' | 'selectorsAt') => number;

function writeRules(view: DataView, placeOf: PlaceOf,
  { rules, strides, bits, conga: { leaves } }: BalancingPlan): void {
  let table = 0;
  rules.forEach((rule, node) => {
    const leaf = leaves.indexOf(node);
    const field = rule === 'entropy-bits' ? bits[node] : undefined;
    writeFields(view, placeOf('nodesAt') + node * records.BALANCER.bytes, records.BALANCER, {
      rule: RULE_FACTS[rule].code,
      leaf: leaf < 0 ? SIM_NONE : leaf,
      table: RULE_FACTS[rule].keepsFlowlets ? table++ : 0,
      stride: field === undefined ? strides[node] ?? 1 : 2 ** field.offset,
      mask: maskOf(field ?? ALL_BITS),
    });
  });
}

function maskOf({ offset, width }: BitField): number {
  return (2 ** width - 1) * 2 ** offset;
}

/** Writes the sum of a group's weights, then the weights, into the words that other rules use for round-robin positions. */
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
    writeFields(view, placeOf('selectorsAt') + node * records.SELECTOR.bytes, records.SELECTOR, {
      rule: SELECTION_RULES[rule],
      entropies: selection.entropies[node],
    });
  });
}

/** How often a flow has changed its UDP source port; 0 if no host does. */
export function readDetours(abi: SimAbi, { balancing }: NetworkPlan, flow: number): number {
  if (balancing?.detours.includes(true) !== true) return 0;
  const at = abi.simRegion(SIM_BALANCING) >>> 0;
  const view = new DataView(abi.memory.buffer);
  return view.getUint32(at + readField(view, at, records.BALANCING, 'flowsAt') + flow * WORD_BYTES, true);
}
