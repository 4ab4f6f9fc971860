/**
 * The features that use memory in the kernel, and the sizes of all parts of a plan, written before memory is laid out.
 */
import { SIM_CAPACITY_ADDRESS } from '../../abi/layout.js';
import { writeSlots } from '../../abi/records/define-record.js';
import { ROUTE_WORDS_PER_NODE } from '../../abi/records/network.js';
import { SIM_CAPACITY } from '../../abi/records/sim-run.js';
import { BALANCING_MEMORY } from '../features/balancing/memory.js';
import { CONNECTIONS_MEMORY } from '../features/connections/memory.js';
import { HAZARDS_MEMORY } from '../features/hazards/memory.js';
import { JOBS_MEMORY } from '../features/jobs/memory.js';
import { MESSAGES_MEMORY } from '../features/messages/memory.js';
import { POINTS_MEMORY } from '../features/points/memory.js';
import { POOLS_MEMORY } from '../features/pools.js';
import { RECEIVER_CREDIT_MEMORY } from '../features/receiver-credit.js';
import { LOSSY_MEMORY } from '../features/reference-lossy/memory.js';
import { TRANSPORTS_MEMORY } from '../features/transports/memory.js';
import { TRIMMING_MEMORY } from '../features/trimming.js';
import { VERBS_MEMORY } from '../features/verbs/memory.js';
import { WAN_MEMORY } from '../features/wan/memory.js';
import type { NetworkPlan } from '../plan.js';
import { type CapacityValues, layOut, type PlanLayouts, type KernelPart } from './kernel-part.js';
import type { SimAbi } from './sim-abi.js';

export const KERNEL_PARTS: readonly KernelPart[] = [
  HAZARDS_MEMORY,
  LOSSY_MEMORY,
  BALANCING_MEMORY,
  TRANSPORTS_MEMORY,
  TRIMMING_MEMORY,
  RECEIVER_CREDIT_MEMORY,
  CONNECTIONS_MEMORY,
  VERBS_MEMORY,
  POOLS_MEMORY,
  POINTS_MEMORY,
  WAN_MEMORY,
  MESSAGES_MEMORY,
  JOBS_MEMORY,
];

/**
 * The event queue's timing wheel spans 2^24 ps (17 us). A slot is 2^10 ps for up to 64 ports and halves with each doubling,
 * down to 2^7 ps, so that few events share a slot even in large networks.
 */
const WHEEL_SPAN_BITS = 24;
const SLOT_SHIFT_MAX = 10;
const SLOT_SHIFT_MIN = 7;
const PORTS_OF_WIDEST_SLOTS = 64;

/** Writes the sizes of a plan and of its features, before `initialise`. */
export function writeCapacity(abi: SimAbi, plan: NetworkPlan, traceRecords: number, layouts = layOut(plan)): void {
  const view = new DataView(abi.memory.buffer);
  writeSlots(view, SIM_CAPACITY_ADDRESS, SIM_CAPACITY, { ...sizes(plan, layouts), traceRecords });
  for (const { capacity } of KERNEL_PARTS) {
    if (capacity !== undefined) writeSlots(view, SIM_CAPACITY_ADDRESS, SIM_CAPACITY, capacity(plan, layouts));
  }
}

/** Sizes of the network itself and of agents. */
function sizes(plan: NetworkPlan, { messages }: PlanLayouts): CapacityValues {
  const notifying = plan.nodes.filter((node) => node.kind === 'switch' && node.fastCnp);
  return {
    nodes: plan.nodes.length,
    ports: plan.ports.length,
    flows: messages?.records ?? plan.flows.length,
    routeWords: routeWords(plan),
    switches: switchCount(plan),
    groupWords: plan.groups.reduce((words, group) => words + 1 + group.length, 0),
    congestionPoints: notifying.length,
    buckets: notifying.reduce((buckets, node) => buckets + node.portCount + plan.flows.length, 0),
    wheelBits: WHEEL_SPAN_BITS - slotShift(plan),
    agents: plan.agents === true,
    reservedFlows: plan.reservedPerHost === undefined ? 0 : plan.flows.length,
    listEntries: listEntries(plan),
  };
}

/** Log2 of the picoseconds per slot of the event queue's timing wheel. */
export function slotShift({ ports }: NetworkPlan): number {
  let shift = SLOT_SHIFT_MAX;
  for (let count = ports.length; count > PORTS_OF_WIDEST_SLOTS && shift > SLOT_SHIFT_MIN; count /= 2) shift--;
  return shift;
}

/** Number of entries of all lists of flows: each host port has one, with space for flows that may be added. */
function listEntries({ reservedPerHost = 0, nodes }: NetworkPlan): number {
  return nodes.reduce((sum, { kind, portCount }) => (kind === 'host' ? sum + portCount * reservedPerHost : sum), 0);
}

function switchCount(plan: NetworkPlan): number {
  return plan.nodes.filter((node) => node.kind === 'switch').length;
}

function routeWords(plan: NetworkPlan): number {
  return plan.nodes.length * ROUTE_WORDS_PER_NODE + plan.routes.parts.columns.length * switchCount(plan);
}
