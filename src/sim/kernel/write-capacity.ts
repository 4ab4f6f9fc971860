/** Writes the sizes of the parts of a network plan, before its memory is laid out. */
import { SIM_CAPACITY_ADDRESS } from '../../abi/layout.js';
import { writeSlots } from '../../abi/records/fields.js';
import { SIM_CAPACITY } from '../../abi/records/sim-capacity.js';
import { KERNEL_PARTS } from '../features/kernel-parts.js';
import type { NetworkPlan } from '../plan.js';
import type { CapacityValues } from './kernel-part.js';
import { layOut, type PlanLayouts } from './plan-layouts.js';
import type { SimAbi } from './sim-abi.js';
import { ROUTE_WORDS_PER_NODE } from '../../abi/records/routes.js';

/**
 * The wheel of the event queue reaches 2^24 ps (17 us); a slot is 2^10 ps up to 64 ports, and half of that for each
 * doubling, down to 2^7: so few events share a slot, however large the network is.
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

/** Of the network itself, and of agents. */
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

/** Log2 of picoseconds per slot of the event queue's wheel. */
export function slotShift({ ports }: NetworkPlan): number {
  let shift = SLOT_SHIFT_MAX;
  for (let count = ports.length; count > PORTS_OF_WIDEST_SLOTS && shift > SLOT_SHIFT_MIN; count /= 2) shift--;
  return shift;
}

/** Each host's port that flows leave by has a list of all flows that may join it. */
function listEntries({ reservedPerHost = 0, nodes }: NetworkPlan): number {
  return nodes.reduce((sum, { kind, portCount }) => (kind === 'host' ? sum + portCount * reservedPerHost : sum), 0);
}

function switchCount(plan: NetworkPlan): number {
  return plan.nodes.filter((node) => node.kind === 'switch').length;
}

function routeWords(plan: NetworkPlan): number {
  return plan.nodes.length * ROUTE_WORDS_PER_NODE + plan.routes.parts.columns.length * switchCount(plan);
}
