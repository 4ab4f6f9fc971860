/**
 * Port status updates of MRC: hosts with several planes notify their peers of which of their ports work.
 *
 *   update    an endpoint request with one bit per port, set if it works. A host sends it to each host with which it shares an MRC QP when its
 *             adapter learns that a port has gone down or come up. It has headers only, and the class of control packets
 *   response  an endpoint response with the number of the request, which the peer sends immediately
 *   applied   for packets to this host, the peer's adapter avoids the planes whose ports do not work (rerouting.ts). An update older than the
 *             last one applied gets a response but is not applied
 *   lost      retransmitted after the timeout of the QP that carries it, on another entropy, until its response arrives or it has been sent
 *             `sends` times
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md, 3.9; docs/specs/mrc-formats.md, 2.10); docs/reference/sources.md, "Port status updates".
 * Deviations  QPs exist from the start, so peers learn of all updates; the first flow between two hosts carries their updates.
 */
import { FLOW_MRC, PACKET_ACK, PACKET_DATA, PACKET_ENDPOINT_REQUEST, PACKET_ENDPOINT_RESPONSE, SIM_NONE,
  SIM_PORT_STATUS } from '../../../src/abi/sim-codes';
import { allocate } from '../../memory/map';
import { selecting } from '../balancing/network';
import { seemsUp, setPeerPorts } from '../rerouting';
import { cancel, drawOrder, nowPs, schedule } from '../event-queue';
import { addSource } from '../event-sources';
import { flowAt, nodeAt, portAt, simCapacity } from '../network';
import { response } from '../nic';
import { consume, makePacket, packetAt, turnAround } from '../packets';
import { setSourcePort } from '../path-selection/memory';
import { publish } from '../regions';
import { mrcOf } from './memory';
import { FIRST_ENTROPY_PORT } from '../../records/balancing';
import { SIM_CAPACITY_STATUS_PAIRS } from '../../records/sim-run';
import { SimFlow, SimPacket, SimPort } from '../../records/network';
import { PROBE_STATUS, PROBE_STATUS_RESPONSE, STATUS_PAIR_BYTES, StatusPair,
  TRIM_NONE } from '../../records/transports';

/** Sequence number of endpoint packets; no data packet has it. */
const NO_SEQUENCE: i64 = -1;

let pairCount: u32 = 0;
let pairs: usize = 0;
/** Number of the first retransmission event; there is one per pair. */
let firstEvent: u32 = 0;

export function allocatePortStatus(): void {
  pairCount = simCapacity(SIM_CAPACITY_STATUS_PAIRS);
  pairs = publish(SIM_PORT_STATUS, allocate(<usize>pairCount * STATUS_PAIR_BYTES));
}

/** Sets what each peer's adapter knows at time 0: which ports work. */
export function beginPortStatus(): void {
  for (let number: u32 = 0; number < pairCount; number++) applyPorts(pairAt(number), portsOf(pairAt(number)));
}

/** Adds the events that retransmit updates whose responses have not arrived in time. */
export function addStatusTimers(): void {
  firstEvent = addSource(simCapacity(SIM_CAPACITY_STATUS_PAIRS), resend);
}

@inline function pairAt(number: u32): StatusPair {
  return changetype<StatusPair>(pairs + <usize>number * STATUS_PAIR_BYTES);
}

/** Sends updates when adapters have noticed a link change: the host of the adapter at one end notifies its peers. */
export function reportPorts(port: SimPort): void {
  const peer = portAt(port.peer);
  for (let number: u32 = 0; number < pairCount; number++) {
    const pair = pairAt(number);
    if (pair.adapter == port.node || pair.adapter == peer.node) report(pair, number);
  }
}

function report(pair: StatusPair, number: u32): void {
  const ports = portsOf(pair);
  if (ports == pair.ports) return;
  if (pair.left) cancel(firstEvent + number);
  pair.ports = ports;
  pair.id++;
  pair.left = pair.sends;
  send(pair, number);
}

/** Bit i is set if the adapter's port into plane i works. The adapter's first port leads to its host. */
function portsOf(pair: StatusPair): u32 {
  const adapter = nodeAt(pair.adapter);
  let ports: u32 = 0;
  for (let plane: u32 = 0; plane + 1 < adapter.portCount; plane++)
    if (seemsUp(portAt(adapter.firstPort + 1 + plane))) ports |= 1 << plane;
  return ports;
}

/** Tells the peer's adapter which ports work. */
function applyPorts(pair: StatusPair, ports: u32): void {
  const planes = nodeAt(pair.adapter).portCount - 1;
  setPeerPorts(nodeAt(pair.peerAdapter), pair.host, ~ports & ((1 << planes) - 1));
}

/** Sends the last update, which may be sent `left` more times. */
function send(pair: StatusPair, number: u32): void {
  const flow = flowAt(pair.flow);
  const index = makePacket(PACKET_ENDPOINT_REQUEST, pair.flow, flow.ackClass, pair.requestBytes);
  if (index == SIM_NONE) return;
  const packet = packetAt(index);
  packet.sequence = NO_SEQUENCE;
  packet.sentPs = nowPs;
  if (selecting) setSourcePort(packet, FIRST_ENTROPY_PORT + pair.sends - pair.left);
  const part = mrcOf(packet);
  part.trimmed = <u8>TRIM_NONE;
  part.asks = 0;
  part.again = 0;
  part.probe = <u8>PROBE_STATUS;
  part.cause = pair.id;
  part.mapFirst = number;
  part.map = pair.ports;
  leave(flow, packet, index, pair.host);
  pair.left--;
  const intervalPs = max<i64>(<i64>flow.timeoutPs, <i64>flow.pathTimeoutPs);
  if (intervalPs == 0) pair.left = 0;
  if (pair.left) schedule(firstEvent + number, nowPs + intervalPs, drawOrder());
}

/** Sends an endpoint packet as data of the flow, or as a response, depending on its direction. */
function leave(flow: SimFlow, packet: SimPacket, index: u32, host: u32): void {
  packet.kind = <u8>(flow.source == host ? PACKET_DATA : PACKET_ACK);
  response(portAt(nodeAt(host).firstPort), packet.cls, index, nowPs);
}

function resend(number: u32): void {
  send(pairAt(number), number);
}

@inline export function isEndpointPacket(packet: SimPacket): bool {
  return pairCount != 0 && (packet.kind == PACKET_DATA || packet.kind == PACKET_ACK) &&
    (flowAt(packet.flow).flags & FLOW_MRC) != 0 && mrcOf(packet).probe >= <u8>PROBE_STATUS;
}

/** An endpoint request or response reaches its host. */
export function takeEndpointPacket(index: u32): void {
  const part = mrcOf(packetAt(index));
  const number = <u32>part.mapFirst;
  const pair = pairAt(number);
  if (part.probe == PROBE_STATUS) return respond(pair, index);
  if (pair.left && part.cause == pair.id) {
    pair.left = 0;
    cancel(firstEvent + number);
  }
  consume(index);
}

function respond(pair: StatusPair, index: u32): void {
  const packet = packetAt(index);
  const part = mrcOf(packet);
  if (part.cause > pair.taken) {
    pair.taken = part.cause;
    applyPorts(pair, <u32>part.map);
  }
  turnAround(index, PACKET_ENDPOINT_RESPONSE, packet.cls, pair.responseBytes);
  part.probe = <u8>PROBE_STATUS_RESPONSE;
  leave(flowAt(pair.flow), packet, index, pair.peer);
}
