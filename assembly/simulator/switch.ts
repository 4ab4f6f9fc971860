/**
 * A switch: routing, admission and egress processing.
 *
 * In    route; trimming, if there is no room; admission to the shared buffer; pause of the sender, if due; queue of the egress port
 * Out   release of the buffer; mark or Fast CNP; resume of the sender, if due; telemetry; transmission
 *
 * Source: order of steps as in the ns-3 reference simulator; the files of the steps have their own sources.
 */
import { READS_POWER } from '../../src/abi/algorithms';
import { traitsOf } from '../algorithms/registry';
import { POINT_HANDLER_DEQUEUE, POINT_HANDLER_ENQUEUE } from '../../src/abi/custom-layout';
import { DROP_BUFFER, DROP_LINK_DOWN, DROP_NO_ROUTE, DROP_WRONG_USID, PACKET_FAST_CNP,
  SIM_NONE } from '../../src/abi/sim-codes';
import { seesArrivals, seesDepartures } from './custom-point/memory';
import { cnpClass, fastCnpBytes, fastCnpTelemetry, flowAt, hopsMax, indexOfPort, portAt } from './network';
import { hazardous } from './hazards/memory';
import { dropsForWatchdog } from './hazards/shut-queues';
import { decide, mayBeDue } from './marking';
import { drop, dropHazard, hopOf, isData, makePacket, packetAt } from './packets';
import { putPauseFrame } from './pauses';
import { rememberDeparture, updatePint } from './pint';
import { dequeue, enqueue, nextClass, passQueue } from './queues';
import { givePlaceBack, takePlace } from './service-pools';
import { allowsResume, needsPause } from './shared-buffer';
import { addHop } from './telemetry';
import { expectEnd, isBusy, isReady, transmit } from './transmission';
import { passesTrimming, trimming } from './trimming';
import { leaveLossy } from './lossy/leave';
import { lossy } from './lossy/network';
import { freePool } from './lossy/pools';
import { isUnnoticed } from './rerouting';
import { copySourcePort } from './path-selection/memory';
import { egressOf } from './paths';
import { countOut } from './wan/arn';
import { passesOut } from './wan/borders';
import { holdsAny, takeNotHeld } from './wan/held-queues';
import { arns, isInTunnel, tunnelled } from './wan/memory';
import { wrapFastCnp } from './wan/tunnels';
import { PACKET_HOP_BYTES, PORT_WITHOUT_USID, SimNode, SimPacket, SimPort } from '../records/network';
import { classOf } from './classes';

/** Handles a packet that arrives at a switch by `inPort`. */
export function forward(node: SimNode, inPort: SimPort, index: u32): void {
  const packet = packetAt(index);
  const out = egressOf(node, packet);
  if (out == SIM_NONE) {
    inPort.drops += 1;
    return drop(index, DROP_NO_ROUTE);
  }
  const outPort = portAt(out);
  if (outPort.hiddenFaults && meetsFault(inPort, outPort, index)) return;
  if (trimming && !passesTrimming(node, inPort, outPort, index)) return;
  const cls = <u32>packet.cls;
  if (!admit(node, inPort, outPort, cls, index)) return;
  pauseIfDue(node, inPort, cls);
  takeIn(node, outPort, cls, index);
}

/** Drops a packet if its egress port has a fault that the switch does not route around; returns whether it did. */
function meetsFault(inPort: SimPort, outPort: SimPort, index: u32): bool {
  if (isUnnoticed(outPort) && !outPort.up) {
    outPort.drops += 1;
    drop(index, DROP_LINK_DOWN);
    return true;
  }
  // Responses have no list of uSIDs.
  if (!(outPort.hiddenFaults & PORT_WITHOUT_USID) || !isData(packetAt(index))) return false;
  inPort.drops += 1;
  dropHazard(index, DROP_WRONG_USID);
  return true;
}

/** Admits a packet to the switch's memory; false if it was dropped. */
@inline export function admit(node: SimNode, inPort: SimPort, outPort: SimPort, cls: u32, index: u32): bool {
  if (hazardous && dropsForWatchdog(inPort, outPort, cls, index)) return false;
  const packet = packetAt(index);
  if (!takePlace(node, inPort, outPort, cls, packet.lenBytes)) {
    outPort.drops += 1;
    drop(index, DROP_BUFFER);
    return false;
  }
  packet.inPort = indexOfPort(inPort);
  return true;
}

/** Sends a pause frame to the port's peer, if due. */
@inline export function pauseIfDue(node: SimNode, inPort: SimPort, cls: u32): void {
  if (!node.pfc || inPort.pausing & (1 << cls) || !needsPause(node, inPort, cls)) return;
  if (putPauseFrame(inPort, cls, true)) serve(node, inPort);
}

/** Puts an admitted packet into the queue of its egress port, or sends it immediately if the port is idle. */
@inline export function takeIn(node: SimNode, outPort: SimPort, cls: u32, index: u32): void {
  if (!seesArrivals && isReady(outPort, cls) && !(tunnelled && holdsAny(outPort))) {
    passQueue(outPort, cls, packetAt(index).lenBytes);
    return sendOut(node, outPort, index);
  }
  enqueue(outPort, cls, index);
  if (seesArrivals) {
    const packet = packetAt(index);
    notifyTimes(decide(node, outPort, packet, classOf(outPort, cls).bytes, POINT_HANDLER_ENQUEUE), node, outPort,
      packet);
  }
  serve(node, outPort);
}

/** Sends the next packet of a port that may send. */
export function serve(node: SimNode, port: SimPort): void {
  if (!port.waiting) return;
  if (isBusy(port)) return expectEnd(port);
  if (!port.up) return;
  const index = tunnelled && holdsAny(port) ? takeNotHeld(port) : takeNext(port);
  if (index != SIM_NONE) sendOut(node, port, index);
}

/** Sends a packet that was removed from its queue. */
function sendOut(node: SimNode, port: SimPort, index: u32): void {
  const packet = packetAt(index);
  if (packet.inPort != SIM_NONE) leave(node, port, packet, packet.cls);
  rememberDeparture(port, packet.lenBytes);
  transmit(port, index);
  if (port.waiting) expectEnd(port);
}

@inline function takeNext(port: SimPort): u32 {
  const cls = nextClass(port);
  return cls == SIM_NONE ? SIM_NONE : dequeue(port, cls);
}

/** Handles a packet between its queue and the link. */
@inline function leave(node: SimNode, port: SimPort, packet: SimPacket, cls: u32): void {
  const inPort = portAt(packet.inPort);
  if (lossy) {
    if (leaveLossy(node, port, packet, cls) && inPort != port) serve(node, inPort);
  } else {
    givePlaceBack(node, inPort, port, cls, packet.lenBytes);
    if (arns && countOut(inPort, packet) && inPort != port) serve(node, inPort);
    if (seesDepartures) notifyTimes(decideDeparture(node, port, packet, classOf(port, cls).bytes), node, port, packet);
    if (inPort.pausing & (1 << cls)) resumeIfDue(node, inPort, cls, port);
  }
  if (isData(packet) && !(tunnelled && isInTunnel(packet))) {
    const flow = flowAt(packet.flow);
    addHop(port, packet, flow.telemetry != 0);
    if (traitsOf(flow.algorithm) & READS_POWER) updatePint(port, packet);
  }
}

/** Decides on marks and Fast CNPs for a departing packet; returns early if the queue is too short. @returns the number of Fast CNPs to send. */
@inline function decideDeparture(node: SimNode, port: SimPort, packet: SimPacket, classBytes: u32): u32 {
  return mayBeDue(node, port, classBytes) ? decide(node, port, packet, classBytes, POINT_HANDLER_DEQUEUE) : 0;
}

@inline function notifyTimes(count: u32, node: SimNode, port: SimPort, cause: SimPacket): void {
  for (let left = count; left; left--) notify(node, port, cause);
}

/** Sends a resume frame for a paused class, if due. `served`: a port that is served next anyway, which may be the ingress port. */
function resumeIfDue(node: SimNode, inPort: SimPort, cls: u32, served: SimPort): void {
  if (!allowsResume(node, inPort, cls)) return;
  if (putPauseFrame(inPort, cls, false) && inPort != served) serve(node, inPort);
}

/** Drops the packets that wait for a link that went down, and frees their memory. */
export function loseQueues(node: SimNode, port: SimPort): void {
  while (port.waiting) {
    const index = dequeueFreed(node, port, <u32>ctz(port.waiting));
    port.drops += 1;
    drop(index, DROP_LINK_DOWN);
  }
}

/** Removes the first packet of a queue without sending it, and frees its memory. */
export function dequeueFreed(node: SimNode, port: SimPort, cls: u32): u32 {
  const index = dequeue(port, cls);
  const packet = packetAt(index);
  if (port.isHost || packet.inPort == SIM_NONE) return index;
  const inPort = portAt(packet.inPort);
  if (lossy) freePool(node, inPort, port, cls, packet.lenBytes);
  else {
    givePlaceBack(node, inPort, port, cls, packet.lenBytes);
    if (arns && countOut(inPort, packet) && inPort != port) serve(node, inPort);
    if (inPort.pausing & (1 << cls)) resumeIfDue(node, inPort, cls, port);
  }
  return index;
}

/** Sends a Fast CNP to the sender of a packet, with telemetry up to and including this port if requested. */
export function notify(node: SimNode, port: SimPort, cause: SimPacket): void {
  const index = makePacket(PACKET_FAST_CNP, cause.flow, cnpClass, fastCnpBytes);
  if (index == SIM_NONE) return;
  const packet = packetAt(index);
  packet.inPort = SIM_NONE;
  packet.detours = cause.detours;
  copySourcePort(packet, cause);
  packet.sequence = cause.sequence;
  packet.sentPs = cause.sentPs;
  packet.power = port.node;
  if (fastCnpTelemetry) {
    const known = flowAt(cause.flow).telemetry ? min<u32>(cause.hops, hopsMax) : 0;
    memory.copy(hopOf(packet, 0), hopOf(cause, 0), <usize>known * PACKET_HOP_BYTES);
    packet.hops = <u8>known;
    addHop(port, packet, true);
  }
  port.fastCnps += 1;
  if (tunnelled) wrapFastCnp(node, packet, cause);
  const out = egressOf(node, packet);
  if (out == SIM_NONE) return drop(index, DROP_NO_ROUTE);
  if (tunnelled && !passesOut(node, portAt(out), index)) return;
  enqueue(portAt(out), cnpClass, index);
  // If this port is being served, it sends the Fast CNP next anyway.
  if (out != indexOfPort(port)) serve(node, portAt(out));
}
