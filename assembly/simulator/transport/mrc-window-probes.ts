/**
 * Probes of a closed window. Congestion control may reduce the window below the bytes in flight, or a receiver that announces its range (dynamic
 * MPR) may make it shorter than what is in flight, while no packet in flight requests a SACK. Then the receiver waits for more bytes and the sender
 * for a SACK, and only the retransmission timeout would resolve it.
 *
 *   sent   after a SACK, a NACK or a timeout, if there is something to send, the window or the announced range has no room, and no packet in flight
 *          requests a SACK or is a retransmission. One at a time: the next one may follow after the SACK of the last probe or of a packet sent later, or after a
 *          timeout
 *   path   that of the flow's next packet
 *   SACK   handled like that of a data packet without payload: packets received, round trip, mark. The probe counts as sent after all packets
 *          before it, so lost packets at the end of the flow are detected by time (mrc.ts)
 *
 * Source      a probe where SACKs are missing: OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md), 3.7; docs/reference/sources.md, "A shut window of MRC".
 * Deviations  no probe if only a CNP has closed the window, as DCQCN's timers open it again.
 */
import { FLOW_DONE, PACKET_DATA, PACKET_PROBE, SIM_NONE } from '../../../src/abi/sim-codes';
import { detouring, selecting } from '../balancing/network';
import { detoursSoFar } from '../balancing/source-ports';
import { windowOf } from '../engine-feed';
import { nowPs } from '../event-queue';
import { portAt, total } from '../network';
import { response } from '../nic';
import { makePacket, packetAt } from '../packets';
import { selectProbePath } from '../path-selection/select';
import { MAP_PACKETS, bitsFrom } from './bitmap';
import { mrcOf } from './memory';
import { holesFrom } from './mrc';
import { packetsIn } from './numbers';
import { hasWindowRoom } from './room';
import { hasReceiverRoom } from './tolerant';
import { TOTAL_PROBES_LOST } from '../../records/sim-run';
import { SimFlow } from '../../records/network';
import { FlowTransport, PROBE_WINDOW, TRIM_NONE } from '../../records/transports';

/** Sequence number of probes; no data packet has it. */
const NO_SEQUENCE: i64 = -1;
/** Window probes have numbers with bit 15 set; those of path probes begin at 0. */
const FIRST_ID: u32 = 0x8000;

/** Sends a probe if the flow waits for a SACK that the receiver will not send. `sincePs`: when the current event was scheduled. */
@inline export function probeShutWindow(flow: SimFlow, number: u32, own: FlowTransport, sincePs: i64): void {
  if (own.ackRequestRing && isStalled(flow, own, sincePs)) sendProbe(flow, number, own);
}

function isStalled(flow: SimFlow, own: FlowTransport, sincePs: i64): bool {
  if (flow.flags & FLOW_DONE || flow.sndNxt >= flow.size || own.probedPs > own.newestSentPs) return false;
  return !hasRoom(flow, own, sincePs) && !isSackExpected(flow, own);
}

/** Whether the window and the range announced last allow the next packet. */
function hasRoom(flow: SimFlow, own: FlowTransport, sincePs: i64): bool {
  if (own.announcesRange && !hasReceiverRoom(flow, own)) return false;
  return hasWindowRoom(flow, own, windowOf(flow, sincePs));
}

/** Whether the receiver responds to any packet in flight with an immediate SACK. */
function isSackExpected(flow: SimFlow, own: FlowTransport): bool {
  const end = packetsIn(flow, flow.sentUpTo);
  for (let first = packetsIn(flow, flow.sndUna); first < end; first += MAP_PACKETS)
    if (holesFrom(own, first, end) & bitsFrom(own.ackRequestRing, own.sackedMask, first)) return true;
  return false;
}

function sendProbe(flow: SimFlow, number: u32, own: FlowTransport): void {
  const index = makePacket(PACKET_PROBE, number, flow.dataClass, own.probeBytes);
  if (index == SIM_NONE) return;
  if (own.awaitsProbe) total(TOTAL_PROBES_LOST, 1);
  own.awaitsProbe = 1;
  own.probeId = FIRST_ID | (own.probeId + 1);
  if (own.probeId > u16.MAX_VALUE) own.probeId = FIRST_ID;
  own.probedPs = nowPs;
  own.probedEnd = packetsIn(flow, flow.sentUpTo);
  const packet = packetAt(index);
  packet.kind = <u8>PACKET_DATA;
  packet.sequence = NO_SEQUENCE;
  packet.sentPs = nowPs;
  if (detouring) packet.detours = detoursSoFar(number);
  if (selecting) selectProbePath(flow, number, packet);
  const part = mrcOf(packet);
  part.trimmed = <u8>TRIM_NONE;
  part.asks = 0;
  part.again = 0;
  part.probe = <u8>PROBE_WINDOW;
  part.cause = own.probeId;
  response(portAt(flow.sourcePort), flow.dataClass, index, nowPs);
}
