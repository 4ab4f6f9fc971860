/** The numbers of all events: three per port, one per flow and per node, and two of the network as a whole. */
import { flowCount, nodeCount, portCount } from './network';

/** A port's transmission ends. */
@inline export function endEvent(port: u32): u32 {
  return port;
}

/** The first packet on the way from this port reaches the other end. */
@inline export function arrivalEvent(port: u32): u32 {
  return portCount + port;
}

/** A QP of this port may send again. */
@inline export function wakeEvent(port: u32): u32 {
  return 2 * portCount + port;
}

/** A flow's retransmission timeout. */
@inline export function timeoutEvent(flow: u32): u32 {
  return 3 * portCount + flow;
}

/** A host's notification point lets a CNP go. */
@inline export function delayEvent(node: u32): u32 {
  return 3 * portCount + flowCount + node;
}

/** The next flows begin. */
@inline export function startEvent(): u32 {
  return 3 * portCount + flowCount + nodeCount;
}

/** The next links go down or come up. */
@inline export function linkEvent(): u32 {
  return startEvent() + 1;
}

@inline export function eventCount(): u32 {
  return startEvent() + 2;
}
