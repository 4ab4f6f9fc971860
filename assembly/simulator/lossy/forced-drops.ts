/** Drops that a scenario requests at switches: the n-th arrival of a data packet, or of a response with a given expected byte. */
import { PACKET_ACK, PACKET_NACK, PACKET_NAK, PACKET_READ_REQUEST, PACKET_RNR_NAK } from '../../../src/abi/sim-codes';
import { isMessage, messageOf } from '../connections/memory';
import { isData } from '../packets';
import { forcedDropCount, forcedDrops } from './network';
import { SimPacket } from '../../records/network';
import { FORCED_DROP_BYTES, ForcedDrop } from '../../records/lossy';

/** Whether this arrival is dropped. */
export function isForcedOut(packet: SimPacket): bool {
  const kind = packet.kind;
  const isResponse = kind == PACKET_ACK || kind == PACKET_NAK || kind == PACKET_READ_REQUEST ||
    kind == PACKET_RNR_NAK ||
    kind == PACKET_NACK;
  if (!isResponse && !isData(packet)) return false;
  let isOut = false;
  for (let i: u32 = 0; i < forcedDropCount; i++) {
    const drop = changetype<ForcedDrop>(forcedDrops + <usize>i * FORCED_DROP_BYTES);
    if (!isNamed(packet, drop.flow, drop.sequence)) continue;
    if ((drop.isResponse != 0) != isResponse) continue;
    const seen = drop.seen + 1;
    drop.seen = seen;
    if (seen == drop.arrival) isOut = true;
  }
  return isOut;
}

/**
 * Whether a packet is the one with a given byte of a flow. A message of a QP with several messages begins at a whole packet of its
 * QP. One that was posted to a QP in the error state has no sequence numbers, and so no packet.
 */
function isNamed(packet: SimPacket, flow: u32, byte: f64): bool {
  if (!isMessage(flow)) return flow == packet.flow && byte == <f64>packet.sequence;
  const message = messageOf(flow);
  const hasNumbers = message.end > message.first;
  return hasNumbers && message.leader == packet.flow && byte == <f64>(packet.sequence - message.first);
}
