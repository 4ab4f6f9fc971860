/**
 * CONGA: a flowlet takes the path whose most congested link is least congested. Packets collect the congestion of their path; with each
 * packet back, the last leaf reports that of one path to the first leaf.
 *
 *   first leaf   a continuing flowlet keeps its path. A new one takes the path with the least max(level of the uplink, reported congestion);
 *                among equals, that of the flow's last flowlet, otherwise a random one
 *   each switch  on the way to another switch: X += bytes; the packet's congestion = max(its congestion, level of the port)
 *   last leaf    stores the congestion of the packet's path; a response reports one path: round-robin among those that have changed
 *                since their last report, or if there are none, among all known ones
 *   age          values older than the limit count as 0 at the first leaf, and are not reported by the last one
 *
 * A path is an uplink of the first leaf; a spine with several links to the last leaf chooses among them by the hash.
 *
 * Source   M. Alizadeh et al., SIGCOMM 2014, sections 3.1 to 3.5; gap 500 us, age 10 ms of sections 3.4 and 3.6.
 * Limits   ACKs, NAKs and CNPs carry the feedback and are routed by the hash; data does not, since in RoCE each data packet is
 *          acknowledged. Fast CNPs are ignored. Old congestion becomes 0 immediately; in the paper it decays. Flowlets are those
 *          of flowlets.ts. Requires two tiers, which the compiler checks.
 */
import { PACKET_DATA, PACKET_FAST_CNP, SIM_NONE } from '../../../src/abi/sim-codes';
import { nowPs } from '../event-queue';
import { indexOfNode, nodeAt, portAt } from '../network';
import { packetPart } from '../packets';
import { levelOf, noteSent, uplinkOf } from './estimates';
import { flowletOf, keepEgress, lastPort, touchFlowlet } from './flowlets';
import { ageingPs, balancerAt, below, fromLeafAt, leafCount, feedbackAt, toLeafAt, uplinksMost } from './network';
import { isAmong } from './drill';
import { egressAt } from './spray';
import { SimFlow, SimNode, SimPacket, SimPort } from '../../records/network';
import { Balancer, BalancingPart, PATH_ENTRY_BYTES, PathEntry } from '../../records/balancing';

const NOTHING: u8 = 255;

@inline function partOf(packet: SimPacket): BalancingPart {
  return changetype<BalancingPart>(packetPart(packet));
}

@inline function sourceLeaf(flow: SimFlow): u32 {
  return portAt(portAt(flow.sourcePort).peer).node;
}

@inline function destinationLeaf(flow: SimFlow): u32 {
  return portAt(portAt(flow.responsePort).peer).node;
}

/** Whether the switch is the leaf that chooses the path of a flow's data. */
@inline export function isAtSource(node: SimNode, flow: SimFlow): bool {
  const here = indexOfNode(node);
  return here == sourceLeaf(flow) && here != destinationLeaf(flow);
}

@inline function tableOf(tables: usize, here: u32, there: u32): usize {
  return tables + <usize>(here * leafCount + there) * <usize>uplinksMost * PATH_ENTRY_BYTES;
}

@inline function entryAt(table: usize, path: u32): PathEntry {
  return changetype<PathEntry>(table + <usize>path * PATH_ENTRY_BYTES);
}

@inline function isYoung(entry: PathEntry): bool {
  return entry.known != 0 && nowPs - entry.sincePs <= ageingPs;
}

/** The egress port of data at its first leaf. */
export function congaEgress(own: Balancer, packet: SimPacket, flow: SimFlow, nextHops: usize, count: u32): u32 {
  const entry = flowletOf(own, packet);
  const kept = touchFlowlet(entry);
  if (kept && isAmong(kept - 1, nextHops, count)) return kept - 1;
  const there = balancerAt(destinationLeaf(flow)).leaf;
  return keepEgress(entry, leastCongested(own, tableOf(toLeafAt, own.leaf, there), lastPort(entry), nextHops, count));
}

/** `last`: port of the flow's last flowlet + 1. */
function leastCongested(own: Balancer, table: usize, last: u32, nextHops: usize, count: u32): u32 {
  let least = u32.MAX_VALUE;
  let ties: u32 = 0;
  for (let at: u32 = 0; at < count; at++) {
    const metric = metricOf(table, egressAt(nextHops, at));
    ties = metric < least ? 1 : ties + <u32>(metric == least);
    least = min<u32>(least, metric);
  }
  if (last && isAmong(last - 1, nextHops, count) && metricOf(table, last - 1) == least) return last - 1;
  let left = ties == 1 ? 0 : below(own, ties);
  let at: u32 = 0;
  while (metricOf(table, egressAt(nextHops, at)) != least || left-- > 0) at++;
  return egressAt(nextHops, at);
}

function metricOf(table: usize, egress: u32): u32 {
  const port = portAt(egress);
  const entry = entryAt(table, uplinkOf(port));
  return max<u32>(levelOf(port), isYoung(entry) ? <u32>entry.congestion : 0);
}

/** A packet is assigned an egress port: updates the port's estimate, the leaf's table and the packet's congestion. */
export function passCongestion(node: SimNode, own: Balancer, packet: SimPacket, flow: SimFlow, out: SimPort): void {
  if (packet.kind == PACKET_FAST_CNP) return;
  if (own.leaf != SIM_NONE) passLeaf(indexOfNode(node), own.leaf, packet, flow, out);
  if (!nodeAt(portAt(out.peer).node).isSwitch) return;
  noteSent(out, packet.lenBytes);
  if (packet.kind == PACKET_DATA)
    partOf(packet).congestion = <u8>max<u32>(partOf(packet).congestion, levelOf(out));
}

function passLeaf(here: u32, leaf: u32, packet: SimPacket, flow: SimFlow, out: SimPort): void {
  const source = sourceLeaf(flow);
  const destination = destinationLeaf(flow);
  if (source == destination) return;
  const part = partOf(packet);
  if (packet.kind == PACKET_DATA) {
    if (here == source) {
      part.path = <u8>uplinkOf(out);
      part.congestion = 0;
    } else if (here == destination) {
      keep(entryAt(tableOf(fromLeafAt, leaf, balancerAt(source).leaf), part.path), part.congestion);
    }
  } else if (here == destination) {
    writeFeedback(part, leaf, balancerAt(source).leaf);
  } else if (here == source && part.feedbackPath != NOTHING) {
    keep(entryAt(tableOf(toLeafAt, leaf, balancerAt(destination).leaf), part.feedbackPath), part.feedback);
  }
}

function keep(entry: PathEntry, congestion: u8): void {
  entry.changed |= <u8>(!entry.known || entry.congestion != congestion);
  entry.congestion = congestion;
  entry.known = 1;
  entry.sincePs = nowPs;
}

/** Writes a report on one path from the other leaf into a response. */
function writeFeedback(part: BalancingPart, leaf: u32, other: u32): void {
  const table = tableOf(fromLeafAt, leaf, other);
  const lastReported = feedbackAt + (<usize>(leaf * leafCount + other) << 2);
  let path = nextKnown(table, load<u32>(lastReported), true);
  if (path == SIM_NONE) path = nextKnown(table, load<u32>(lastReported), false);
  part.feedbackPath = NOTHING;
  if (path == SIM_NONE) return;
  const entry = entryAt(table, path);
  entry.changed = 0;
  part.feedbackPath = <u8>path;
  part.feedback = entry.congestion;
  store<u32>(lastReported, path);
}

/** The next known path after the last one reported, if it is not too old; SIM_NONE if there is none. */
function nextKnown(table: usize, last: u32, mustHaveChanged: bool): u32 {
  for (let step: u32 = 1; step <= uplinksMost; step++) {
    const path = (last + step) % uplinksMost;
    const entry = entryAt(table, path);
    if (isYoung(entry) && (!mustHaveChanged || entry.changed)) return path;
  }
  return SIM_NONE;
}
