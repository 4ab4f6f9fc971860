/**
 * Estimates, before a run begins: the memory that compiling and running a scenario takes, and the packets and transmissions of a
 * compiled one. Memory is rough and rather too high: a star of 65,534 hosts is estimated at 416 MB and takes 321 MB on Node 20
 * (`process.memoryUsage().rss`). Networks whose tables of routes would not fit are rejected before the tables are made.
 */
import { READS_CREDIT } from '../../abi/algorithms.js';
import { READY_FLOW_BYTES, READY_QP_BYTES, READY_QPS_MAX } from '../../abi/sim-codes.js';
import { FLOWLET, FLOWLETS_MAX, FLOW_ENTROPIES, SENT_ENTROPIES } from '../../abi/records/balancing.js';
import { QP_MESSAGE, QP_STREAM, CREDIT_FLOW, FLOW_VERB } from '../../abi/records/flows.js';
import { checkRecord, reject } from '../../config/field-rules.js';
import { BITS_PER_BYTE, PS_PER_SECOND } from '../../units.js';
import { stateBytes } from '../features/balancing/plan.js';
import { RULE_FACTS } from '../features/balancing/rules.js';
import type { NetworkPlan } from '../plan.js';
import { DEFAULT_ENTROPIES } from '../scenario/defaults.js';
import { rejectScenario } from '../scenario/scenario-error.js';
import type { ValidScenario } from '../scenario/valid-scenario.js';
import type { Network } from '../topology/network.js';
import type { CompiledScenario, FlowPaths } from './compiled-scenario.js';
import { factsOfScenario } from './parameter-sets.js';

/** The program itself, and the JavaScript engine's code and tables. */
const BASE_BYTES = 120e6;
/** In the kernel: the flow and its QP with table entries. Algorithms that keep telemetry per hop need more. */
const KERNEL_BYTES_PER_FLOW = 612;
const KERNEL_BYTES_PER_TELEMETRY_FLOW = 1432;
/** Outside the kernel: columns, the path, the result. */
const RESULT_BYTES_PER_FLOW = 620;
/** Messages that share records. In the kernel: size, ports and pattern; outside it: columns and the path. */
const KERNEL_BYTES_PER_MESSAGE = 24;
const BYTES_PER_MESSAGE = 220;
/** Operations of jobs. In the kernel: the record; outside it: the graph and the results. */
const KERNEL_BYTES_PER_OPERATION = 130;
const BYTES_PER_OPERATION = 130;
const BYTES_PER_NODE = 2000;
const BYTES_PER_LINK = 2500;
/** One entry in the compiler's table and one in the kernel's. */
const BYTES_PER_ROUTE = 8;
const BYTES_PER_DISTANCE = 2;

/** Maximum entries of a table of routes that fits into memory. */
const ROUTES_MAX = 2 ** 25;
/** Maximum distances; each takes two bytes. */
const DISTANCES_MAX = 2 ** 28;

/** Maximum linear memory of WebAssembly. */
const KERNEL_MAX_BYTES = 2 ** 32;

type Sized = Pick<ValidScenario, 'network' | 'algorithms'> & {
  readonly flows: { readonly length: number; readonly areQpsShared?: boolean; readonly haveVerbs?: boolean };
  readonly jobs?: ValidScenario['jobs'];
  readonly record?: ValidScenario['record'];
  readonly switches?: ValidScenario['switches'];
  readonly hosts?: ValidScenario['hosts'];
  readonly hostOverrides?: ValidScenario['hostOverrides'];
  readonly faults?: ValidScenario['faults'];
};

/** Estimated bytes, to within a factor of two. */
export function estimateMemoryBytes(valid: Sized): number {
  const { network } = valid;
  return BASE_BYTES + kernelBytes(valid) + resultBytes(valid) +
    operationsOf(valid) * BYTES_PER_OPERATION +
    network.nodes.length * BYTES_PER_NODE +
    network.links.length * BYTES_PER_LINK + routeCount(network) * BYTES_PER_ROUTE +
    distanceCount(valid) * BYTES_PER_DISTANCE + bytesOfFlowlets(valid) + bytesOfEntropies(valid);
}

function sharesRecords({ record }: Sized): boolean {
  return record?.messages === 'sums';
}

function resultBytes(valid: Sized): number {
  return valid.flows.length * (sharesRecords(valid) ? BYTES_PER_MESSAGE : RESULT_BYTES_PER_FLOW);
}

/** One table per switch with flowlet switching. */
function bytesOfFlowlets({ switches = [], flows }: Sized): number {
  const tables = switches.filter((one) => one !== null && RULE_FACTS[one.balancingRule].keepsFlowlets).length;
  return tables * Math.min(FLOWLETS_MAX, flows.length) * FLOWLET.bytes;
}

/** One record per flow if any host chooses paths per packet, with a penalty or state per entropy if its rule needs one. */
function bytesOfEntropies({ hosts, hostOverrides = [], flows }: Sized): number {
  const rules = new Set([hosts?.pathSelection, ...hostOverrides.map((own) => own?.pathSelection)]);
  const ofBitmap = rules.has('bitmap') ? 2 * SENT_ENTROPIES + (hosts?.entropies ?? DEFAULT_ENTROPIES.bitmap) : 0;
  const ofStates = rules.has('entropy-states') ?
    stateBytes(hosts?.entropies ?? DEFAULT_ENTROPIES['entropy-states'], hosts?.entropyStates.reserve ?? 0) :
    0;
  const isUsed = rules.has('oblivious') || rules.has('bitmap') || rules.has('reps') || rules.has('entropy-states');
  return isUsed ? flows.length * (FLOW_ENTROPIES.bytes + Math.max(ofBitmap, ofStates)) : 0;
}

/** One record per flow if any QP has several messages, and another if any flow is not a WRITE. */
function bytesOfQps({ flows: { length, areQpsShared = false, haveVerbs = false } }: Sized): number {
  return length * ((areQpsShared ? QP_MESSAGE.bytes + QP_STREAM.bytes : 0) + (haveVerbs ? FLOW_VERB.bytes : 0));
}

/** One record per flow if receivers grant credit. */
function bytesOfCredit({ algorithms, flows }: Sized): number {
  const isGranted = algorithms.some((one) => (factsOfScenario(one).traits & READS_CREDIT) !== 0);
  return isGranted ? flows.length * CREDIT_FLOW.bytes : 0;
}

function operationsOf({ jobs = [] }: Sized): number {
  return jobs.reduce((sum, { graph }) => sum + graph.length, 0);
}

function kernelBytes(valid: Sized): number {
  const ready = valid.flows.length > READY_QPS_MAX ? 0 : valid.flows.length * (READY_QP_BYTES + READY_FLOW_BYTES);
  return kernelBytesOfFlows(valid) + bytesOfQps(valid) + bytesOfCredit(valid) + ready +
    operationsOf(valid) * KERNEL_BYTES_PER_OPERATION;
}

function kernelBytesOfFlows(valid: Sized): number {
  const { flows, algorithms, record } = valid;
  const keepsTelemetry = algorithms.some((one) => factsOfScenario(one).telemetry !== undefined);
  const isShared = sharesRecords(valid);
  const records = isShared ? Math.min(flows.length, record?.messageRecords ?? Infinity) : flows.length;
  return (isShared ? flows.length * KERNEL_BYTES_PER_MESSAGE : 0) +
    records * (keepsTelemetry ? KERNEL_BYTES_PER_TELEMETRY_FLOW : KERNEL_BYTES_PER_FLOW);
}

/** @throws RoceError `invalid-scenario` if the scenario would not fit into memory; the error names the part that needs most. */
export function requireMemory(valid: Sized, maxBytes: number): void {
  checkRecord(valid, 'valid');
  if (typeof maxBytes !== 'number' || Number.isNaN(maxBytes))
    reject({ got: maxBytes, allowed: { min: 0, unit: 'bytes' }, where: 'maxBytes' });
  const ofFlows = kernelBytes(valid);
  if (ofFlows > KERNEL_MAX_BYTES) {
    rejectScenario({
      what: 'the memory of flows and operations in the kernel',
      got: ofFlows,
      allowed: { max: KERNEL_MAX_BYTES, unit: 'bytes' },
      where: 'workload',
      hint: 'That is all that WebAssembly can address: run parts of the workload one by one',
    });
  }
  const got = estimateMemoryBytes(valid);
  if (got <= maxBytes) return;
  const isFlows = ofFlows + resultBytes(valid) > got / 2;
  rejectScenario({
    what: 'the memory that the scenario needs',
    got: Math.round(got),
    allowed: { max: Math.round(maxBytes), unit: 'bytes' },
    where: isFlows ? 'workload' : 'topology',
    hint: 'The limit is set by --max-memory',
  });
}

/** @throws RoceError `invalid-scenario` if the tables of routes and distances would be too large. */
export function requireRoomForRoutes(valid: Pick<ValidScenario, 'network' | 'faults'>): void {
  const routes = routeCount(valid.network);
  if (routes > ROUTES_MAX) {
    rejectScenario({
      what: 'the size of the table of routes',
      got: routes,
      allowed: { max: ROUTES_MAX },
      where: 'topology',
      hint:
        'The table has an entry at each switch, and at each host of several links, for each switch with hosts and for each host of several links',
    });
  }
  const distances = distanceCount(valid);
  if (distances <= DISTANCES_MAX) return;
  rejectScenario({
    what: 'the size of the table of distances',
    got: distances,
    allowed: { max: DISTANCES_MAX },
    where: 'faults',
    hint: 'Links that go down need a table with an entry for each node at each switch',
  });
}

/** Number of entries of the route table. */
export function routeCount(network: Network): number {
  const { nodes, links, routes, wan } = network;
  const degree = new Int32Array(nodes.length);
  const attached = new Int32Array(nodes.length);
  for (const { from, to } of links) {
    degree[from]++;
    degree[to]++;
    attached[from] = to;
    attached[to] = from;
  }
  const rows = nodes.filter(({ kind }, node) => kind === 'switch' || degree[node] > 1).length;
  const ofOne = network.hosts.filter((host) => degree[host] === 1);
  const tunnelEnds = wan === undefined ? [] : [...wan.edges.flat(), ...wan.routers];
  const shared = new Set([...ofOne.map((host) => attached[host]), ...tunnelEnds]).size;
  const named = new Set(routes.map(({ destination }) => destination)).size;
  return rows * (network.hosts.length - ofOne.length + shared + named);
}

/** Number of entries of the kernel's distance table, which exists only if links go down. */
function distanceCount(
  { network: { nodes }, faults = [] }: Pick<ValidScenario, 'network'> & Partial<Pick<ValidScenario, 'faults'>>,
): number {
  if (!faults.some(({ kind }) => kind === 'link-down')) return 0;
  return nodes.length * nodes.filter(({ kind }) => kind === 'switch').length;
}

/** The estimated size of a run. */
export interface RunEstimate {
  /** Flows and messages. */
  readonly flows: number;
  /** Number of data packets. */
  readonly dataPackets: number;
  /** Transmissions of data and ACKs, summed over all ports. */
  readonly packetHops: number;
  /** Memory of the packets in flight, in addition to `estimateMemoryBytes`, bytes. */
  readonly packetMemoryBytes: number;
  /** Start of the first flow and latest end of the run, picoseconds. */
  readonly startPs: number;
  readonly endPs: number;
}

/** Share of a switch's memory that one port's queue takes before pauses stop the senders. */
const QUEUED_SHARE = 1 / 16;
/** Sizes of SimPacket and of a hop's telemetry record (src/abi/records/network.ts). */
const PACKET_BYTES = 64;
const HOP_BYTES = 20;
const TELEMETRY_HOPS_MAX = 16;

/**
 * Estimates the data packets, transmissions and memory of a run from its plan, each to within a factor of two if nothing is
 * retransmitted.
 *
 *   packets of a flow = ceil(bytes / MTU)
 *   packet hops       = packets * (ports of data + ports of ACKs), a packet acknowledged by one ACK
 *
 *   in flight         = sum of min(bytes, window) * ideal time / time of all flows, at most what switches can hold
 *
 * Bytes are the flow's size, or what its ports can carry until the run ends, if that is less. Marks, pauses and CNPs are
 * ignored. The memory comes in addition to `estimateMemoryBytes`.
 */
export function estimateRun({ plan, flowPaths }: Pick<CompiledScenario, 'plan' | 'flowPaths'>): RunEstimate {
  const startPs = plan.flows.startPs.reduce((least, one) => Math.min(least, one), plan.endPs);
  const share = shareOfPorts(plan, flowPaths, plan.endPs - startPs);
  let [dataPackets, packetHops] = [0, 0];
  for (let flow = 0; flow < plan.flows.length; flow++) {
    const path = flowPaths.get(flow);
    const part = path.reduce((least, port) => Math.min(least, share[port]), 1);
    const packets = Math.ceil((part * bytesUntilEnd(plan, flow)) / mtuOf(plan, flow));
    dataPackets += packets;
    packetHops += packets * path.length * (1 + acksPerPacket(plan, plan.flows.sizeBytes[flow]));
  }
  return {
    flows: plan.flows.length,
    dataPackets,
    packetHops,
    packetMemoryBytes: packetsInFlight(plan, startPs) * recordBytes(plan),
    startPs,
    endPs: plan.endPs,
  };
}

/**
 * Mean packets in flight by Little's law, as if each flow's bytes (at most its window) were in the network for its ideal time.
 */
function packetsInFlight(plan: NetworkPlan, startPs: number): number {
  const { flows, nodes, rules } = plan;
  let [byteTimes, lastPs] = [0, startPs];
  for (let flow = 0; flow < flows.length; flow++) {
    const { [flow]: windowBytes } = flows.windowBytes;
    const bytes = bytesUntilEnd(plan, flow);
    byteTimes += (windowBytes > 0 ? Math.min(bytes, windowBytes) : bytes) * flows.idealPs[flow];
    lastPs = Math.max(lastPs, flows.startPs[flow] + flows.idealPs[flow]);
  }
  const heldBytes = nodes.reduce((sum, { kind, bufferBytes }) => sum + (kind === 'switch' ? bufferBytes : 0), 0);
  const bytes = lastPs > startPs ? byteTimes / (lastPs - startPs) : 0;
  return Math.min(bytes, heldBytes) / rules.mtuBytes;
}

/** Bytes of a packet in the kernel, including telemetry per switch if enabled. */
function recordBytes({ rules: { telemetry }, mostSwitches = TELEMETRY_HOPS_MAX }: NetworkPlan): number {
  return PACKET_BYTES + (telemetry === 'none' ? 0 : Math.min(mostSwitches, TELEMETRY_HOPS_MAX) * HOP_BYTES);
}

/** Share of the offered bytes that each port can send or queue before the run ends; at most 1. Indexed by port. */
function shareOfPorts(plan: NetworkPlan, flowPaths: FlowPaths, lengthPs: number): Float64Array {
  const wanted = new Float64Array(plan.ports.length);
  for (let flow = 0; flow < plan.flows.length; flow++) {
    const bytes = bytesUntilEnd(plan, flow);
    for (const port of flowPaths.get(flow)) wanted[port] += bytes;
  }
  return wanted.map((bytes, port) => {
    const { node, rateBps } = plan.ports[port];
    const carriedBytes = bytesIn(lengthPs, rateBps) + plan.nodes[node].bufferBytes * QUEUED_SHARE;
    return bytes > carriedBytes ? carriedBytes / bytes : 1;
  });
}

/** Bytes of a flow that its host can send before the run ends. */
function bytesUntilEnd({ flows, ports, endPs }: NetworkPlan, flow: number): number {
  const { rateBps } = ports[flows.sourcePort[flow]];
  return Math.min(flows.sizeBytes[flow], bytesIn(Math.max(0, endPs - flows.startPs[flow]), rateBps));
}

function bytesIn(timePs: number, rateBps: number): number {
  return (timePs / PS_PER_SECOND) * (rateBps / BITS_PER_BYTE);
}

function mtuOf({ flows, nodes, rules }: NetworkPlan, flow: number): number {
  return nodes[flows.source[flow]].mtuBytes ?? rules.mtuBytes;
}

/** ACKs per data packet: 1, or less in flows that acknowledge only whole chunks. */
function acksPerPacket({ rules: { delayedAck, mtuBytes } }: NetworkPlan, sizeBytes: number): number {
  if (delayedAck === undefined || sizeBytes > delayedAck.upToBytes) return 1;
  return Math.min(1, mtuBytes / delayedAck.chunkBytes);
}
