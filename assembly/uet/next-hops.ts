/**
 * How a switch chooses among several next hops (docs/specs/uet-reference.md, 3). A single next hop needs no draw and no hash.
 *
 *   hash            hash(flow id, entropy value, salt) mod n
 *   round robin     packets of 128 bytes or more, reshuffled after each round, smaller packets are hashed; or all packets, at
 *                   leaves only, reshuffled after five rounds, hashed elsewhere
 *   adaptive        the least loaded; packets below 100 bytes are hashed; sticky: a flow keeps its next hop until it was idle
 *   host-adaptive   hashed; if the hashed one has the highest load, half of the time the least loaded instead
 *
 * The load is the level of a queue, 0 to 3. As in the reference, it is always 0 under `bandwidth`.
 */
import { UET_FLOWLET_BYTES, UET_TIER_LEAF, UetFlowlet, UetLink, UetPacket, UetSwitch } from '../records/uet-network';
import { UET_HOPS_HASHED, UET_HOPS_HOST_ADAPTIVE, UET_HOPS_LEAF_ROUND_ROBIN, UET_HOPS_ROUND_ROBIN,
  UET_HOPS_STICKY } from '../records/uet-run';
import { nowPs } from './events';
import { flowHash } from './flow-hash';
import { allocate } from './memory';
import { draw, shuffle } from './random';
import { run } from './stop';
import { levelOf } from './switch-queue';

const ROUND_ROBIN_BYTES_MIN: u32 = 128;
const ADAPTIVE_BYTES_MIN: u32 = 100;
const ROUNDS_AT_LEAF: u32 = 5;
const LEVEL_BEYOND: u32 = 4;

let rule: u32 = 0;
let isByQueue: bool = false;

export function readNextHops(): void {
  rule = run.nextHops;
  isByQueue = run.isByQueue != 0;
}

@inline function linkAt(list: usize, place: u32): u32 {
  return load<u32>(list + (<usize>place << 2));
}

/** Address of the link that a packet takes. @param list two or more links; round robin may shuffle them. */
export function chooseLink(at: UetSwitch, list: usize, width: u32, packet: UetPacket): u32 {
  if (rule == UET_HOPS_HASHED) return hashed(at, list, width, packet);
  if (rule == UET_HOPS_ROUND_ROBIN) {
    if (packet.sizeBytes < ROUND_ROBIN_BYTES_MIN) return hashed(at, list, width, packet);
    return nextInRound(at, list, width, width);
  }
  if (rule == UET_HOPS_LEAF_ROUND_ROBIN) {
    if (at.tier != UET_TIER_LEAF) return hashed(at, list, width, packet);
    return nextInRound(at, list, width, ROUNDS_AT_LEAF * width);
  }
  if (rule == UET_HOPS_HOST_ADAPTIVE) return hostAdaptive(at, list, width, packet);
  if (packet.sizeBytes < ADAPTIVE_BYTES_MIN) return hashed(at, list, width, packet);
  return rule == UET_HOPS_STICKY ? sticky(at, list, width, packet) : leastLoaded(list, width);
}

@inline function hashed(at: UetSwitch, list: usize, width: u32, packet: UetPacket): u32 {
  return linkAt(list, flowHash(packet.flowWord, packet.ev, at.salt) % width);
}

/** The next link by round robin; a switch has one position for all of its lists. */
function nextInRound(at: UetSwitch, list: usize, width: u32, end: u32): u32 {
  let place = at.roundPlace;
  if (place >= end) {
    place = 0;
    shuffle(list, width);
  }
  at.roundPlace = place + 1;
  return linkAt(list, place % width);
}

@inline function loadOf(link: u32): u32 {
  return isByQueue ? levelOf(changetype<UetLink>(<usize>link)) : 0;
}

/** Draws one of the least loaded links, even if there is only one. Reads each level once, as reading may recompute it. */
function leastLoaded(list: usize, width: u32): u32 {
  let least: u32 = LEVEL_BEYOND;
  let count: u32 = 0;
  for (let place: u32 = 0; place < width; place++) {
    const level = loadOf(linkAt(list, place));
    if (level > least) continue;
    count = level < least ? 1 : count + 1;
    least = level;
  }
  let chosen = draw() % count;
  for (let place: u32 = 0; place < width; place++) {
    const link = linkAt(list, place);
    if (loadOf(link) != least) continue;
    if (!chosen) return link;
    chosen--;
  }
  return linkAt(list, 0);
}

function sticky(at: UetSwitch, list: usize, width: u32, packet: UetPacket): u32 {
  if (!at.flowletsAt) at.flowletsAt = <u32>allocate(<usize>run.rankCount * UET_FLOWLET_BYTES);
  const flowlet = changetype<UetFlowlet>(<usize>at.flowletsAt + <usize>packet.flowRank * UET_FLOWLET_BYTES);
  if (!flowlet.output) {
    flowlet.output = leastLoaded(list, width);
  } else if (nowPs - flowlet.lastPs > run.stickyPs && !(draw() & 1)) {
    const other = leastLoaded(list, width);
    if (loadOf(other) < loadOf(flowlet.output)) flowlet.output = other;
  }
  flowlet.lastPs = nowPs;
  return flowlet.output;
}

function hostAdaptive(at: UetSwitch, list: usize, width: u32, packet: UetPacket): u32 {
  const own = hashed(at, list, width, packet);
  if (draw() % 100 >= 50) return own;
  let worst: u32 = 0;
  for (let place: u32 = 0; place < width; place++) worst = max(worst, loadOf(linkAt(list, place)));
  return loadOf(own) == worst ? leastLoaded(list, width) : own;
}
