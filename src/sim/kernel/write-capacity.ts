/** Writes the sizes of the parts of a network plan, before its memory is laid out. */
import { SIM_CAPACITY_AGENTS } from '../../abi/agent-layout.js';
import { SIM_CAPACITY_CONNECTIONS } from '../../abi/connection-layout.js';
import { SIM_CAPACITY_ADDRESS } from '../../abi/layout.js';
import { SIM_CAPACITY_MESSAGES, SIM_CAPACITY_MESSAGE_JOBS, SIM_CAPACITY_PATTERNS } from '../../abi/message-layout.js';
import { SIM_CAPACITY_POINTS } from '../../abi/custom-point-layout.js';
import { SIM_CAPACITY_POOLS } from '../../abi/pool-layout.js';
import { ROUTE_WORDS_PER_NODE, SIM_CAPACITY_SWITCHES } from '../../abi/route-layout.js';
import * as layout from '../../abi/sim-layout.js';
import { SIM_CAPACITY_VERBS } from '../../abi/verb-layout.js';
import { writeWords } from '../../engine/memory-views.js';
import { streamSizes } from '../connections-plan.js';
import type { NetworkPlan } from '../plan.js';
import { layOut, type PlanLayouts } from './plan-layouts.js';
import type { SimAbi } from './sim-abi.js';
import { hazardCapacity } from './write-hazards.js';
import { lossySizes } from './write-lossy.js';
import { pointsCapacity } from './write-points.js';
import { transportBytes } from '../transport-rings.js';
import { lossChecks, mtuOfHosts } from './write-transports.js';
import { verbCapacity } from './write-verbs.js';
import { wanCapacity } from './write-wan.js';

/**
 * The wheel of the event queue reaches 2^24 ps (17 us); a slot is 2^10 ps up to 64 ports, and half of that for each
 * doubling, down to 2^7: so few events share a slot, however large the network is.
 */
const WHEEL_SPAN_BITS = 24;
const SLOT_SHIFT_MAX = 10;
const SLOT_SHIFT_MIN = 7;
const PORTS_OF_WIDEST_SLOTS = 64;
const CAPACITY_FIELDS = {
  nodes: layout.SIM_CAPACITY_NODES,
  ports: layout.SIM_CAPACITY_PORTS,
  flows: layout.SIM_CAPACITY_FLOWS,
  routeWords: layout.SIM_CAPACITY_ROUTE_WORDS,
  groupWords: layout.SIM_CAPACITY_GROUP_WORDS,
  linkEvents: layout.SIM_CAPACITY_LINK_EVENTS,
  traceRecords: layout.SIM_CAPACITY_TRACE_RECORDS,
  congestionPoints: layout.SIM_CAPACITY_CONGESTION_POINTS,
  buckets: layout.SIM_CAPACITY_BUCKETS,
  wheelBits: layout.SIM_CAPACITY_WHEEL_BITS,
  lossy: layout.SIM_CAPACITY_LOSSY,
  paths: layout.SIM_CAPACITY_PATHS,
  pathWords: layout.SIM_CAPACITY_PATH_WORDS,
  flowlets: layout.SIM_CAPACITY_FLOWLETS,
  forcedDrops: layout.SIM_CAPACITY_FORCED_DROPS,
  generators: layout.SIM_CAPACITY_GENERATORS,
  drill: layout.SIM_CAPACITY_DRILL,
  operations: layout.SIM_CAPACITY_OPERATIONS,
  edges: layout.SIM_CAPACITY_EDGES,
  lanes: layout.SIM_CAPACITY_LANES,
  channels: layout.SIM_CAPACITY_CHANNELS,
  queues: layout.SIM_CAPACITY_OPERATION_QUEUES,
  transportBytes: layout.SIM_CAPACITY_TRANSPORT_BYTES,
  lossChecks: layout.SIM_CAPACITY_LOSS_CHECKS,
  balancing: layout.SIM_CAPACITY_BALANCING,
  hazards: layout.SIM_CAPACITY_HAZARDS,
  pools: SIM_CAPACITY_POOLS,
  points: SIM_CAPACITY_POINTS,
  connections: SIM_CAPACITY_CONNECTIONS,
  messages: SIM_CAPACITY_MESSAGES,
  patterns: SIM_CAPACITY_PATTERNS,
  messageJobs: SIM_CAPACITY_MESSAGE_JOBS,
  endsWithJobs: layout.SIM_CAPACITY_ENDS_WITH_JOBS,
  services: layout.SIM_CAPACITY_SERVICES,
  arnPorts: layout.SIM_CAPACITY_ARN_PORTS,
  arnKeys: layout.SIM_CAPACITY_ARN_KEYS,
  switches: SIM_CAPACITY_SWITCHES,
  verbs: SIM_CAPACITY_VERBS,
  agents: SIM_CAPACITY_AGENTS,
  reservedFlows: layout.SIM_CAPACITY_RESERVED_FLOWS,
  listEntries: layout.SIM_CAPACITY_LIST_ENTRIES,
};

/** Writes the sizes of the parts of a plan, before `initialise`. */
export function writeCapacity(abi: SimAbi, plan: NetworkPlan, traceRecords: number,
  { graph, leafPaths, balancing, messages }: PlanLayouts = layOut(plan)): void {
  const notifying = plan.nodes.filter((node) => node.kind === 'switch' && node.fastCnp);
  writeWords(abi.memory.buffer, SIM_CAPACITY_ADDRESS, CAPACITY_FIELDS, {
    nodes: plan.nodes.length,
    ports: plan.ports.length,
    flows: messages?.records ?? plan.flows.length,
    routeWords: routeWords(plan),
    switches: switchCount(plan),
    groupWords: plan.groups.reduce((words, group) => words + 1 + group.length, 0),
    linkEvents: plan.linkEvents.length,
    traceRecords,
    congestionPoints: notifying.length,
    buckets: notifying.reduce((buckets, node) => buckets + node.portCount + plan.flows.length, 0),
    wheelBits: WHEEL_SPAN_BITS - slotShift(plan),
    ...lossySizes(plan, leafPaths),
    operations: graph.operations,
    edges: graph.edges,
    lanes: graph.lanes,
    channels: graph.channels,
    queues: graph.queues,
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
  });
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
