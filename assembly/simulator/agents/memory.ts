/** QPs controlled by agents: one record per flow, or none without agents; and counters of the feedback to a sender. */
import { FLOW_AGENT_RATE, PACKET_ACK, PACKET_CNP, PACKET_FAST_CNP, PACKET_NAK,
  SIM_AGENTS } from '../../../src/abi/sim-codes';
import { allocate } from '../../memory/map';
import { nowPs } from '../event-queue';
import { flowCount, simCapacity } from '../network';
import { publish } from '../regions';
import { timeAtRate } from '../serialisation';
import { SIM_CAPACITY_AGENTS } from '../../records/sim-run';
import { QP_AGENT_BYTES, QpAgent } from '../../records/flows';
import { SimFlow, SimPacket } from '../../records/network';

/** Whether flows have these records. */
export let hasAgents: bool = false;
let agents: usize = 0;

export function allocateAgents(): void {
  hasAgents = simCapacity(SIM_CAPACITY_AGENTS) != 0;
  agents = hasAgents ? publish(SIM_AGENTS, allocate(<usize>flowCount * QP_AGENT_BYTES)) : 0;
}

/** Initialises all QPs, without actions. */
export function beginAgents(): void {
  if (!hasAgents) return;
  memory.fill(agents, 0, <usize>flowCount * QP_AGENT_BYTES);
  for (let flow: u32 = 0; flow < flowCount; flow++) agentOf(flow).rttMinPs = Infinity;
}

/** The record of the flow that leads a QP. */
@inline export function agentOf(flow: u32): QpAgent {
  return changetype<QpAgent>(agents + <usize>flow * QP_AGENT_BYTES);
}

/** Called when a data packet begins to leave; an agent's rate determines the earliest time of the next one. */
export function noteSent(flow: SimFlow, lenBytes: u32): void {
  const own = agentOf(flow.qp);
  own.sentPs = nowPs;
  own.sentLenBytes = lenBytes;
  own.sentBytes += <f64>(lenBytes - flow.headerBytes);
  if (flow.flags & FLOW_AGENT_RATE) flow.nextAvailPs = nowPs + timeAtRate(lenBytes, own.rateBps);
}

/** Counts a packet that reaches its sender. */
export function noteFeedback(packet: SimPacket): void {
  const own = agentOf(packet.flow);
  const kind = <u32>packet.kind;
  if (kind == PACKET_CNP || kind == PACKET_FAST_CNP) own.cnps++;
  if (kind != PACKET_ACK && kind != PACKET_NAK) return;
  const rttPs = <f64>(nowPs - packet.sentPs);
  own.acks++;
  own.markedAcks += packet.echo;
  own.rttSumPs += rttPs;
  own.rttMinPs = min<f64>(own.rttMinPs, rttPs);
}
