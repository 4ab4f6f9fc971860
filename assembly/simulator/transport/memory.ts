/** The records of transports in memory. Flows of the default transport have only counters. */
import { SIM_FLOW_LOSSES, SIM_TRANSPORTS } from '../../../src/abi/sim-codes';
import { allocate } from '../../memory/map';
import { flowCount, rule, simCapacity } from '../network';
import { packetPart } from '../packets';
import { publish } from '../regions';
import { SIM_CAPACITY_TRANSPORT_BYTES, RULE_SACK_BYTES } from '../../records/sim-run';
import { SimFlow, SimPacket } from '../../records/network';
import { FLOW_LOSSES_BYTES, FlowLosses, FlowTransport, MrcPacket } from '../../records/transports';

let flowLosses: usize = 0;

/**
 * Offset of a response's SACK fields in the additional part of its packet. IRN: first byte of the packet that arrived. `tolerant`: a packet
 * number, and a bitmap of the 64 packets from there on. MRC: an `MrcPacket`.
 */
let sackOffset: usize = 0;
const MAP_OFFSET: usize = 8;

export function allocateTransports(): void {
  flowLosses = publish(SIM_FLOW_LOSSES, allocate(<usize>flowCount * FLOW_LOSSES_BYTES));
  publish(SIM_TRANSPORTS, allocate(simCapacity(SIM_CAPACITY_TRANSPORT_BYTES)));
}

/** Places SACKs after the `bytes` of other additional parts of packets, a multiple of 8; returns the total size. */
export function placeSacks(bytes: u32): u32 {
  sackOffset = bytes;
  return bytes + <u32>rule(RULE_SACK_BYTES);
}

@inline export function lossesOf(flow: u32): FlowLosses {
  return changetype<FlowLosses>(flowLosses + <usize>flow * FLOW_LOSSES_BYTES);
}

/** The transport record of a flow with FLOW_OWN_TRANSPORT. */
@inline export function transportOf(flow: u32): FlowTransport {
  return changetype<FlowTransport>(<usize>lossesOf(flow).transport);
}

/** The additional fields of a packet of a flow with FLOW_MRC. */
@inline export function mrcOf(packet: SimPacket): MrcPacket {
  return changetype<MrcPacket>(packetPart(packet) + sackOffset);
}

/** IRN: first byte of the packet that a response names, -1: none. `tolerant`: first packet of the response's bitmap. */
@inline export function sackOf(packet: SimPacket): i64 {
  return load<i64>(packetPart(packet) + sackOffset);
}

@inline export function setSack(packet: SimPacket, firstByte: i64): void {
  store<i64>(packetPart(packet) + sackOffset, firstByte);
}

/** The bitmap of a response of `tolerant`: bit i is set if the receiver holds packet `sackOf` + i. */
@inline export function sackMapOf(packet: SimPacket): u64 {
  return load<u64>(packetPart(packet) + sackOffset + MAP_OFFSET);
}

@inline export function setSackMap(packet: SimPacket, map: u64): void {
  store<u64>(packetPart(packet) + sackOffset + MAP_OFFSET, map);
}

/** Counts a data packet that arrived ahead of the expected byte; returns how far ahead, in packets. */
export function noteAhead(flow: SimFlow, packet: SimPacket): u32 {
  const own = lossesOf(packet.flow);
  const mtuBytes = <i64>flow.mtuBytes;
  const packets = <u32>((packet.sequence - flow.expected + mtuBytes - 1) / mtuBytes);
  own.outOfOrder++;
  if (packets > own.depth) own.depth = packets;
  return packets;
}
