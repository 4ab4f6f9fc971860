/**
 * The numbers of all events: four per port, side by side; one per flow and per node; five of the network as a whole. Under fidelity
 * `reference-lossy` one more of the network, per flow and per port and class.
 */
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

/** `lossy`: with those of fidelity `reference-lossy`. */
@inline export function eventCount(lossy: bool): u32 {
  return lossy ? expiryEvent(portCount, 0) : checkEvent();
}
