/** The expiry of a flow's retransmission timer, by its transport. */
import { FLOW_CREDIT, FLOW_OWN_TRANSPORT, FLOW_READ } from '../../src/abi/sim-codes';
import { addSource } from './event-sources';
import { timeOutLossy } from './lossy/sender';
import { lossy } from './lossy/network';
import { flowAt, flowCount } from './network';
import { missesCredit, timeOutCredit } from './receiver-credit/sender';
import { timeOut } from './sender';
import { placeTimeouts } from './timeouts';
import { timeOutOwn } from './transport/sender';
import { timeOutRead } from './verbs/requester';

/** Adds the events of retransmission timeouts, one per flow. */
export function addTimeouts(): void {
  placeTimeouts(addSource(flowCount, expire));
}

function expire(number: u32): void {
  const flow = flowAt(number);
  if (lossy) timeOutLossy(number);
  else if (flow.flags & FLOW_CREDIT && missesCredit(flow, number)) timeOutCredit(flow, number);
  else if (flow.flags & FLOW_READ) timeOutRead(number);
  else if (flow.flags & FLOW_OWN_TRANSPORT) timeOutOwn(number);
  else timeOut(number);
}
