/**
 * The numbers of all events: four per port, side by side; one per flow and per node; five of the network as a whole. Under fidelity
 * `reference-lossy` one more of the network, per flow and per port and class; of PFC's hazards one of the network, and one per pause
 * storm, port and node; of ARNs two per port.
 */
import { hazardEventCount, stormCount } from './hazards/memory';
import { flowCount, nodeCount, portCount } from './network';
import { CLASSES } from './records';

export const EVENTS_PER_PORT: u32 = 4;
export const KIND_END: u32 = 0;
export const KIND_ARRIVAL: u32 = 1;

/** A port's transmission ends. */
@inline export function endEvent(port: u32): u32 {
  return port * EVENTS_PER_PORT + KIND_END;
}

/** The first packet on the way from this port reaches the other end. */
@inline export function arrivalEvent(port: u32): u32 {
  return port * EVENTS_PER_PORT + KIND_ARRIVAL;
}

/** A QP of this port may send again. */
@inline export function wakeEvent(port: u32): u32 {
  return port * EVENTS_PER_PORT + 2;
}

/** A flow's retransmission timeout. */
@inline export function timeoutEvent(flow: u32): u32 {
  return EVENTS_PER_PORT * portCount + flow;
}

/** A host's notification point lets a CNP go. */
@inline export function delayEvent(node: u32): u32 {
  return EVENTS_PER_PORT * portCount + flowCount + node;
}

/** The next flows begin. */
@inline export function startEvent(): u32 {
  return EVENTS_PER_PORT * portCount + flowCount + nodeCount;
}

/** The next links go down or come up. */
@inline export function linkEvent(): u32 {
  return startEvent() + 1;
}

/** Operations of a graph may go on. */
@inline export function operationsEvent(): u32 {
  return startEvent() + 2;
}

/** The next operation that takes its time is over. */
@inline export function operationTimerEvent(): u32 {
  return startEvent() + 3;
}

/** The host looks at the queues. */
@inline export function sampleEvent(): u32 {
  return startEvent() + 4;
}

/** Under fidelity `reference-lossy`: the end is looked for. */
@inline export function checkEvent(): u32 {
  return startEvent() + 5;
}

/** The packets of a flow that its last leaf has held back go on. */
@inline export function flushEvent(flow: u32): u32 {
  return checkEvent() + 1 + flow;
}

/** The pause of a port in a class expires. */
@inline export function expiryEvent(port: u32, cls: u32): u32 {
  return checkEvent() + 1 + flowCount + port * CLASSES + cls;
}

/** Of PFC's hazards, under fidelity `standard`: pauses are looked at. */
@inline export function lookEvent(): u32 {
  return startEvent() + 5;
}

/** The next frames of a pause storm. */
@inline export function stormEvent(storm: u32): u32 {
  return lookEvent() + 1 + storm;
}

/** A packet has passed the receive path of a host that receives slowly. */
@inline export function receiveEvent(port: u32): u32 {
  return stormEvent(stormCount) + port;
}

/** The watchdog of a switch looks at its queues. */
@inline export function pollEvent(node: u32): u32 {
  return receiveEvent(portCount) + node;
}

/** Of a WAN with ARNs, behind those of hazards: a port sends ARNs again. */
@inline export function arnRefreshEvent(port: u32): u32 {
  return lookEvent() + hazardEventCount() + port;
}

/** Pauses by ARNs expire at a port. */
@inline export function arnExpiryEvent(port: u32): u32 {
  return arnRefreshEvent(portCount) + port;
}

/** `lossy`: with those of fidelity `reference-lossy`; `more`: so many of hazards and ARNs. */
@inline export function eventCount(lossy: bool, more: u32): u32 {
  return lossy ? expiryEvent(portCount, 0) : lookEvent() + more;
}
