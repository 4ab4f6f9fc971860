/** Writes the sizes of the parts of a network plan, before its memory is laid out. */
import { SIM_CAPACITY_ADDRESS } from '../../abi/layout.js';
import { writeSlots } from '../../abi/records/fields.js';
import { SIM_CAPACITY } from '../../abi/records/sim-capacity.js';
import { streamSizes } from '../features/connections/plan.js';
import type { NetworkPlan } from '../plan.js';
import { layOut, type PlanLayouts } from './plan-layouts.js';
import type { SimAbi } from './sim-abi.js';
import { hazardCapacity } from '../features/hazards/write.js';
import { lossySizes } from '../features/reference-lossy/write.js';
import { linkEventCount } from '../features/hazards/write-link-events.js';
import { pointsCapacity } from '../features/points/write.js';
import { transportBytes } from '../features/transports/rings.js';
import { creditCapacity } from '../features/receiver-credit/write.js';
import { lossChecks, mtuOfHosts } from '../features/transports/write.js';
import { verbCapacity } from '../features/verbs/write.js';
import { wanCapacity } from '../features/wan/write.js';
import { ROUTE_WORDS_PER_NODE } from '../../abi/records/routes.js';

/**
 * The wheel of the event queue reaches 2^24 ps (17 us); a slot is 2^10 ps up to 64 ports, and half of that for each
 * doubling, down to 2^7: so few events share a slot, however large the network is.
 */
const WHEEL_SPAN_BITS = 24;
const SLOT_SHIFT_MAX = 10;
const SLOT_SHIFT_MIN = 7;
const PORTS_OF_WIDEST_SLOTS = 64;

/** Writes the sizes of the parts of a plan, before `initialise`. */
export function writeCapacity(abi: SimAbi, plan: NetworkPlan, traceRecords: number,
  { graph, leafPaths, balancing, messages }: PlanLayouts = layOut(plan)): void {
  const notifying = plan.nodes.filter((node) => node.kind === 'switch' && node.fastCnp);
  writeSlots(new DataView(abi.memory.buffer), SIM_CAPACITY_ADDRESS, SIM_CAPACITY, {
    nodes: plan.nodes.length,
    ports: plan.ports.length,
    flows: messages?.records ?? plan.flows.length,
    routeWords: routeWords(plan),
    switches: switchCount(plan),
    groupWords: plan.groups.reduce((words, group) => words + 1 + group.length, 0),
    linkEvents: linkEventCount(plan),
    traceRecords,
    congestionPoints: notifying.length,
    buckets: notifying.reduce((buckets, node) => buckets + node.portCount + plan.flows.length, 0),
    wheelBits: WHEEL_SPAN_BITS - slotShift(plan),
    ...lossySizes(plan, leafPaths),
    operations: graph.operations,
    edges: graph.edges,
    lanes: graph.lanes,
    channels: graph.channels,
    operationQueues: graph.queues,
    transportBytes: transportBytes(plan.transports, plan.flows,
      streamSizes(plan.flows, plan.connections, mtuOfHosts(plan)), mtuOfHosts(plan)),
    connections: plan.connections === undefined ? 0 : 1,
    lossChecks: lossChecks(plan),
    balancing: balancing.bytes,
    hazards: hazardCapacity(plan),
    pools: plan.pools === undefined ? 0 : 1,
    points: pointsCapacity(plan),
    messages: messages === undefined ? 0 : plan.flows.length,
    patterns: messages?.firstOf.length ?? 0,
    messageJobs: plan.jobs?.length ?? 0,
    endsWithJobs: plan.endsWithJobs === true ? 1 : 0,
    ...wanCapacity(plan),
    verbs: verbCapacity(plan),
    agents: plan.agents === true ? 1 : 0,
    reservedFlows: plan.reservedPerHost === undefined ? 0 : plan.flows.length,
    listEntries: listEntries(plan),
    trimming: plan.trimming === undefined ? 0 : 1,
    receiverCredit: creditCapacity(plan),
    probes: probingFlows(plan),
  });
}

/** Flows that have an event for probes. */
function probingFlows({ balancing, flows }: NetworkPlan): number {
  return balancing?.selection?.states?.probes === undefined ? 0 : flows.length;
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
