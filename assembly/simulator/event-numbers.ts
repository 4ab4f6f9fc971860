/**
 * The numbers of all events: consecutive blocks with one event per port, flow, node or storm, and single events.
 *
 * `layOutEvents` sets the first number of each block, from which events are numbered and by which run.ts dispatches. A block that the plan
 * does not need is empty.
 */
import { hazardous, stormCount } from './hazards/memory';
import { lossy } from './lossy/network';
import { flowCount, nodeCount, portCount, simCapacity } from './network';
import { crediting } from './receiver-credit/memory';
import { hasVerbs } from './verbs/memory';
import { arns } from './wan/memory';
import { SIM_CAPACITY_LOSS_CHECKS, SIM_CAPACITY_PROBES } from '../records/sim-capacity';
import { CLASSES } from './classes';

/** Ports come first, with the events of a port next to each other. */
export const EVENTS_PER_PORT: u32 = 4;
export const KIND_END: u32 = 0;
export const KIND_ARRIVAL: u32 = 1;
const KIND_WAKE: u32 = 2;

/** Single events, from `singles`. */
export const SINGLE_START: u32 = 0;
export const SINGLE_LINKS: u32 = 1;
export const SINGLE_OPERATIONS: u32 = 2;
export const SINGLE_OPERATION_TIMER: u32 = 3;
export const SINGLE_SAMPLE: u32 = 4;
export const SINGLE_CHECK: u32 = 5;
export const SINGLE_PAUSE_CHECK: u32 = 6;
const SINGLE_COUNT: u32 = 7;

/** First event of each block. */
export let timeouts: u32 = 0;
export let delays: u32 = 0;
export let singles: u32 = 0;
export let flushes: u32 = 0;
export let expiries: u32 = 0;
export let storms: u32 = 0;
export let receipts: u32 = 0;
export let polls: u32 = 0;
export let arnRefreshes: u32 = 0;
export let arnExpiries: u32 = 0;
export let lossChecks: u32 = 0;
export let rnrWaits: u32 = 0;
export let probes: u32 = 0;
export let pulls: u32 = 0;

/** Lays the blocks out; returns the number of events. */
export function layOutEvents(): u32 {
  const arnPorts = arns ? portCount : 0;
  timeouts = portCount * EVENTS_PER_PORT;
  delays = timeouts + flowCount;
  singles = delays + nodeCount;
  flushes = singles + SINGLE_COUNT;
  expiries = flushes + (lossy ? flowCount : 0);
  storms = expiries + (lossy ? portCount * CLASSES : 0);
  receipts = storms + stormCount;
  polls = receipts + (hazardous ? portCount : 0);
  arnRefreshes = polls + (hazardous ? nodeCount : 0);
  arnExpiries = arnRefreshes + arnPorts;
  lossChecks = arnExpiries + arnPorts;
  rnrWaits = lossChecks + simCapacity(SIM_CAPACITY_LOSS_CHECKS);
  probes = rnrWaits + (hasVerbs ? flowCount : 0);
  pulls = probes + simCapacity(SIM_CAPACITY_PROBES);
  return pulls + (crediting ? portCount : 0);
}

/** A port's transmission ends. */
@inline export function endEvent(port: u32): u32 {
  return port * EVENTS_PER_PORT + KIND_END;
}

/** The first packet in flight from this port reaches the other end. */
@inline export function arrivalEvent(port: u32): u32 {
  return port * EVENTS_PER_PORT + KIND_ARRIVAL;
}

/** A QP of this port may send its next packet. */
@inline export function wakeEvent(port: u32): u32 {
  return port * EVENTS_PER_PORT + KIND_WAKE;
}

/** A flow's retransmission timeout. */
@inline export function timeoutEvent(flow: u32): u32 {
  return timeouts + flow;
}

/** A host's notification point sends a delayed CNP. */
@inline export function delayEvent(node: u32): u32 {
  return delays + node;
}

/** The next flows start. */
@inline export function startEvent(): u32 {
  return singles + SINGLE_START;
}

/** The next links go down or come up. */
@inline export function linkEvent(): u32 {
  return singles + SINGLE_LINKS;
}

/** Operations of a graph may proceed. */
@inline export function operationsEvent(): u32 {
  return singles + SINGLE_OPERATIONS;
}

/** The next timed operation ends. */
@inline export function operationTimerEvent(): u32 {
  return singles + SINGLE_OPERATION_TIMER;
}

/** The host samples the queues. */
@inline export function sampleEvent(): u32 {
  return singles + SINGLE_SAMPLE;
}

/** Under fidelity `reference-lossy`: checks whether the run has ended. */
@inline export function checkEvent(): u32 {
  return singles + SINGLE_CHECK;
}

/** PFC's hazards: checks the pauses. */
@inline export function pauseCheckEvent(): u32 {
  return singles + SINGLE_PAUSE_CHECK;
}

/** Under fidelity `reference-lossy`: the last leaf releases the packets of a flow that it held back. */
@inline export function flushEvent(flow: u32): u32 {
  return flushes + flow;
}

/** Under fidelity `reference-lossy`: the pause of a port in a class expires. */
@inline export function expiryEvent(port: u32, cls: u32): u32 {
  return expiries + port * CLASSES + cls;
}

/** The next frames of a pause storm. */
@inline export function stormEvent(storm: u32): u32 {
  return storms + storm;
}

/** A packet has passed the receive path of a slow receiver. */
@inline export function receiveEvent(port: u32): u32 {
  return receipts + port;
}

/** The watchdog of a switch polls its queues. */
@inline export function pollEvent(node: u32): u32 {
  return polls + node;
}

/** A port repeats its ARNs. */
@inline export function arnRefreshEvent(port: u32): u32 {
  return arnRefreshes + port;
}

/** Pauses by ARNs expire at a port. */
@inline export function arnExpiryEvent(port: u32): u32 {
  return arnExpiries + port;
}

/** A packet of a flow of `tolerant` may be lost by time. */
@inline export function lossCheckEvent(flow: u32): u32 {
  return lossChecks + flow;
}

/** A sender's wait after an RNR NAK ends. */
@inline export function rnrEvent(flow: u32): u32 {
  return rnrWaits + flow;
}

/** The sender of a flow probes paths. */
@inline export function probeEvent(flow: u32): u32 {
  return probes + flow;
}

/** The turn of a port's pull pacer. */
@inline export function pullEvent(port: u32): u32 {
  return pulls + port;
}
