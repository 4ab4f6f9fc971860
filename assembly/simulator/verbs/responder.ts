/**
 * The responder of an RDMA READ: streams responses from the requested byte on, at the rate of its congestion control.
 *
 *   first request   its QP joins the list of its port
 *   later ones      snd_nxt = the requested byte: everything from there on is retransmitted. The loss is reported as with a NAK
 *
 * Responses are not acknowledged, so no window applies and no timer runs here.
 *
 * Source  IBTA vol. 1, 9.7.5.1.9 (duplicate READ requests are executed again).
 */
import { LOSS_FAST } from '../../../src/abi/ack-layout';
import { FLOW_DONE } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { portAt } from '../network';
import { joinNic, serveFlow, serveNic } from '../nic';
import { lose } from '../sender';
import { verbOf } from './memory';
import { SimFlow, SimPacket } from '../../records/network';

/** A READ request arrives. */
export function takeRequest(flow: SimFlow, packet: SimPacket): void {
  if (flow.flags & FLOW_DONE) return;
  const own = verbOf(packet.flow);
  flow.sndNxt = packet.sequence;
  if (own.responding) {
    lose(flow, packet.flow, LOSS_FAST);
    return serveFlow(flow, packet.flow, nowPs);
  }
  own.responding = 1;
  flow.nextAvailPs = nowPs;
  const port = portAt(flow.sourcePort);
  joinNic(port, packet.flow);
  serveNic(port, nowPs);
}
