/**
 * A switch: the output of a packet is chosen on arrival; then the packet passes the delay line of the switch (also if its
 * latency is 0) and enters the output queue (docs/specs/uet-reference.md, 3).
 *
 * A leaf's uplinks are shuffled once, for all destinations, when the first packet goes up; as in the reference, an aggregation
 * switch lists and shuffles its uplinks for each destination.
 */
import { UET_TIER_LEAF, UetLink, UetPacket, UetSwitch } from '../records/uet-network';
import { nowPs, schedule } from './events';
import { allocate } from './memory';
import { chooseLink } from './next-hops';
import { shuffle } from './random';
import { run } from './stop';
import { receiveAtQueue } from './switch-queue';

export function receiveAtSwitch(at: UetSwitch, packet: UetPacket): void {
  const below = packet.destination - at.firstHost;
  let list: usize;
  let width: u32;
  if (below < at.hostsBelow) {
    width = at.downWidth;
    const place = at.hostsPerList == 1 ? below : below / at.hostsPerList;
    list = <usize>at.downAt + (<usize>(place * width) << 2);
  } else {
    width = at.upWidth;
    list = at.tier == UET_TIER_LEAF ? uplinksOfLeaf(at) : uplinksTo(at, packet.destination);
  }
  packet.output = width == 1 ? load<u32>(list) : chooseLink(at, list, width, packet);
  enterDelay(at, packet);
}

@inline function uplinksOfLeaf(at: UetSwitch): usize {
  if (!at.isShuffled) {
    at.isShuffled = 1;
    shuffle(at.upAt, at.upWidth);
  }
  return at.upAt;
}

function uplinksTo(at: UetSwitch, host: u32): usize {
  if (!at.upByHostAt) at.upByHostAt = <u32>allocate(<usize>run.hostCount << 2);
  const place = <usize>at.upByHostAt + (<usize>host << 2);
  const known = load<u32>(place);
  if (known) return known;
  const bytes = <usize>at.upWidth << 2;
  const list = allocate(bytes);
  memory.copy(list, at.upAt, bytes);
  shuffle(list, at.upWidth);
  store<u32>(place, <u32>list);
  return list;
}

/** Puts a packet into the delay line; only its oldest packet has an event. */
function enterDelay(at: UetSwitch, packet: UetPacket): void {
  const address = <u32>changetype<usize>(packet);
  const duePs = nowPs + at.delayPs;
  packet.duePs = duePs;
  packet.next = 0;
  if (at.pipeTail) {
    changetype<UetPacket>(<usize>at.pipeTail).next = address;
  } else {
    at.pipeHead = address;
    schedule(changetype<usize>(at), duePs);
  }
  at.pipeTail = address;
}

/** The delay line's event: its oldest packet enters the output queue. */
export function leaveDelay(at: UetSwitch): void {
  const packet = changetype<UetPacket>(<usize>at.pipeHead);
  at.pipeHead = packet.next;
  if (!packet.next) at.pipeTail = 0;
  receiveAtQueue(changetype<UetLink>(<usize>packet.output), packet);
  if (at.pipeHead) schedule(changetype<usize>(at), changetype<UetPacket>(<usize>at.pipeHead).duePs);
}
