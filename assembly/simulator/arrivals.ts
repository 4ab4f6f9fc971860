/**
 * Packets that reach the other end of a link.
 *
 *   link faults ─► hazards ─► pause frames ─► switch, or host: receiver for data, sender for the rest
 */
import { DROP_CORRUPT, DROP_LOSS, FLOW_CREDIT, FLOW_DONE, FLOW_NOT_READY, FLOW_READ, FLOW_SELECTIVE, PACKET_CNP,
  PACKET_CREDIT, PACKET_FAST_CNP, PACKET_RNR_NAK } from '../../src/abi/sim-codes';
import { nextRandom } from '../cp/random';
import { hasAgents, noteFeedback } from './agents/memory';
import { detouring, selecting } from './balancing/network';
import { detour } from './balancing/source-ports';
import { feedCnp } from './engine-feed';
import { nowPs } from './event-queue';
import { addSource } from './event-sources';
import { feedFastCnp } from './fast-cnp-feed';
import { meetsHazard } from './hazards/arrivals';
import { hazardous } from './hazards/memory';
import { applyWatched } from './hazards/pauses';
import { placeReceipts, takeOut } from './hazards/slow-receivers';
import { forwardLossy } from './lossy/forward';
import { isForcedOut } from './lossy/forced-drops';
import { drawUnused, vanishes } from './lossy/link-errors';
import { forcedDropCount, lossy } from './lossy/network';
import { applyExpiring } from './lossy/pauses';
import { receiveLossy } from './lossy/receiver';
import { acknowledgeLossy } from './lossy/sender';
import { draws } from './marking';
import { flowAt, nodeAt, portAt, portCount, reference } from './network';
import { serveNic } from './nic';
import { consume, drop, isData, packetAt } from './packets';
import { takeFeedback } from './path-selection/select';
import { isPauseFrame, applyPauseFrame } from './pauses';
import { receive } from './receiver';
import { noteTarget } from './receiver-credit/pacer';
import { takeCredit } from './receiver-credit/sender';
import { acknowledge, notified } from './sender';
import { forward, serve } from './switch';
import { departure, removeArrival } from './transmission';
import { isEndpointPacket, takeEndpointPacket } from './transport/port-status';
import { receiveSelective } from './transport/selective-receiver';
import { acknowledgeSelective } from './transport/sender';
import { receiveIfReady, takeRnrNak } from './verbs/not-ready';
import { receiveResponse } from './verbs/requester';
import { takeRequest } from './verbs/responder';
import { forwardTunnelled } from './wan/forward';
import { tunnelled } from './wan/memory';
import { SimFlow, SimPacket, SimPort } from '../records/network';

/** Flows whose data or responses are not handled as those of go-back-N's RDMA WRITEs. */
const FLOW_UNUSUAL: u32 = FLOW_SELECTIVE | FLOW_READ | FLOW_NOT_READY | FLOW_CREDIT;

/** Adds the events at which a packet has passed the receive path of a slow receiver. */
export function addReceipts(): void {
  placeReceipts(addSource(hazardous ? portCount : 0, receiveSlowly));
}

function receiveSlowly(index: u32): void {
  const port = portAt(index);
  reachHost(port, takeOut(port), nowPs);
}

/** Handles the first packet in flight from `from`, which reaches the other end. */
export function arrive(from: SimPort): void {
  const index = removeArrival(from);
  const packet = packetAt(index);
  if (from.faulty) {
    if (lossy ? vanishes(from) : isLost(from, packet)) {
      from.drops += 1;
      return drop(index, DROP_LOSS);
    }
    if (hazardous && meetsHazard(from, index)) return;
  }
  // Needed only for the reference's order of timers.
  const sincePs = reference ? departure(from, packet) : nowPs;
  const port = portAt(from.peer);
  if (isPauseFrame(packet)) {
    const lifted = lossy ?
      applyExpiring(port, packet) :
      hazardous ?
      applyWatched(port, packet) :
      applyPauseFrame(port, packet);
    consume(index);
    if (!lifted) return;
    return port.isHost ? serveNic(port, sincePs) : serve(nodeAt(port.node), port);
  }
  if (port.isHost) {
    if (lossy) reachHostLossy(from, index, sincePs);
    else reachHost(port, index, sincePs);
  } else reachSwitch(port, index);
}

@inline function reachSwitch(port: SimPort, index: u32): void {
  if (lossy) forwardLossy(nodeAt(port.node), port, index);
  else if (tunnelled) forwardTunnelled(nodeAt(port.node), port, index);
  else forward(nodeAt(port.node), port, index);
}

/** Like `reachHost`, under fidelity `reference-lossy`, where a frame over a link with errors draws one more number. */
function reachHostLossy(from: SimPort, index: u32, sincePs: i64): void {
  const packet = packetAt(index);
  const flow = flowAt(packet.flow);
  if (from.faulty && (isData(packet) || !(flow.flags & FLOW_DONE))) drawUnused(from);
  if (isData(packet)) return receiveLossy(index, sincePs);
  acknowledgeLossy(flow, packet, sincePs);
  consume(index);
}

/** Applies a link's faults to a packet, except pause frames; returns whether it is lost. */
function isLost(from: SimPort, packet: SimPacket): bool {
  if (isPauseFrame(packet)) return false;
  if (forcedDropCount && !portAt(from.peer).isHost && isForcedOut(packet)) return true;
  if (from.corruption != 0 && nextRandom(draws()) < from.corruption) packet.corrupted = 1;
  const share = isData(packet) ?
    from.dataLoss :
    packet.kind == PACKET_CNP || packet.kind == PACKET_FAST_CNP ?
    from.cnpLoss :
    from.ackLoss;
  return share != 0 && nextRandom(draws()) < share;
}

/** Handles a packet at its destination host. */
@inline function reachHost(port: SimPort, index: u32, sincePs: i64): void {
  const packet = packetAt(index);
  if (packet.corrupted) {
    port.drops += 1;
    return drop(index, DROP_CORRUPT);
  }
  if (isEndpointPacket(packet)) return takeEndpointPacket(index);
  if (isData(packet)) {
    const flow = flowAt(packet.flow);
    return flow.flags & FLOW_UNUSUAL ? receiveUnusual(flow, index, sincePs) : receive(index, sincePs);
  }
  reachSender(index, packet, sincePs);
}

/** Handles data of other transports than go-back-N, of READs, and at receivers that may not be ready or that grant credit. */
function receiveUnusual(flow: SimFlow, index: u32, sincePs: i64): void {
  if (flow.flags & FLOW_CREDIT) noteTarget(flow, packetAt(index));
  if (flow.flags & FLOW_SELECTIVE) receiveSelective(flow, index, sincePs);
  else if (flow.flags & FLOW_READ) receiveResponse(flow, index, sincePs);
  else if (flow.flags & FLOW_NOT_READY) receiveIfReady(flow, index, sincePs);
  else receive(index, sincePs);
}

function reachSender(index: u32, packet: SimPacket, sincePs: i64): void {
  const flow = flowAt(packet.flow);
  if (hasAgents) noteFeedback(packet);
  if (packet.kind == PACKET_CNP) {
    if (feedCnp(flow, sincePs)) notified(flow, packet.flow);
  } else if (packet.kind == PACKET_FAST_CNP) {
    if (feedFastCnp(flow, packet)) {
      if (detouring) detour(flow, packet.flow);
      notified(flow, packet.flow);
    }
  } else {
    if (selecting && packet.kind != PACKET_RNR_NAK && packet.kind != PACKET_CREDIT) takeFeedback(flow, packet);
    if (flow.flags & FLOW_UNUSUAL) acknowledgeUnusual(flow, packet, sincePs);
    else acknowledge(flow, packet, sincePs);
  }
  consume(index);
}

/** Like `receiveUnusual`, for packets that reach a sender: ACKs, NAKs, RNR NAKs, READ requests and credit. */
function acknowledgeUnusual(flow: SimFlow, packet: SimPacket, sincePs: i64): void {
  if (packet.kind == PACKET_CREDIT) takeCredit(flow, packet, sincePs);
  else if (flow.flags & FLOW_SELECTIVE) acknowledgeSelective(flow, packet, sincePs);
  else if (flow.flags & FLOW_READ) takeRequest(flow, packet);
  else if (packet.kind == PACKET_RNR_NAK) takeRnrNak(flow, packet, sincePs);
  else acknowledge(flow, packet, sincePs);
}
