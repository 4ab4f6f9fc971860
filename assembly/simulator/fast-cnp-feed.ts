/**
 * A Fast CNP arrives at its flow's sender: the QP is looked up by (original destination, destination QPN) in the engine's table,
 * as in the draft, although the simulator knows its number.
 */
import { ACK_HOP_COUNT, ACK_PARTIAL, ACK_TELEMETRY, TELEMETRY_EXACT } from '../../src/abi/ack-layout';
import { OUTCOME_CNP_HANDLED, OUTCOME_FAST_CNP_ACCEPTED, OUTCOME_FAST_CNP_DUPLICATE } from '../../src/abi/codes';
import { ADDRESS_ARGUMENT } from '../../src/abi/layout';
import { clearActions } from '../memory/actions';
import { ackEventBytes, ackEvents } from '../memory/map';
import { admitFastCnp, fastCnp } from '../rp/notifications';
import { lookUp } from '../table/address-table';
import { flowWord, flows as flowTable } from '../table/flow-table';
import { nowPs } from './event-queue';
import { fastCnpTelemetry } from './network';
import { writeHops } from './telemetry';
import { SimFlow, SimPacket } from '../records/network';

/** Bytes 0 and 1 of the addresses fd00::n; zeros and the node's number n follow. */
const PREFIX: u64 = 0xfd;

/** Writes the address of a node to the engine's address argument. */
export function writeAddress(node: u32): void {
  store<u64>(ADDRESS_ARGUMENT, PREFIX);
  store<u64>(ADDRESS_ARGUMENT, bswap<u64>(<u64>node), 8);
}

/** Passes a Fast CNP to the engine; returns whether the QP reacted. */
export function feedFastCnp(flow: SimFlow, packet: SimPacket): bool {
  clearActions();
  writeAddress(flow.destination);
  if (admitFastCnp(ADDRESS_ARGUMENT) != OUTCOME_FAST_CNP_ACCEPTED) return false;
  const entry = lookUp(flowTable, ADDRESS_ARGUMENT, flowWord(flow.source, qpnOf(packet.flow)));
  const outcome = fastCnp(entry, <f64>nowPs, traceOf(packet), 0);
  if (outcome == OUTCOME_FAST_CNP_DUPLICATE) flow.duplicates++;
  if (outcome != OUTCOME_FAST_CNP_ACCEPTED && outcome != OUTCOME_CNP_HANDLED) return false;
  flow.fastCnps++;
  return true;
}

/** For option 2: 1 + index of the AckEvent with the hops up to the congested switch; 0 if the packet has none. */
function traceOf(packet: SimPacket): usize {
  if (!fastCnpTelemetry || !packet.hops || !ackEventBytes) return 0;
  store<u8>(ackEvents, TELEMETRY_EXACT, ACK_TELEMETRY);
  store<u8>(ackEvents, packet.hops, ACK_HOP_COUNT);
  store<u8>(ackEvents, 1, ACK_PARTIAL);
  writeHops(packet, ackEvents);
  return 1;
}

/** QPN of a flow, at both ends. */
@inline function qpnOf(flow: u32): u32 {
  return flow + 1;
}
