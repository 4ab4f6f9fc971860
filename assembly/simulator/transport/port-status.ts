/**
 * Port status updates of MRC: hosts of several planes tell their peers which of their ports work.
 *
 *   update    an endpoint request with a bit for each port that works, to each host with which it shares a QP of MRC, when its adapter learns that a port
 *             has gone down or come up; of headers alone, in the class of control packets
 *   response  an endpoint response with the number of the request, from the peer at once
 *   applied   the peer's adapter leaves out the planes of the ports that do not work, for packets to this host alone (detours.ts); an older update than
 *             the last one applied has its response alone
 *   lost      retransmitted after the timeout of the QP that carries it, on another entropy, until its response comes or it has been sent `sends` times
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md, 3.9; docs/specs/mrc-formats.md, 2.10); docs/reference/sources.md, "Port status updates".
 * Deviations  QPs are there from the start, so peers know of all updates; the first flow between two hosts carries theirs.
 */
import { FLOW_MRC, PACKET_ACK, PACKET_DATA, PACKET_ENDPOINT_REQUEST, PACKET_ENDPOINT_RESPONSE,
  SIM_NONE } from '../../../src/abi/sim-codes';
import { SIM_PORT_STATUS } from '../../../src/abi/sim-regions';
import { allocate } from '../../memory/map';
import { selecting } from '../balancing/network';
import { seemsUp, setPeerPorts } from '../detours';
import { cancel, drawOrder, nowPs, schedule } from '../event-queue';
import { addSource } from '../event-sources';
import { flowAt, nodeAt, portAt, simCapacity } from '../network';
import { response } from '../nic';
import { consume, makePacket, packetAt, turnAround } from '../packets';
import { setSourcePort } from '../path-selection/memory';
import { publish } from '../regions';
import { mrcOf } from './memory';
import { FIRST_ENTROPY_PORT } from '../../records/balancing';
import { SIM_CAPACITY_STATUS_PAIRS } from '../../records/sim-capacity';
import { SimFlow, SimPacket, SimPort } from '../../records/network';
import { PROBE_STATUS, PROBE_STATUS_RESPONSE, STATUS_PAIR_BYTES, StatusPair,
  TRIM_NONE } from '../../records/transports';

/** No packet of the flow has this sequence number. */
const NO_SEQUENCE: i64 = -1;

let pairCount: u32 = 0;
let pairs: usize = 0;
/** First event of the retransmissions, one per pair. */
let firstEvent: u32 = 0;

export function allocatePortStatus(): void {
  pairCount = simCapacity(SIM_CAPACITY_STATUS_PAIRS);
  pairs = publish(SIM_PORT_STATUS, allocate(<usize>pairCount * STATUS_PAIR_BYTES));
}

/** All ports work. */
export function beginPortStatus(): void {
  for (let number: u32 = 0; number < pairCount; number++) applyPorts(pairAt(number), portsOf(pairAt(number)));
}

/** The response to an update of a pair has not come in time. */
export function addStatusTimers(): void {
  firstEvent = addSource(simCapacity(SIM_CAPACITY_STATUS_PAIRS), resend);
}

@inline function pairAt(number: u32): StatusPair {
  return changetype<StatusPair>(pairs + <usize>number * STATUS_PAIR_BYTES);
}

/** Adapters have learnt of a change of a link: the host of the adapter at one end tells its peers. */
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

/** Bit i: the adapter's port into plane i works. Its first port leads to its host. */
function portsOf(pair: StatusPair): u32 {
  const adapter = nodeAt(pair.adapter);
  let ports: u32 = 0;
  for (let plane: u32 = 0; plane + 1 < adapter.portCount; plane++)
    if (seemsUp(portAt(adapter.firstPort + 1 + plane))) ports |= 1 << plane;
  return ports;
}

/** The peer's adapter knows which ports work. */
function applyPorts(pair: StatusPair, ports: u32): void {
  const planes = nodeAt(pair.adapter).portCount - 1;
  setPeerPorts(nodeAt(pair.peerAdapter), pair.host, ~ports & ((1 << planes) - 1));
}

/** Sends the last update, for which `left` sends are left. */
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

/** On its way an endpoint packet is data, or a response of the flow, as its direction is. */
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
