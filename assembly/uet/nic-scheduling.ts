/**
 * Scheduling at a NIC that becomes idle (docs/specs/uet-reference.md, 5): if senders and control packets wait, ten of eleven
 * packets are control packets.
 */
import { UetFlow } from '../records/uet-flows';
import { UetHost } from '../records/uet-network';
import { occupy, sendFirstControl, waitingOf } from './nic';
import { firstOfRing, shiftRing } from './ring';
import { askNic, maySend, sendOne } from './sending';

/** Control packets go first, except when the count modulo this is 0. */
const CONTROL_CYCLE: u32 = 11;

/** The NIC's event: a transmission has ended. */
export function becomeIdle(host: UetHost): void {
  host.isNicBusy = 0;
  const isWaiting = waitingOf(host).length != 0;
  if (isWaiting && host.controlHead) {
    host.turn = (host.turn + 1) % CONTROL_CYCLE;
    if (host.turn) sendFirstControl(host);
    else serveSenders(host);
  } else if (isWaiting) {
    serveSenders(host);
  } else if (host.controlHead) {
    sendFirstControl(host);
  }
}

/** Lets the first sender that may send do so; if there is none, sends a control packet. */
function serveSenders(host: UetHost): void {
  const waiting = waitingOf(host);
  while (waiting.length) {
    const flow = changetype<UetFlow>(<usize>firstOfRing(waiting));
    if (takeTurn(host, flow)) return;
    shiftRing(waiting);
  }
  if (host.controlHead) sendFirstControl(host);
}

/** Gives a sender its turn; returns whether it sent. */
function takeTurn(host: UetHost, flow: UetFlow): bool {
  flow.isWaiting = 0;
  if (!maySend(flow)) return false;
  occupy(host, <f64>sendOne(flow));
  if (maySend(flow)) {
    askNic(host, flow);
    flow.isWaiting = 1;
  }
  return true;
}
