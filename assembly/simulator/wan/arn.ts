/**
 * Precise flow control on WAN links by adaptive routing notifications, ARN (draft-hu-rtgwg-rocev2-fcn-00, section 4.1).
 *
 *   key      depending on the level, the packet's service (outer five-tuple), its flow (inner five-tuple, data only) or its class; only
 *            for classes with reserved memory
 *   pause    if buffered bytes of a key that arrived by a port >= xoff: an ARN with the pause time is sent to the peer
 *   refresh  repeated at each refresh time while the pause is requested
 *   resume   if bytes <= xon: an ARN with time 0, or none if ARNs do not resume
 *   held     the peer keeps packets of the key in their queues until the time expires, a resume arrives, or the link goes down; others
 *            overtake them
 *
 * Deviations: the draft leaves times, thresholds and the carrier of ARNs open (docs/reference/sources.md). Like pause frames, ARNs
 * precede all other packets and end at the next node; they can be lost.
 */
import { PACKET_ARN, SIM_NONE } from '../../../src/abi/sim-codes';
import { drawOrder, nowPs, schedule } from '../event-queue';
import { guaranteedClasses, indexOfPort, portAt, portCount } from '../network';
import { isData, makePacket, packetAt } from '../packets';
import { enqueue } from '../queues';
import { arnEntry, arns, keyCount, serviceNumberOf, wanNetwork, wanPort } from './memory';
import { ArnEntry, WAN_CONTROL_ARN, WAN_LEVEL_FLOW, WAN_LEVEL_PRIORITY, WanPort } from '../../records/wan';
import { SimPacket, SimPort } from '../../records/network';

/** Key of a packet that is never held. */
const NO_KEY: u32 = SIM_NONE;

/** First event numbers of repetitions and expiries, one per port. */
let refreshes: u32 = 0;
let expiries: u32 = 0;

/** Sets the first event numbers of repetitions and expiries. */
export function placeArns(refresh: u32, expiry: u32): void {
  refreshes = refresh;
  expiries = expiry;
}

/** The key by which a packet may be held. */
export function keyOf(packet: SimPacket): u32 {
  if (packet.flow == SIM_NONE || !(guaranteedClasses & (1 << <u32>packet.cls))) return NO_KEY;
  const level = wanNetwork().level;
  if (level == WAN_LEVEL_PRIORITY) return packet.cls;
  if (level == WAN_LEVEL_FLOW) return isData(packet) ? packet.flow : NO_KEY;
  return serviceNumberOf(packet.flow);
}

/** Initialises the ports, without holds. */
export function beginArns(): void {
  if (!arns) return;
  for (let index: u32 = 0; index < portCount; index++) {
    const own = wanPort(portAt(index));
    if (own.control != WAN_CONTROL_ARN) continue;
    for (let key: u32 = 0; key < keyCount; key++) arnEntry(own, key).sincePs = -1;
  }
}

/** Counts a packet that arrived by this port into the buffer; returns whether an ARN waits to be sent. */
export function countIn(port: SimPort, packet: SimPacket): bool {
  const own = wanPort(port);
  const key = keyOf(packet);
  if (own.control != WAN_CONTROL_ARN || key == NO_KEY) return false;
  const entry = arnEntry(own, key);
  entry.bytes += packet.lenBytes;
  if (entry.asked || entry.bytes < own.xoffBytes) return false;
  entry.asked = 1;
  own.asked++;
  own.sent += 1;
  entry.refreshPs = nowPs + <i64>wanNetwork().refreshPs;
  expectRefresh(port, own, entry.refreshPs);
  return putArn(port, key, <i64>wanNetwork().pauseTimePs);
}

/** Counts a packet that arrived by this port out of the buffer; returns whether an ARN waits to be sent by the port. */
export function countOut(port: SimPort, packet: SimPacket): bool {
  const own = wanPort(port);
  if (own.control != WAN_CONTROL_ARN) return false;
  const key = keyOf(packet);
  if (key == NO_KEY) return false;
  const entry = arnEntry(own, key);
  entry.bytes -= packet.lenBytes;
  if (!entry.asked || entry.bytes > own.xonBytes) return false;
  entry.asked = 0;
  own.asked--;
  if (!wanNetwork().resumes) return false;
  own.resumes += 1;
  return putArn(port, key, 0);
}

function putArn(port: SimPort, key: u32, timePs: i64): bool {
  const index = makePacket(PACKET_ARN, SIM_NONE, 0, wanNetwork().arnBytes);
  if (index == SIM_NONE) return false;
  const packet = packetAt(index);
  packet.sequence = timePs;
  packet.power = key;
  packet.inPort = SIM_NONE;
  enqueue(port, 0, index);
  return true;
}

function expectRefresh(port: SimPort, own: WanPort, duePs: i64): void {
  if (own.refreshScheduled) return;
  own.refreshScheduled = 1;
  schedule(refreshes + indexOfPort(port), duePs, drawOrder());
}

/** Repeats the ARNs that are due; returns whether there is any. */
export function refreshArns(port: SimPort): bool {
  const own = wanPort(port);
  own.refreshScheduled = 0;
  let again = false;
  let nextPs: i64 = i64.MAX_VALUE;
  for (let key: u32 = 0; key < keyCount && own.asked; key++) {
    const entry = arnEntry(own, key);
    if (!entry.asked) continue;
    if (entry.refreshPs <= nowPs) {
      entry.refreshPs = nowPs + <i64>wanNetwork().refreshPs;
      own.refreshed += 1;
      again = putArn(port, key, <i64>wanNetwork().pauseTimePs) || again;
    }
    nextPs = min<i64>(nextPs, entry.refreshPs);
  }
  if (nextPs != i64.MAX_VALUE) expectRefresh(port, own, nextPs);
  return again;
}

/** An ARN arrives; returns whether transmission may resume. */
export function applyArn(port: SimPort, packet: SimPacket): bool {
  const own = wanPort(port);
  const entry = arnEntry(own, packet.power);
  own.received += 1;
  if (packet.sequence == 0) {
    if (entry.sincePs < 0) return false;
    release(own, entry);
    return true;
  }
  entry.untilPs = nowPs + packet.sequence;
  if (entry.sincePs < 0) {
    entry.sincePs = nowPs;
    own.held++;
  }
  expectExpiry(port, own, entry.untilPs);
  return false;
}

function release(own: WanPort, entry: ArnEntry): void {
  entry.heldPs += <f64>(nowPs - entry.sincePs);
  own.heldPs += <f64>(nowPs - entry.sincePs);
  entry.sincePs = -1;
  own.held--;
}

function expectExpiry(port: SimPort, own: WanPort, duePs: i64): void {
  if (own.expiryScheduled) return;
  own.expiryScheduled = 1;
  schedule(expiries + indexOfPort(port), duePs, drawOrder());
}

/** Ends the pauses that have expired; returns whether there are any. */
export function expireHolds(port: SimPort): bool {
  const own = wanPort(port);
  own.expiryScheduled = 0;
  let any = false;
  let nextPs: i64 = i64.MAX_VALUE;
  for (let key: u32 = 0; key < keyCount && own.held; key++) {
    const entry = arnEntry(own, key);
    if (entry.sincePs < 0) continue;
    if (entry.untilPs > nowPs) {
      nextPs = min<i64>(nextPs, entry.untilPs);
      continue;
    }
    own.expired += 1;
    release(own, entry);
    any = true;
  }
  if (nextPs != i64.MAX_VALUE) expectExpiry(port, own, nextPs);
  return any;
}

/** Whether a packet is held at this port. */
@inline export function isHeld(own: WanPort, packet: SimPacket): bool {
  const key = keyOf(packet);
  return key != NO_KEY && arnEntry(own, key).sincePs >= 0;
}

/** Clears all holds and requests at a port whose link changed. */
export function forgetArns(port: SimPort): void {
  const own = wanPort(port);
  if (own.control != WAN_CONTROL_ARN) return;
  for (let key: u32 = 0; key < keyCount; key++) {
    const entry = arnEntry(own, key);
    if (entry.sincePs >= 0) release(own, entry);
    if (entry.asked) {
      entry.asked = 0;
      own.asked--;
    }
  }
}

/** Adds the time of current pauses, up to now. */
export function accountArns(): void {
  if (!arns) return;
  for (let index: u32 = 0; index < portCount; index++) {
    const own = wanPort(portAt(index));
    if (own.control != WAN_CONTROL_ARN || !own.held) continue;
    for (let key: u32 = 0; key < keyCount; key++) {
      const entry = arnEntry(own, key);
      if (entry.sincePs < 0) continue;
      entry.heldPs += <f64>(nowPs - entry.sincePs);
      own.heldPs += <f64>(nowPs - entry.sincePs);
      entry.sincePs = nowPs;
    }
  }
}
