/**
 * Nominal bytes in flight of an MRC sender, counted by the received bytes of SACKs: the window of congestion control limits them
 * if `hosts.mrc.inFlight` is `received-bytes`. The nominal size of a packet is its UDP length + 40.
 *
 *   sent      + its nominal size, also of a retransmission
 *   lost      - its nominal size: named by a NACK, inferred from SACKs, or by a timeout
 *   found     + its nominal size: it was lost, and is acknowledged before it is retransmitted; the received bytes include it
 *   SACK      - 256 (received - those of the newest SACK), modulo 2^24 units with a sign; an older SACK changes nothing
 *
 * All copies of a packet but one are lost, and a receiver counts one copy, so nothing stays in flight. The sum is negative once everything has
 * arrived, by less than a unit, as SACKs round up. With no packet in flight it is never above 0, so that a window does not stay closed.
 *
 * Source      OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md): 3.2, 3.5, 3.6; `lost` without a NACK, and `found`: Ultra Ethernet's
 *             reference simulator (docs/specs/uet-reference.md); docs/reference/sources.md, "Bytes in flight of MRC".
 */
import { messageAt } from '../connections/positions';
import { streamOf } from '../connections/memory';
import { payloadOf } from './numbers';
import { FLOW_CONNECTION } from '../../records/flows';
import { SimFlow, SimPacket } from '../../records/network';
import { FlowTransport } from '../../records/transports';

/** A unit of received bytes is 2^8 bytes. */
const UNIT_SHIFT: i64 = 8;
/** Bits of an i32 beyond the 24 of received bytes. */
const SPARE_BITS: i32 = 8;

export function noteSent(flow: SimFlow, own: FlowTransport, packet: SimPacket): void {
  own.nominalInFlight += <i64>(packet.lenBytes - flow.headerBytes + own.nominalHeaderBytes);
}

export function noteLost(flow: SimFlow, own: FlowTransport, number: i64): void {
  own.nominalInFlight -= nominalOf(flow, own, number);
}

export function noteFound(flow: SimFlow, own: FlowTransport, number: i64): void {
  own.nominalInFlight += nominalOf(flow, own, number);
}

/** Handles the received bytes of a SACK, in units, 24 bits. */
export function noteReceived(own: FlowTransport, units: u32): void {
  const newer = <i32>(units - own.receivedUnits) << SPARE_BITS >> SPARE_BITS;
  if (newer <= 0) return;
  own.receivedUnits = units;
  own.nominalInFlight -= <i64>newer << UNIT_SHIFT;
}

/** Nominal size of a packet that was in flight. Each message of a QP may end with a short packet. */
function nominalOf(flow: SimFlow, own: FlowTransport, number: i64): i64 {
  const header = <i64>own.nominalHeaderBytes;
  if (!(flow.flags & FLOW_CONNECTION)) return payloadOf(flow, number) + header;
  const sequence = number * <i64>flow.mtuBytes;
  const message = messageAt(streamOf(flow.qp), sequence);
  return min<i64>(<i64>flow.mtuBytes, message.first + message.sizeBytes - sequence) + header;
}
