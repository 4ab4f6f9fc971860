/**
 * Layout of the kernel's load balancing tables under `standard`, derived from a plan: the header to write, and the region's
 * length. Fields: src/abi/records/balancing.ts.
 */
import { BALANCER, BALANCING, ESTIMATE, FLOWLET, FLOWLETS_MAX, FLOW_ENTROPIES, PATH_ENTRY, QUEUE_CLASS, SELECTOR,
  SENT_ENTROPIES } from '../../../abi/records/balancing.js';
import type { FieldValues } from '../../../abi/records/define-record.js';
import { stateBytes, type BalancingPlan, type SelectionPlan, type SelectionRule } from './plan.js';
import { RULE_FACTS } from './rules.js';
import type { NetworkPlan } from '../../plan.js';

const WORD_BYTES = 4;

/** The region's length and its header, which states where each table begins. */
export interface BalancingLayout {
  /** Length of the region; 0: no region. */
  readonly bytes: number;
  /** Fields of the header: sizes, and each table's offset from the start of the region. */
  readonly header: FieldValues<typeof BALANCING.fields>;
}

const NONE: BalancingLayout = { bytes: 0, header: {} };

export function layOutBalancing(plan: NetworkPlan): BalancingLayout {
  const { balancing } = plan;
  if (balancing === undefined) return NONE;
  const { rules, conga: { leaves }, detours, drill, adaptive, selection } = balancing;
  const flowlets = Math.min(FLOWLETS_MAX, plan.flows.length);
  const uplinks = uplinksMost(plan, leaves);
  const tables = placesOf(lengths(plan, balancing, flowlets, uplinks));
  return {
    bytes: tables.bytes,
    header: {
      any: rules.some((rule) => rule !== 'ecmp'),
      detours: detours.includes(true),
      samples: drill.samples,
      memory: drill.memory,
      flowlets,
      leaves: leaves.length,
      uplinks,
      thresholdCount: adaptive.thresholdsBytes.length,
      selects: selection !== undefined,
      entropiesBytes: entropiesBytes(selection),
      explore: selection?.explorePackets ?? 0,
      ...tables.header,
    },
  };
}

/** Bytes of each table, by the name of the header field that holds its offset. */
function lengths({ nodes, ports, flows, groups, messageRecords = Infinity }: NetworkPlan,
  { rules, conga: { leaves }, detours, selection }: BalancingPlan, flowlets: number,
  uplinks: number): Readonly<Record<string, number>> {
  const isBalanced = rules.some((rule) => rule !== 'ecmp');
  const pairs = leaves.length ** 2;
  const detoured = Number(detours.includes(true));
  return {
    nodesAt: isBalanced ? nodes.length * BALANCER.bytes : 0,
    flowletsAt: rules.filter((rule) => RULE_FACTS[rule].keepsFlowlets).length * flowlets * FLOWLET.bytes,
    portsAt: leaves.length > 0 ? ports.length * ESTIMATE.bytes : 0,
    toLeafAt: pairs * uplinks * PATH_ENTRY.bytes,
    fromLeafAt: pairs * uplinks * PATH_ENTRY.bytes,
    feedbackAt: pairs * WORD_BYTES,
    groupsAt: isBalanced ? groups.reduce((words, group) => words + 1 + group.length, 0) * WORD_BYTES : 0,
    flowsAt: detoured * flows.length * WORD_BYTES,
    hostsAt: detoured * nodes.length * WORD_BYTES,
    classesAt: rules.includes('adaptive') ? ports.length * QUEUE_CLASS.bytes : 0,
    selectorsAt: selection === undefined ? 0 : nodes.length * SELECTOR.bytes,
    entropiesAt: Math.min(messageRecords, flows.length) * entropiesBytes(selection),
    deniedAt: deniedBytes(selection),
  } satisfies BalancingLayout['header'];
}

/** One byte per entropy of a flow if a controller denies any. */
function deniedBytes(selection: SelectionPlan | undefined): number {
  if (selection?.states?.denials === undefined) return 0;
  return selection.states.reserve + mostEntropies(selection, 'entropy-states');
}

function mostEntropies({ rules, entropies }: SelectionPlan, which: SelectionRule): number {
  return rules.reduce((all, rule, node) => rule === which ? Math.max(all, entropies[node]) : all, 0);
}

/** Bytes of a flow's entropies, the maximum over all hosts; a multiple of 16. */
export function entropiesBytes(selection: SelectionPlan | undefined): number {
  if (selection === undefined) return 0;
  const { states } = selection;
  const most = mostEntropies(selection, 'bitmap');
  const ofBitmap = most === 0 ? 0 : 2 * SENT_ENTROPIES + most;
  const ofStates = states === undefined ? 0 : stateBytes(mostEntropies(selection, 'entropy-states'), states.reserve);
  return FLOW_ENTROPIES.bytes + Math.ceil(Math.max(ofBitmap, ofStates) / 16) * 16;
}

/** Puts the tables one after the other, each at a multiple of 16 bytes. */
function placesOf(tables: Readonly<Record<string, number>>): BalancingLayout {
  let bytes = BALANCING.bytes;
  const places = Object.entries(tables).map(([field, length]) => {
    const place = [field, bytes] as const;
    bytes += Math.ceil(length / 16) * 16;
    return place;
  });
  return { bytes, header: Object.fromEntries(places) };
}

/** Maximum number of ports that a leaf has towards other switches. */
function uplinksMost(plan: NetworkPlan, leaves: readonly number[]): number {
  return leaves.reduce((most, leaf) => Math.max(most, uplinksOf(plan, leaf)), 0);
}

/** Ports of a switch towards other switches. */
export function uplinksOf({ nodes, ports }: NetworkPlan, node: number): number {
  const { firstPort, portCount } = nodes[node];
  return ports.slice(firstPort, firstPort + portCount)
    .filter(({ peerPort }) => nodes[ports[peerPort].node].kind === 'switch').length;
}
