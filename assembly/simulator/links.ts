/** Links that go down and come up at given times: what is on the wire is lost, pauses are forgotten, both ends go on. */
import { DROP_LINK_DOWN, LINK_EVENT_BYTES } from '../../src/abi/sim-layout';
import { linkEvent } from './event-numbers';
import { nowPs, schedule } from './event-queue';
import { flowCount, linkEventCount, linkEvents, nodeAt, portAt } from './network';
import { serveNic } from './nic';
import { drop } from './packets';
import { forgetPauses } from './pauses';
import { dequeue } from './queues';
import { SimPort } from './records';
import { serve } from './switch';
import { loseWire } from './transmission';

const LINK_EVENT_PORT: usize = 8;
const LINK_EVENT_UP: usize = 12;

let nextChange: u32 = 0;

@inline function changeAt(index: u32): usize {
  return linkEvents + <usize>index * LINK_EVENT_BYTES;
}

export function beginLinkEvents(): void {
  nextChange = 0;
  expectChange();
}

function expectChange(): void {
  if (nextChange == linkEventCount) return;
  schedule(linkEvent(), <i64>load<f64>(changeAt(nextChange)), flowCount + nextChange);
}

/** The links that change now. */
export function changeLinks(): void {
  while (nextChange < linkEventCount && <i64>load<f64>(changeAt(nextChange)) <= nowPs) {
    const at = changeAt(nextChange++);
    const port = portAt(load<u32>(at, LINK_EVENT_PORT));
    const up = load<u32>(at, LINK_EVENT_UP);
    change(port, up);
    change(portAt(port.peer), up);
  }
  expectChange();
}

function change(port: SimPort, up: u32): void {
  if (port.up == up) return;
  port.up = up;
  if (!up) {
    loseWire(port);
    // Pause frames that have not left are of no meaning to the link that comes up.
    while (!port.isHost && port.waiting & 1) drop(dequeue(port, 0), DROP_LINK_DOWN);
  }
  forgetPauses(port);
  kick(port);
}

/** A port may have something to send now. */
export function kick(port: SimPort): void {
  if (port.isHost) serveNic(port, nowPs);
  else serve(nodeAt(port.node), port);
}
