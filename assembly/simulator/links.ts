/**
 * Link changes at given times. If a link goes down or comes up, packets on it and in its queues are lost, pauses are cleared, and
 * switches recompute paths. Random losses on a link may begin or end, which switches don't notice. A switch's table may lose uSIDs,
 * a controller may deny entropies, and a host may discard packets.
 */
import { beginRerouting, countLinksDown, isUnnoticed, relearnRoutes } from './rerouting';
import { nowPs, schedule } from './event-queue';
import { addEvent } from './event-sources';
import { hazardous } from './hazards/memory';
import { forgetWatched } from './hazards/pauses';
import { flowCount, linkEventCount, linkEvents, nodeAt, portAt } from './network';
import { serveNic } from './nic';
import { forgetPauses } from './pauses';
import { changeDenial } from './path-selection/denials';
import { loseQueues, serve } from './switch';
import { loseWire } from './transmission';
import { reportPorts } from './transport/port-status';
import { forgetArns } from './wan/arn';
import { arns } from './wan/memory';
import { ENTROPY_DENIAL, ENTROPY_RETURN, HOST_DISCARDS, LINK_DOWN_UNNOTICED, LINK_EVENT_BYTES, LINK_LOSSES,
  LINK_NOTICED, LINK_UP, LINK_UP_UNNOTICED, LinkEvent, PORT_UNNOTICED, PORT_WITHOUT_USID, SimPort, USID_RESTORED,
  USID_WITHDRAWN } from '../records/network';

let linkEvent: u32 = 0;
let nextChange: u32 = 0;

@inline function changeAt(index: u32): LinkEvent {
  return changetype<LinkEvent>(linkEvents + <usize>index * LINK_EVENT_BYTES);
}

/** Adds the event of the next link changes. */
export function addLinkChanges(): void {
  linkEvent = addEvent(changeLinks);
}

export function beginLinkEvents(): void {
  nextChange = 0;
  beginRerouting();
  // Denials, withdrawals and discards at time 0 apply before the first packet is sent.
  while (nextChange < linkEventCount && changeAt(nextChange).timePs == 0 && changesNoLink(changeAt(nextChange)))
    applyWithoutLink(changeAt(nextChange++));
  expectChange();
}

function expectChange(): void {
  if (nextChange == linkEventCount) return;
  schedule(linkEvent, <i64>changeAt(nextChange).timePs, flowCount + nextChange);
}

/** Whether all link changes have been applied. */
export function areLinksResolved(): bool {
  return nextChange == linkEventCount;
}

/** Applies the link changes that are due now. */
function changeLinks(): void {
  while (nextChange < linkEventCount && <i64>changeAt(nextChange).timePs <= nowPs) {
    const event = changeAt(nextChange++);
    if (changesNoLink(event)) {
      applyWithoutLink(event);
      continue;
    }
    const port = portAt(event.port);
    if (event.change == LINK_LOSSES) {
      setLosses(port, event);
      continue;
    }
    if (event.change == LINK_NOTICED) {
      noticeChange(port);
      continue;
    }
    const up = <u8>(event.change == LINK_UP || event.change == LINK_UP_UNNOTICED);
    if (port.up == up) continue;
    change(port, up, event.change == LINK_DOWN_UNNOTICED || event.change == LINK_UP_UNNOTICED);
  }
  expectChange();
}

@inline function isOfUsid(event: LinkEvent): bool {
  return event.change == USID_WITHDRAWN || event.change == USID_RESTORED;
}

@inline function changesNoLink(event: LinkEvent): bool {
  return event.change == ENTROPY_DENIAL || event.change == ENTROPY_RETURN || event.change == HOST_DISCARDS ||
    isOfUsid(event);
}

/** Applies a change of a host, of an entropy, or of a uSID in a switch's table. */
function applyWithoutLink(event: LinkEvent): void {
  if (event.change == HOST_DISCARDS) nodeAt(event.port).discards = <u8>event.reason;
  else if (isOfUsid(event)) setFault(portAt(event.port), PORT_WITHOUT_USID, event.change == USID_WITHDRAWN);
  else changeDenial(event.port, event.change == ENTROPY_DENIAL);
}

function setFault(port: SimPort, fault: u32, has: bool): void {
  port.hiddenFaults = <u8>(has ? port.hiddenFaults | fault : port.hiddenFaults & ~fault);
}

/** Lets adapters notice the last change of a link. */
function noticeChange(port: SimPort): void {
  const before = isOff(port);
  setUnnoticed(port, false);
  countLinksDown(isOff(port) - before);
  reportPorts(port);
}

/** Sets, at both ends of a link, whether adapters have yet to notice its last change. */
function setUnnoticed(port: SimPort, unnoticed: bool): void {
  setFault(port, PORT_UNNOTICED, unnoticed);
  setFault(portAt(port.peer), PORT_UNNOTICED, unnoticed);
}

/** 1 if a link is down or adapters assume that it is; otherwise 0. */
@inline function isOff(port: SimPort): u32 {
  return <u32>(!port.up || isUnnoticed(port));
}

/** Sets the losses of a port's link, which also apply to packets on it now. */
function setLosses(port: SimPort, event: LinkEvent): void {
  port.dataLoss = event.dataLoss;
  port.ackLoss = event.ackLoss;
  port.cnpLoss = event.cnpLoss;
  port.faulty = 1;
}

/** Brings a link up or down. `isLate`: adapters notice later. If it changes back before, they never notice. */
function change(port: SimPort, up: u8, isLate: bool): void {
  const peer = portAt(port.peer);
  const before = isOff(port);
  port.up = up;
  peer.up = up;
  setUnnoticed(port, isLate && !isUnnoticed(port));
  countLinksDown(isOff(port) - before);
  relearnRoutes();
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

/** Lets a port send if it can. */
function kick(port: SimPort): void {
  if (port.isHost) serveNic(port, nowPs);
  else serve(nodeAt(port.node), port);
}
