/** Links that go down and come up at given times: packets on the link and in its queues are lost, pauses are forgotten, switches learn other paths. */
import { LINK_EVENT_BYTES } from '../../src/abi/sim-layout';
import { beginDetours, relearnRoutes } from './detours';
import { linkEvent } from './event-numbers';
import { nowPs, schedule } from './event-queue';
import { hazardous } from './hazards/memory';
import { forgetWatched } from './hazards/pauses';
import { flowCount, linkEventCount, linkEvents, nodeAt, portAt } from './network';
import { serveNic } from './nic';
import { forgetPauses } from './pauses';
import { SimPort } from './records';
import { loseQueues, serve } from './switch';
import { loseWire } from './transmission';
import { forgetArns } from './wan/arn';
import { arns } from './wan/memory';

const LINK_EVENT_PORT: usize = 8;
const LINK_EVENT_UP: usize = 12;

let nextChange: u32 = 0;

@inline function changeAt(index: u32): usize {
  return linkEvents + <usize>index * LINK_EVENT_BYTES;
}

export function beginLinkEvents(): void {
  nextChange = 0;
  beginDetours();
  expectChange();
}

function expectChange(): void {
  if (nextChange == linkEventCount) return;
  schedule(linkEvent(), <i64>load<f64>(changeAt(nextChange)), flowCount + nextChange);
}

/** Whether no link change is left. */
export function areLinksResolved(): bool {
  return nextChange == linkEventCount;
}

/** Changes the links that are due now. */
export function changeLinks(): void {
  while (nextChange < linkEventCount && <i64>load<f64>(changeAt(nextChange)) <= nowPs) {
    const at = changeAt(nextChange++);
    const port = portAt(load<u32>(at, LINK_EVENT_PORT));
    const up = <u8>load<u32>(at, LINK_EVENT_UP);
    if (port.up != up) change(port, portAt(port.peer), up);
  }
  expectChange();
}

function change(port: SimPort, peer: SimPort, up: u8): void {
  port.up = up;
  peer.up = up;
  relearnRoutes(up);
  resolve(port);
  resolve(peer);
}

/** Applies the change to one end of the link. */
function resolve(port: SimPort): void {
  if (!port.up) {
    loseWire(port);
    loseQueues(nodeAt(port.node), port);
  }
  if (hazardous) forgetWatched(port);
  forgetPauses(port);
  if (arns) forgetArns(port);
  kick(port);
}

/** A port may have something to send now. */
function kick(port: SimPort): void {
  if (port.isHost) serveNic(port, nowPs);
  else serve(nodeAt(port.node), port);
}
