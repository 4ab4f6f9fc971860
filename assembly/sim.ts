/**
 * The ABI of sim.wasm: a network with an engine, without the engine's batches and lookups. Arguments and results are
 * numbers; times are f64 picoseconds.
 *
 * Life of a simulation: the host writes both capacities and calls `initialise` and `configure`, as for an engine; it opens one
 * QP per flow and writes nodes, ports, flows and rules; then `simStart`, and slices of the run by `simRun`. src/sim/kernel is
 * the host's side.
 */
import { REGION_END, REGIONS_ADDRESS } from '../src/abi/layout';
import { SIM_CONGESTION_POINTS, SIM_NONE } from '../src/abi/sim-codes';
import { initialise as initialiseEngine } from './engine';
import { commit, allocate } from './memory/map';
import { applyActions, observe } from './simulator/agents/actions';
import { allocateAgents, beginAgents } from './simulator/agents/memory';
import { beginBalancing } from './simulator/balancing/begin';
import { allocateBalancing, balancingPartBytes, readBalancing } from './simulator/balancing/network';
import { allocateConnections, beginConnections } from './simulator/connections/memory';
import { allocatePoints, beginPoints } from './simulator/custom-point/memory';
import { checkPointLayouts } from './simulator/custom-point/record';
import { allocateRerouting } from './simulator/rerouting';
import { rateAt as rateOfFlow } from './simulator/engine-feed';
import { layOutEvents } from './simulator/event-layout';
import { isHazardous } from './simulator/hazards/arrivals';
import { accountHazards, beginHazards } from './simulator/hazards/begin';
import { allocateHazards, hazardous } from './simulator/hazards/memory';
import { beginInstant, nowPs, passTime, resetEventQueue, allocateEventQueue } from './simulator/event-queue';
import { operationCount } from './simulator/graph/memory';
import { allocateGraph, beginGraph } from './simulator/graph/step';
import { beginOperations, beginProgress, stopAtFlows, takeDoneFlow } from './simulator/halt';
import { beginLinkEvents } from './simulator/links';
import { beginFastCnps, beginMarking, allocateMarking } from './simulator/marking';
import { flowAt, flowCount, linkEventCount, nodeAt, nodeCount, portAt, portCount, reservedBytes, rule, simCapacity,
  timesSetAside, allocateNetwork, readRules } from './simulator/network';
import { allocateMessages, beginMessages, messageCount, recycling } from './simulator/messages/memory';
import { beginPool, countBytesInFlight, countInFlight, packetBytes } from './simulator/packets';
import { beginPathSelection } from './simulator/path-selection/memory';
import { accountPauses } from './simulator/pauses';
import { accountQueue } from './simulator/queues';
import { allocateCredit, beginCredit } from './simulator/receiver-credit/memory';
import { beginRun, presentPs, runUntil } from './simulator/run';
import { allocateRunning, beginRunning, fairnessAt } from './simulator/running';
import { beginSampling } from './simulator/sampling';
import { addStarts, beginStarts } from './simulator/sender';
import { fillTables } from './simulator/serialisation';
import { allocatePools } from './simulator/service-pools';
import { PORTS_LIMIT } from './simulator/telemetry';
import { clearTrace, traceCount } from './simulator/trace';
import { resetTransmissions } from './simulator/transmission';
import { allocateTrimming, beginTrimming } from './simulator/trimming';
import { allocateTransports, placeSacks } from './simulator/transport/memory';
import { allocatePortStatus, beginPortStatus } from './simulator/transport/port-status';
import { allocateQpLists } from './simulator/qp-list';
import { beginNextHops, allocateNextHops } from './simulator/paths';
import { allocateRoutes } from './simulator/routes';
import { beginLossy } from './simulator/lossy/begin';
import { allocateLossy, forcedDropCount, lossy, lossyPort, readLossyRules } from './simulator/lossy/network';
import { allocateVerbs } from './simulator/verbs/memory';
import { accountArns, beginArns } from './simulator/wan/arn';
import { allocateWan, tunnelled, wanPartBytes } from './simulator/wan/memory';
import { publish } from './simulator/regions';
import { SIM_CAPACITY_BUCKETS, SIM_CAPACITY_CONGESTION_POINTS, SIM_CAPACITY_ENDS_WITH_JOBS, SIM_CAPACITY_PORTS,
  SIM_CAPACITY_RESERVED_FLOWS, SIM_CAPACITY_WHEEL_BITS, RULE_HOPS, RULE_SLOT_SHIFT } from './records/sim-run';
import { SimPort } from './records/network';
import { LOSSY_PART_BYTES } from './records/lossy';
import { CONGESTION_POINT_BYTES, TOKEN_BUCKET_BYTES } from './records/congestion-point';

export { addAddress, configure, openQp } from './engine';
export { flowHash } from './simulator/ecmp';
export { addressOf as simRegion } from './simulator/regions';

let memoryEnd: usize = 0;

/** Like the engine's; the network's memory follows the engine's, sized by the capacity at SIM_CAPACITY_ADDRESS. */
export function initialise(): u32 {
  checkPointLayouts();
  if (!initialiseEngine() || simCapacity(SIM_CAPACITY_PORTS) > PORTS_LIMIT) return 0;
  allocateNetwork();
  allocateRoutes();
  allocateBalancing();
  allocateRerouting();
  allocateNextHops(flowCount);
  allocateRunning(flowCount);
  allocateQpLists();
  allocateMarking();
  allocateGraph();
  publish(SIM_CONGESTION_POINTS, allocate(<usize>simCapacity(SIM_CAPACITY_CONGESTION_POINTS) * CONGESTION_POINT_BYTES +
    <usize>simCapacity(SIM_CAPACITY_BUCKETS) * TOKEN_BUCKET_BYTES));
  allocatePoints();
  allocateLossy();
  allocateTransports();
  allocatePortStatus();
  allocateHazards();
  allocateMessages();
  allocateConnections();
  allocatePools();
  allocateWan();
  allocateVerbs();
  allocateAgents();
  allocateTrimming();
  allocateCredit();
  allocateEventQueue(layOutEvents(), simCapacity(SIM_CAPACITY_WHEEL_BITS));
  if (!commit()) return 0;
  memoryEnd = load<u32>(REGIONS_ADDRESS + (REGION_END << 2));
  return 1;
}

/** Reads the host's records, and sets the network to time 0. */
export function simStart(): void {
  readRules();
  readLossyRules();
  readBalancing();
  beginMarking();
  beginFastCnps();
  beginPoints();
  fillTables();
  beginPool(memoryEnd, <u32>rule(RULE_HOPS),
    lossy ? LOSSY_PART_BYTES : placeSacks(tunnelled ? wanPartBytes() : balancingPartBytes()));
  resetEventQueue(<u32>rule(RULE_SLOT_SHIFT), flowCount + linkEventCount);
  beginMessages();
  beginConnections();
  const present = flowCount - simCapacity(SIM_CAPACITY_RESERVED_FLOWS);
  beginProgress((recycling ? messageCount : present) + operationCount, lossy);
  stopAtFlows(simCapacity(SIM_CAPACITY_RESERVED_FLOWS) != 0);
  beginOperations(operationCount, simCapacity(SIM_CAPACITY_ENDS_WITH_JOBS) != 0);
  resetTransmissions();
  beginRun();
  clearTrace();
  beginNextHops();
  beginRunning();
  for (let index: u32 = 0; index < nodeCount; index++) beginNode(index);
  for (let index: u32 = 0; index < portCount; index++) beginPort(index);
  beginStarts();
  beginPathSelection();
  beginLinkEvents();
  beginPortStatus();
  beginLossy();
  beginGraph();
  beginBalancing();
  beginTrimming();
  beginCredit();
  beginHazards();
  beginArns();
  beginAgents();
}

function beginNode(index: u32): void {
  const node = nodeAt(index);
  node.delayedHead = SIM_NONE;
  let kept: u32 = 0;
  for (let port: u32 = 0; port < node.portCount; port++)
    kept += (portAt(node.firstPort + port).headroomBytes + reservedBytes) * timesSetAside;
  // The sums may exceed 32 bits, but the host has checked the difference, which is correct modulo 2^32.
  node.sharable = node.bufferBytes - kept;
}

function beginPort(index: u32): void {
  const port = portAt(index);
  port.pipeHead = SIM_NONE;
  port.leaves = 0;
  port.qpClasses = 0;
  port.listed = 0;
  port.someDone = 0;
  port.lastIsRank = 0;
  port.up = 1;
  port.delay = <i64>port.delayPs;
  port.freeOrder = -1;
  port.faulty = lossy ?
    <u8>(lossyPort(port).errorShare != 0) :
    <u8>(port.dataLoss != 0 || port.ackLoss != 0 || port.cnpLoss != 0 || port.corruption != 0 || isDropping(port) ||
      (hazardous && isHazardous(port)));
  const node = nodeAt(port.node);
  port.isHost = <u8>(node.isSwitch == 0);
  port.minThreshold = node.sharable >> port.thresholdShift;
}

/** Whether packets arriving here can be dropped by a forced drop: at switches only. */
function isDropping(port: SimPort): bool {
  return forcedDropCount != 0 && nodeAt(portAt(port.peer).node).isSwitch != 0;
}

/** Makes slices end with RUN_SAMPLE every `everyPs`, from `firstPs` to `lastPs`. Call after `simStart`. */
export function simSample(firstPs: f64, everyPs: f64, lastPs: f64): void {
  beginSampling(<i64>firstPs, <i64>everyPs, <i64>lastPs);
}

/**
 * Adds flows to a run that has memory reserved for them. The host has written their records, opened their QPs, and appended
 * their numbers to the list of starts, in the order of their start times, none of which is in the past.
 */
export function simAddStarts(count: u32): void {
  beginInstant(presentPs());
  addStarts(count);
}

/** In such a run: the flow that finished last since the previous call, or SIM_NONE. */
export function simTakeDone(): u32 {
  return takeDoneFlow();
}

/** Handles the events before `untilPs`, at most `budget` of them; returns RUN_*. */
export function simRun(untilPs: f64, budget: u32): u32 {
  return runUntil(<i64>untilPs, budget);
}

/** Time of the last handled event. */
export function simNow(): f64 {
  return <f64>nowPs;
}

/** Updates time-weighted counters (queues, pauses) to a time not before the last event. */
export function simAccount(timePs: f64): void {
  passTime(<i64>timePs);
  accountHazards();
  accountArns();
  for (let index: u32 = 0; index < portCount; index++) {
    const port = portAt(index);
    accountQueue(port);
    accountPauses(port);
  }
}

/** Rate of a flow's QP at a time not before the last event. */
export function simRate(flow: u32, timePs: f64): f64 {
  return rateOfFlow(flowAt(flow), timePs);
}

/** Applies an agent's rate and window in the record of a flow's QP, from the end of the last slice on. */
export function simAct(flow: u32): void {
  applyActions(flow, presentPs());
}

/** Updates window, acknowledged bytes and bytes in flight in the record of a flow's QP, whose timers have been applied. */
export function simObserve(flow: u32): void {
  observe(flow);
}

/** Jain's index of the running flows' rates (of many flows, those that started first), at a time not before the last event. */
export function simFairness(timePs: f64): f64 {
  return fairnessAt(timePs);
}

/** Number of packets in flight, counted one by one. */
export function simInFlight(): u32 {
  return countInFlight();
}

/** Bytes of the packets in flight. */
export function simBytesInFlight(): f64 {
  return countBytesInFlight();
}

/** Number of packet records written since `simClearTrace`. */
export function simTraceCount(): u32 {
  return traceCount();
}

export function simClearTrace(): void {
  clearTrace();
}

/** Bytes of memory per packet. */
export function simPacketBytes(): u32 {
  return packetBytes();
}
