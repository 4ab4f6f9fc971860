/**
 * Events at the sender of a flow of `tolerant`: ACKs, and checks for losses by time.
 *
 * Order   acknowledged bytes; losses; the next check; completion, or a loss reported to congestion control; congestion control; the port
 * Check   one event per flow, for the packet that will be lost next. If this packet is acknowledged before, the event is rescheduled when due
 */
import { LOSS_FAST } from '../../../src/abi/ack-layout';
import { FLOW_DONE } from '../../../src/abi/sim-codes';
import { messagesAcknowledged } from '../connections/completions';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { addSource } from '../event-sources';
import { flowAt, simCapacity } from '../network';
import { serveFlow } from '../nic';
import { control, finish, lose } from '../sender';
import { transportOf } from './memory';
import * as tolerant from './tolerant';
import { FLOW_CONNECTION } from '../../records/flows';
import { SimFlow, SimPacket } from '../../records/network';
import { SIM_CAPACITY_LOSS_CHECKS } from '../../records/sim-run';
import { FlowTransport } from '../../records/transports';

/** Number of the first check event; there is one per flow. */
let lossChecks: u32 = 0;

/** Adds the events that check flows of `tolerant` for losses by time. */
export function addLossChecks(): void {
  lossChecks = addSource(simCapacity(SIM_CAPACITY_LOSS_CHECKS), checkLosses);
}

/** Handles an ACK of an unfinished flow with FLOW_TOLERANT. */
export function acknowledgeTolerant(flow: SimFlow, packet: SimPacket, sincePs: i64): void {
  const own = transportOf(packet.flow);
  const acked = tolerant.takeAck(flow, own, packet);
  const isLoss = detectLosses(flow, packet.flow, own);
  const isAll = flow.sndUna >= flow.size;
  if (flow.flags & FLOW_CONNECTION) messagesAcknowledged(flow, packet.flow);
  else if (isAll) finish(flow);
  if (!isAll && isLoss) lose(flow, packet.flow, LOSS_FAST);
  control(flow, packet, acked, sincePs);
  serveFlow(flow, packet.flow, sincePs);
}

function checkLosses(number: u32): void {
  const flow = flowAt(number);
  const own = transportOf(number);
  own.isCheckSet = 0;
  if (flow.flags & FLOW_DONE || !detectLosses(flow, number, own)) return;
  lose(flow, number, LOSS_FAST);
  serveFlow(flow, number, nowPs);
}

function detectLosses(flow: SimFlow, number: u32, own: FlowTransport): bool {
  const isLoss = tolerant.findLost(flow, own);
  const timePs = own.isCheckSet ? tolerant.NO_CHECK : tolerant.nextLossPs(own);
  if (timePs != tolerant.NO_CHECK) {
    own.isCheckSet = 1;
    schedule(lossChecks + number, timePs, drawOrder());
  }
  tolerant.selectNextPacket(flow, own);
  return isLoss;
}
