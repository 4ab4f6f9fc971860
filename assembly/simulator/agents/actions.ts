/**
 * An agent's actions on a QP, between two slices of the run.
 *
 *   rate     paces the QP from now on, regardless of its algorithm; the running gap is recomputed from the last packet
 *   window   limits the bytes in flight, instead of the algorithm's window
 *   0        returns control to the algorithm, which has handled all events in the meantime
 *
 * The QP's port is woken at the time of the action, because a shorter gap or a larger window may allow it to send immediately.
 */
import { FLOW_AGENT_RATE, FLOW_AGENT_WINDOW, FLOW_DONE, FLOW_STARTED, FLOW_TOLERANT,
  SIM_NONE } from '../../../src/abi/sim-codes';
import { messageOf, streamOf } from '../connections/memory';
import { bytesInFlight } from '../connections/positions';
import { rateAt, windowNow } from '../engine-feed';
import { beginInstant, nowPs } from '../event-queue';
import { flowAt, portAt } from '../network';
import { wakeNow } from '../nic';
import { qpChanged } from '../ready-qps';
import { timeAtRate } from '../serialisation';
import { transportOf } from '../transport/memory';
import * as tolerant from '../transport/tolerant';
import { agentOf } from './memory';
import { QpAgent, FLOW_CONNECTION } from '../../records/flows';
import { SimFlow } from '../../records/network';

/** Applies the host's actions in the record of a flow that leads a QP, at a time not before the last event. */
export function applyActions(number: u32, timePs: i64): void {
  const flow = flowAt(number);
  const own = agentOf(number);
  flow.flags &= ~(FLOW_AGENT_RATE | FLOW_AGENT_WINDOW);
  if (own.rateBps != 0) flow.flags |= FLOW_AGENT_RATE;
  if (own.windowBytes) flow.flags |= FLOW_AGENT_WINDOW;
  if (!(flow.flags & FLOW_STARTED) || flow.flags & FLOW_DONE) return;
  beginInstant(timePs);
  renewGap(flow, own);
  qpChanged(flow, number);
  wakeNow(portAt(flow.sourcePort));
}

/** Recomputes the running gap at the current rate, if the agent has changed it. */
function renewGap(flow: SimFlow, own: QpAgent): void {
  if (own.rateBps == own.gapRateBps) return;
  own.gapRateBps = own.rateBps;
  if (own.sentLenBytes) flow.nextAvailPs = own.sentPs + timeAtRate(own.sentLenBytes, rateAt(flow, <f64>nowPs));
}

/** Updates window, acknowledged bytes and bytes in flight in the record of a QP. */
export function observe(number: u32): void {
  const flow = flowAt(number);
  const own = agentOf(number);
  own.windowNowBytes = <u32>min<i64>(windowNow(flow), u32.MAX_VALUE);
  own.ackedBytes = <f64>(flow.sndUna - unusedBefore(flow, number));
  own.inFlightBytes = <f64>(flow.flags & FLOW_TOLERANT ?
    tolerant.bytesInFlight(flow, transportOf(number)) :
    bytesInFlight(flow));
}

/** Number of unused sequence numbers before the first unacknowledged one. */
function unusedBefore(flow: SimFlow, number: u32): i64 {
  if (!(flow.flags & FLOW_CONNECTION)) return 0;
  const stream = streamOf(number);
  return stream.acking == SIM_NONE ? stream.padding : messageOf(stream.acking).padding;
}
