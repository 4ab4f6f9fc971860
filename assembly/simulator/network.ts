/**
 * The network's records, in memory regions after the engine's, and its rules as globals.
 */
import { SIM_CAPACITY_ADDRESS } from '../../src/abi/layout';
import { SIM_FLOWS, SIM_GROUPS, SIM_LINK_EVENTS, SIM_LISTS, SIM_NODES, SIM_PORTS, SIM_RULES, SIM_STARTS, SIM_TOTALS,
  SIM_TRACE } from '../../src/abi/sim-codes';
import { allocate } from '../memory/map';
import { publish } from './regions';
import { SIM_CAPACITY_FLOWS, SIM_CAPACITY_GROUP_WORDS, SIM_CAPACITY_LINK_EVENTS, SIM_CAPACITY_LIST_ENTRIES,
  SIM_CAPACITY_MESSAGES, SIM_CAPACITY_NODES, SIM_CAPACITY_PORTS, SIM_CAPACITY_TRACE_RECORDS, RULE_ACK_PAUSE_CLASS,
  RULE_CNP_BYTES, RULE_CNP_CLASS, RULE_CNP_PACKETS, RULE_COUNT, RULE_FAST_CNP_BYTES, RULE_FAST_CNP_TELEMETRY,
  RULE_FIRST_COME_MASK, RULE_GUARANTEED_CLASSES, RULE_HOPS, RULE_INT_MULTIPLIER, RULE_MARK_AT_ENQUEUE,
  RULE_MARK_ECT_ONLY, RULE_NAK_INTERVAL_PS, RULE_PACING, RULE_PAUSE_BYTES, RULE_REFERENCE, RULE_RESERVED_BYTES,
  RULE_RESUME_OFFSET_BYTES, RULE_DELAYED_ACK_BYTES, RULE_DELAYED_ACK_CHUNK_BYTES, RULE_STRICT_CLASSES, RULE_TELEMETRY,
  RULE_TIMES_SET_ASIDE, RULE_TX_NS3, RULE_WIRE_OVERHEAD_BYTES, TOTAL_COUNT } from '../records/sim-run';
import { LINK_EVENT_BYTES, SIM_FLOW_BYTES, SIM_NODE_BYTES, SIM_PORT_BYTES, SimFlow, SimNode,
  SimPort } from '../records/network';
import { PACKET_TRACE_BYTES } from '../records/packet-trace';

export let nodeCount: u32 = 0;
export let portCount: u32 = 0;
export let flowCount: u32 = 0;
export let linkEventCount: u32 = 0;
export let traceCapacity: u32 = 0;

export let nodes: usize = 0;
export let ports: usize = 0;
export let flows: usize = 0;
export let groups: usize = 0;
/** The number of flows with a start time, then their indices by time, u32 each. */
export let starts: usize = 0;
export let linkEvents: usize = 0;
export let rules: usize = 0;
export let totals: usize = 0;
export let trace: usize = 0;
/** QPs of the hosts' ports: flow indices, u32 each. */
export let lists: usize = 0;
export let txTables: usize = 0;

/** Maximum number of rates with a table of serialisation times, and number of lengths in each. */
export const TX_TABLES: u32 = 8;
export const TX_LENGTHS: u32 = 4608;

// The rules.
export let ns3Time: bool = false;
export let wireOverheadBytes: u32 = 0;
export let pauseBytes: u32 = 0;
export let cnpBytes: u32 = 0;
export let fastCnpBytes: u32 = 0;
export let cnpPackets: bool = false;
export let cnpClass: u32 = 0;
export let strictClasses: u32 = 0;
export let markAtEnqueue: bool = false;
export let markEctOnly: bool = false;
export let telemetryKind: u32 = 0;
export let intMultiplier: f64 = 0;
export let nakIntervalPs: i64 = 0;
export let pacing: bool = false;
export let resumeOffsetBytes: u32 = 0;
export let reservedBytes: u32 = 0;
/** One bit per class: whether memory is reserved for it at each port; and the number of such classes. */
export let guaranteedClasses: u32 = 0;
export let timesSetAside: u32 = 1;
/** Whether simultaneous events and duplicates are handled as in the reference simulator. */
export let reference: bool = false;
export let hopsMax: u32 = 0;
export let fastCnpTelemetry: bool = false;
/** Queue of ACKs at hosts, whose pauses apply to them (0 is never paused); SIM_NONE for that of their class. */
export let ackQueue: u32 = 0;
/** Delayed ACKs: up to this many bytes of a flow, only multiples of the chunk are acknowledged. */
export let delayedAckBytes: i64 = 0;
export let delayedAckChunkBytes: i64 = 1;
/** Mask for the position of the QP served last: if all bits are set, the search begins at the first QP. */
export let firstComeMask: u32 = 0;

/** One word of the host's capacities, SIM_CAPACITY_*. */
@inline export function simCapacity(field: u32): u32 {
  return load<u32>(<usize>SIM_CAPACITY_ADDRESS + (<usize>field << 2));
}

export function allocateNetwork(): void {
  nodeCount = simCapacity(SIM_CAPACITY_NODES);
  portCount = simCapacity(SIM_CAPACITY_PORTS);
  flowCount = simCapacity(SIM_CAPACITY_FLOWS);
  linkEventCount = simCapacity(SIM_CAPACITY_LINK_EVENTS);
  traceCapacity = simCapacity(SIM_CAPACITY_TRACE_RECORDS);
  nodes = publish(SIM_NODES, allocate(<usize>nodeCount * SIM_NODE_BYTES));
  ports = publish(SIM_PORTS, allocate(<usize>portCount * SIM_PORT_BYTES));
  flows = publish(SIM_FLOWS, allocate(<usize>flowCount * SIM_FLOW_BYTES));
  groups = publish(SIM_GROUPS, allocate(<usize>simCapacity(SIM_CAPACITY_GROUP_WORDS) << 2));
  starts = publish(SIM_STARTS, allocate((<usize>flowCount + 1) << 2));
  linkEvents = publish(SIM_LINK_EVENTS, allocate(<usize>linkEventCount * LINK_EVENT_BYTES));
  rules = publish(SIM_RULES, allocate(RULE_COUNT << 3));
  totals = publish(SIM_TOTALS, allocate(TOTAL_COUNT << 3));
  trace = publish(SIM_TRACE, allocate(<usize>traceCapacity * PACKET_TRACE_BYTES));
  lists = publish(SIM_LISTS, allocate(<usize>listEntries() << 2));
  txTables = allocate(<usize>TX_TABLES * TX_LENGTHS << 3);
}

/** Total length of the QP lists of all ports. */
export function listEntries(): u32 {
  return max<u32>(max<u32>(flowCount, simCapacity(SIM_CAPACITY_MESSAGES)), simCapacity(SIM_CAPACITY_LIST_ENTRIES));
}

@inline export function rule(index: u32): f64 {
  return load<f64>(rules + (<usize>index << 3));
}

export function readRules(): void {
  ns3Time = rule(RULE_TX_NS3) != 0;
  wireOverheadBytes = <u32>rule(RULE_WIRE_OVERHEAD_BYTES);
  pauseBytes = <u32>rule(RULE_PAUSE_BYTES);
  cnpBytes = <u32>rule(RULE_CNP_BYTES);
  fastCnpBytes = <u32>rule(RULE_FAST_CNP_BYTES);
  cnpPackets = rule(RULE_CNP_PACKETS) != 0;
  cnpClass = <u32>rule(RULE_CNP_CLASS);
  strictClasses = <u32>rule(RULE_STRICT_CLASSES);
  markAtEnqueue = rule(RULE_MARK_AT_ENQUEUE) != 0;
  markEctOnly = rule(RULE_MARK_ECT_ONLY) != 0;
  telemetryKind = <u32>rule(RULE_TELEMETRY);
  intMultiplier = rule(RULE_INT_MULTIPLIER);
  nakIntervalPs = <i64>rule(RULE_NAK_INTERVAL_PS);
  pacing = rule(RULE_PACING) != 0;
  resumeOffsetBytes = <u32>rule(RULE_RESUME_OFFSET_BYTES);
  reservedBytes = <u32>rule(RULE_RESERVED_BYTES);
  guaranteedClasses = <u32>rule(RULE_GUARANTEED_CLASSES);
  timesSetAside = <u32>rule(RULE_TIMES_SET_ASIDE);
  reference = rule(RULE_REFERENCE) != 0;
  hopsMax = <u32>rule(RULE_HOPS);
  ackQueue = <u32>rule(RULE_ACK_PAUSE_CLASS);
  fastCnpTelemetry = rule(RULE_FAST_CNP_TELEMETRY) != 0;
  delayedAckBytes = <i64>rule(RULE_DELAYED_ACK_BYTES);
  delayedAckChunkBytes = <i64>rule(RULE_DELAYED_ACK_CHUNK_BYTES);
  firstComeMask = <u32>rule(RULE_FIRST_COME_MASK);
}

@inline export function nodeAt(index: u32): SimNode {
  return changetype<SimNode>(nodes + <usize>index * SIM_NODE_BYTES);
}

@inline export function portAt(index: u32): SimPort {
  return changetype<SimPort>(ports + <usize>index * SIM_PORT_BYTES);
}

@inline export function indexOfPort(port: SimPort): u32 {
  return <u32>((changetype<usize>(port) - ports) / SIM_PORT_BYTES);
}

@inline export function indexOfNode(node: SimNode): u32 {
  return <u32>((changetype<usize>(node) - nodes) / SIM_NODE_BYTES);
}

@inline export function flowAt(index: u32): SimFlow {
  return changetype<SimFlow>(flows + <usize>index * SIM_FLOW_BYTES);
}

/** Adds to a total, TOTAL_*. */
@inline export function total(index: u32, add: f64): void {
  const at = totals + (<usize>index << 3);
  store<f64>(at, load<f64>(at) + add);
}
