/**
 * Layout of load balancing's tables under `standard` in the kernel, derived from a plan: the header that is written, and the
 * length of the region. Fields: src/abi/balancing-layout.ts.
 */
import * as layout from '../../abi/balancing-layout.js';
import { keepsFlowlets, type BalancingPlan, type SelectionPlan } from '../balancing-plan.js';
import type { NetworkPlan } from '../plan.js';

const WORD_BYTES = 4;

/** Lengths of the tables; the place of each, in bytes from the start of the region. */
export interface BalancingLayout {
  /** Of the region; 0: there is none. */
  readonly bytes: number;
  /** Words of the header, by their place. */
  readonly words: readonly (readonly [number, number])[];
}

const NONE: BalancingLayout = { bytes: 0, words: [] };

export function layOutBalancing(plan: NetworkPlan): BalancingLayout {
  const { balancing } = plan;
  if (balancing === undefined) return NONE;
  const { rules, conga: { leaves }, detours, drill, adaptive, selection } = balancing;
  const flowlets = Math.min(layout.FLOWLETS_MAX, plan.flows.length);
  const uplinks = uplinksMost(plan, leaves);
  const tables = placesOf(lengths(plan, balancing, flowlets, uplinks));
  return {
    bytes: tables.bytes,
    words: [
      [layout.BALANCING_ANY, Number(rules.some((rule) => rule !== 'ecmp'))],
      [layout.BALANCING_DETOURS, Number(detours.includes(true))],
      [layout.BALANCING_SAMPLES, drill.samples],
      [layout.BALANCING_MEMORY, drill.memory],
      [layout.BALANCING_FLOWLETS, flowlets],
      [layout.BALANCING_LEAVES, leaves.length],
      [layout.BALANCING_UPLINKS, uplinks],
      [layout.BALANCING_THRESHOLD_COUNT, adaptive.thresholdsBytes.length],
      [layout.BALANCING_SELECTS, Number(selection !== undefined)],
      [layout.BALANCING_ENTROPIES_BYTES, entropiesBytes(selection)],
      [layout.BALANCING_EXPLORE, selection?.explorePackets ?? 0],
      ...tables.words,
    ],
  };
}

/** Bytes of each table, by the field that has its place. */
function lengths({ nodes, ports, flows, groups, messageRecords = Infinity }: NetworkPlan,
  { rules, conga: { leaves }, detours, selection }: BalancingPlan, flowlets: number,
  uplinks: number): readonly (readonly [number, number])[] {
  const isBalanced = rules.some((rule) => rule !== 'ecmp');
  const pairs = leaves.length ** 2;
  const detoured = Number(detours.includes(true));
  return [
    [layout.BALANCING_NODES_AT, isBalanced ? nodes.length * layout.BALANCER_BYTES : 0],
    [layout.BALANCING_FLOWLETS_AT, rules.filter(keepsFlowlets).length * flowlets * layout.FLOWLET_ENTRY_BYTES],
    [layout.BALANCING_PORTS_AT, leaves.length > 0 ? ports.length * layout.ESTIMATE_BYTES : 0],
    [layout.BALANCING_TO_LEAF_AT, pairs * uplinks * layout.CONGA_ENTRY_BYTES],
    [layout.BALANCING_FROM_LEAF_AT, pairs * uplinks * layout.CONGA_ENTRY_BYTES],
    [layout.BALANCING_FEEDBACK_AT, pairs * WORD_BYTES],
    [
      layout.BALANCING_GROUPS_AT,
      isBalanced ? groups.reduce((words, group) => words + 1 + group.length, 0) * WORD_BYTES : 0,
    ],
    [layout.BALANCING_FLOWS_AT, detoured * flows.length * WORD_BYTES],
    [layout.BALANCING_HOSTS_AT, detoured * nodes.length * WORD_BYTES],
    [layout.BALANCING_CLASSES_AT, rules.includes('adaptive') ? ports.length * layout.QUEUE_CLASS_BYTES : 0],
    [layout.BALANCING_SELECTORS_AT, selection === undefined ? 0 : nodes.length * layout.SELECTOR_BYTES],
    [layout.BALANCING_ENTROPIES_AT, Math.min(messageRecords, flows.length) * entropiesBytes(selection)],
  ];
}

/** Bytes of a flow's entropies, of whichever host it is; a multiple of 16. */
export function entropiesBytes(selection: SelectionPlan | undefined): number {
  if (selection === undefined) return 0;
  const { rules, entropies } = selection;
  const most = rules.reduce((all, rule, node) => rule === 'bitmap' ? Math.max(all, entropies[node]) : all, 0);
  const ofBitmap = most === 0 ? 0 : 2 * layout.SENT_ENTROPIES + Math.ceil(most / 16) * 16;
  return layout.FLOW_ENTROPIES_BYTES + ofBitmap;
}

/** Consecutive, each at a multiple of 16 bytes. */
function placesOf(tables: readonly (readonly [number, number])[]): BalancingLayout {
  let bytes: number = layout.BALANCING_HEADER_BYTES;
  const words = tables.map(([field, length]) => {
    const place = [field, bytes] as const;
    bytes += Math.ceil(length / 16) * 16;
    return place;
  });
  return { bytes, words };
}

/** Ports towards other switches, of the leaf with most. */
function uplinksMost(plan: NetworkPlan, leaves: readonly number[]): number {
  return leaves.reduce((most, leaf) => Math.max(most, uplinksOf(plan, leaf)), 0);
}

/** Ports of a switch towards other switches. */
export function uplinksOf({ nodes, ports }: NetworkPlan, node: number): number {
  const { firstPort, portCount } = nodes[node];
  return ports.slice(firstPort, firstPort + portCount)
    .filter(({ peerPort }) => nodes[ports[peerPort].node].kind === 'switch').length;
}
