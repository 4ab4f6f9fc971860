/**
 * An agent's actions on a QP, between two slices of the run.
 *
 *   rate     the QP is paced by it from now on, whatever its algorithm does; the gap that runs is measured again from the last packet
 *   window   the bytes that may be in flight, instead of the algorithm's window
 *   0        gives the QP back to its algorithm, which has seen all events meanwhile
 *
 * The port of the QP is woken at the time of the action, because a shorter gap or a larger window may let it send at once.
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
import { QpAgent } from '../../records/agents';
import { FLOW_CONNECTION } from '../../records/connections';
import { SimFlow } from '../../records/network';

/** Applies what the host wrote into the record of a flow that leads a QP, at a time that no event has passed. */
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

/** The running gap, at the rate that holds now, if the agent has changed it. */
function renewGap(flow: SimFlow, own: QpAgent): void {
  if (own.rateBps == own.gapRateBps) return;
  own.gapRateBps = own.rateBps;
  if (own.sentLenBytes) flow.nextAvailPs = own.sentPs + timeAtRate(own.sentLenBytes, rateAt(flow, <f64>nowPs));
}

/** Brings window and bytes acknowledged and in flight in the record of a QP up to date. */
export function observe(number: u32): void {
  const flow = flowAt(number);
  const own = agentOf(number);
  own.windowNowBytes = <u32>min<i64>(windowNow(flow), u32.MAX_VALUE);
  own.ackedBytes = <f64>(flow.sndUna - unusedBefore(flow, number));
  own.inFlightBytes = <f64>(flow.flags & FLOW_TOLERANT ?
    tolerant.bytesInFlight(flow, transportOf(number)) :
    bytesInFlight(flow));
}

/** Sequence numbers without bytes before the first unacknowledged one. */
function unusedBefore(flow: SimFlow, number: u32): i64 {
  if (!(flow.flags & FLOW_CONNECTION)) return 0;
  const stream = streamOf(number);
  return stream.acking == SIM_NONE ? stream.padding : messageOf(stream.acking).padding;
}
