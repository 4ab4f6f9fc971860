/**
 * Events at the sender of an MRC flow: SACKs and NACKs.
 *
 * Order   acknowledged bytes; losses; the next packet; completion, or a loss reported to congestion control; congestion control; the port
 * Probe   last, if the window is still closed (mrc-window-probes.ts)
 * NACK    congestion control is notified if the packet was trimmed, but not if the receiver rejected it. A NACK counts as a retry, as a
 *         timeout does; any newly acknowledged packet resets the count. A NACK of an unexpected event ends the QP at once
 *
 * Source  OCP MRC 1.0 by its readers (docs/specs/mrc-transport.md): 3.5, 3.6.
 */
import { LOSS_FAST } from '../../../src/abi/ack-layout';
import { FLOW_DONE } from '../../../src/abi/sim-codes';
import { messagesAcknowledged } from '../connections/completions';
import { serveFlow } from '../nic';
import { control, finish, lose, reportNack } from '../sender';
import { lossesOf, mrcOf, transportOf } from './memory';
import * as mrc from './mrc';
import { takeProbeAck } from './mrc-probes';
import { probeShutWindow } from './mrc-window-probes';
import { packetsIn, payloadOf } from './numbers';
import { failRemotely, mayRetry } from './retries';
import { FLOW_CONNECTION } from '../../records/flows';
import { SimFlow, SimPacket } from '../../records/network';
import { FlowTransport, NACK_TRIMMED, NACK_UNEXPECTED_EVENT, PROBE_PATH,
  TRIM_LAST_HOP } from '../../records/transports';

/** Handles a SACK of an unfinished flow with FLOW_MRC. */
export function takeSack(flow: SimFlow, packet: SimPacket, sincePs: i64): void {
  if (mrcOf(packet).probe == PROBE_PATH) return takeProbeAck(flow, packet);
  const own = transportOf(packet.flow);
  const acked = mrc.takeSack(flow, own, packet);
  const isLoss = mrc.findLost(flow, own);
  mrc.selectNextPacket(flow, own);
  const isAll = flow.sndUna >= flow.size;
  if (flow.flags & FLOW_CONNECTION) messagesAcknowledged(flow, packet.flow);
  else if (isAll) finish(flow);
  if (!isAll && isLoss) lose(flow, packet.flow, LOSS_FAST);
  control(flow, packet, acked, sincePs);
  serveFlow(flow, packet.flow, sincePs);
  probeShutWindow(flow, packet.flow, own, sincePs);
}

/** Handles a NACK of a flow with FLOW_MRC. */
export function takeNack(flow: SimFlow, packet: SimPacket, sincePs: i64): void {
  if (flow.flags & FLOW_DONE) return;
  const own = transportOf(packet.flow);
  lossesOf(packet.flow).naks++;
  if (mrcOf(packet).reason == NACK_UNEXPECTED_EVENT) failRemotely(flow);
  else if (mrc.takeNack(flow, own, packet)) retransmitNacked(flow, own, packet);
  else return;
  serveFlow(flow, packet.flow, sincePs);
  probeShutWindow(flow, packet.flow, own, sincePs);
}

function retransmitNacked(flow: SimFlow, own: FlowTransport, packet: SimPacket): void {
  mrc.selectNextPacket(flow, own);
  if (!mayRetry(flow, own) || mrcOf(packet).reason != NACK_TRIMMED) return;
  const payloadBytes = payloadOf(flow, packetsIn(flow, packet.sequence));
  reportNack(flow, packet, payloadBytes, mrcOf(packet).trimmed == TRIM_LAST_HOP);
}
