/**
 * An output queue of a switch and its link: data in the low class, headers in the high class, which is served first
 * (docs/specs/uet-reference.md, 4).
 *
 * If a data packet does not fit, a coin toss selects it or the newest one in the queue. The selected packet is trimmed to a
 * header, which goes to the high class; without trimming it is dropped.
 *
 * A departing data packet is marked according to n, the bytes of data that remain in the queue:
 *
 *   n > high: marked;   low < n <= high: marked with probability (n - low) / (high - low);   else not
 *
 * As in the reference, the newest packet can be removed while it is being sent; the transmission time remains that of the
 * packet that was there at its start. The level for adaptive routing is at most 100 ns old.
 */
import { UET_LINK_ARRIVED, UET_SERVING_HIGH, UET_SERVING_LOW, UET_SERVING_NONE, UetLink,
  UetPacket } from '../records/uet-network';
import { nowPs, schedule } from './events';
import { HIGH, dropPacket } from './packets';
import { draw, fraction } from './random';
import { isTrimming, trimBytes } from './settings';
import { run } from './stop';

/** Packets of the high class before one of the low class is sent, if both wait. */
const HIGH_PACKETS: u32 = 100000;
const DRAW_MAX: f64 = 2147483647;
const COIN: f64 = 0.5;
const LEVEL_AGE_PS: f64 = 100000;

/** A packet arrives from the switch. */
export function receiveAtQueue(link: UetLink, packet: UetPacket): void {
  if (packet.isHeaderOnly) appendHigh(link, packet);
  else receiveData(link, packet);
  if (link.serving == UET_SERVING_NONE) beginService(link);
}

function receiveData(link: UetLink, packet: UetPacket): void {
  if (link.lowBytes + <f64>packet.sizeBytes <= link.limitBytes) {
    appendLow(link, packet);
  } else if (fraction() < COIN) {
    if (link.lowTail) {
      const newest = popLow(link);
      run.tailSwaps += 1;
      reject(link, newest);
    }
    appendLow(link, packet);
  } else {
    reject(link, packet);
  }
}

/** Trims a data packet, or drops it. */
function reject(link: UetLink, packet: UetPacket): void {
  if (!isTrimming) {
    run.drops += 1;
    dropPacket(packet);
    return;
  }
  run.trims += 1;
  run.bytesTrimmed += <f64>packet.sizeBytes - <f64>trimBytes;
  packet.sizeBytes = trimBytes;
  packet.isHeaderOnly = 1;
  packet.hostClass = HIGH;
  packet.isTrimmedAtLastHop = <u32>(link.next == 0);
  appendHigh(link, packet);
}

function appendLow(link: UetLink, packet: UetPacket): void {
  const address = <u32>changetype<usize>(packet);
  packet.next = 0;
  packet.previous = link.lowTail;
  if (link.lowTail) changetype<UetPacket>(<usize>link.lowTail).next = address;
  else link.lowHead = address;
  link.lowTail = address;
  const bytes = link.lowBytes + <f64>packet.sizeBytes;
  link.lowBytes = bytes;
  if (bytes > run.maxLowBytes) run.maxLowBytes = bytes;
}

/** Removes the newest data packet, which must exist. */
function popLow(link: UetLink): UetPacket {
  const packet = changetype<UetPacket>(<usize>link.lowTail);
  link.lowTail = packet.previous;
  if (link.lowTail) changetype<UetPacket>(<usize>link.lowTail).next = 0;
  else link.lowHead = 0;
  link.lowBytes -= <f64>packet.sizeBytes;
  return packet;
}

function appendHigh(link: UetLink, packet: UetPacket): void {
  const bytes = link.highBytes + <f64>packet.sizeBytes;
  if (bytes > 2 * link.limitBytes) {
    run.headerDrops += 1;
    dropPacket(packet);
    return;
  }
  const address = <u32>changetype<usize>(packet);
  packet.next = 0;
  if (link.highTail) changetype<UetPacket>(<usize>link.highTail).next = address;
  else link.highHead = address;
  link.highTail = address;
  link.highBytes = bytes;
  if (bytes > run.maxHighBytes) run.maxHighBytes = bytes;
}

function beginService(link: UetLink): void {
  const serving = nextClass(link);
  link.serving = serving;
  if (serving == UET_SERVING_NONE) return;
  const head = changetype<UetPacket>(<usize>(serving == UET_SERVING_LOW ? link.lowHead : link.highHead));
  schedule(changetype<usize>(link), nowPs + <f64>head.sizeBytes * link.psPerByte);
}

function nextClass(link: UetLink): u32 {
  if (!link.highHead) return link.lowHead ? UET_SERVING_LOW : UET_SERVING_NONE;
  if (!link.lowHead) return UET_SERVING_HIGH;
  link.highPackets++;
  if (link.highPackets <= HIGH_PACKETS) return UET_SERVING_HIGH;
  link.highPackets = 0;
  return UET_SERVING_LOW;
}

/** The queue's event: a packet has been sent. */
export function endService(link: UetLink): void {
  const isLow = link.serving == UET_SERVING_LOW;
  const head = <usize>(isLow ? link.lowHead : link.highHead);
  if (head) {
    const packet = changetype<UetPacket>(head);
    if (isLow) takeLow(link, packet);
    else takeHigh(link, packet);
    run.packetHops += 1;
    enterPipe(link, packet);
  }
  beginService(link);
}

function takeHigh(link: UetLink, packet: UetPacket): void {
  link.highHead = packet.next;
  if (!packet.next) link.highTail = 0;
  link.highBytes -= <f64>packet.sizeBytes;
}

function takeLow(link: UetLink, packet: UetPacket): void {
  link.lowHead = packet.next;
  if (packet.next) changetype<UetPacket>(<usize>packet.next).previous = 0;
  else link.lowTail = 0;
  link.lowBytes -= <f64>packet.sizeBytes;
  if (!isMarking(link)) return;
  packet.isMarked = 1;
  run.ecnMarks += 1;
}

function isMarking(link: UetLink): bool {
  const bytes = link.lowBytes;
  if (bytes > link.markHighBytes) return true;
  if (bytes <= link.markLowBytes) return false;
  return <f64>draw() < scaledDraw(bytes - link.markLowBytes, link.markHighBytes - link.markLowBytes);
}

/** floor((2^31 - 1) * part / total), exact although the product may exceed 2^53. */
function scaledDraw(part: f64, total: f64): f64 {
  const quotient = floor(DRAW_MAX / total);
  const rest = DRAW_MAX - quotient * total;
  return quotient * part + floor((rest * part) / total);
}

/** Puts a packet on the link; only the oldest packet of a link has an event. */
function enterPipe(link: UetLink, packet: UetPacket): void {
  const address = <u32>changetype<usize>(packet);
  const duePs = nowPs + link.delayPs;
  packet.duePs = duePs;
  packet.next = 0;
  if (link.pipeTail) {
    changetype<UetPacket>(<usize>link.pipeTail).next = address;
  } else {
    link.pipeHead = address;
    schedule(changetype<usize>(link) + UET_LINK_ARRIVED, duePs);
  }
  link.pipeTail = address;
}

/** Removes the packet that arrives at the end of the link. Call `listNextArrival` after passing it on. */
export function takeArrival(link: UetLink): UetPacket {
  const packet = changetype<UetPacket>(<usize>link.pipeHead);
  link.pipeHead = packet.next;
  if (!packet.next) link.pipeTail = 0;
  return packet;
}

/** Schedules the event of the link's oldest packet. */
@inline export function listNextArrival(link: UetLink): void {
  if (!link.pipeHead) return;
  schedule(changetype<usize>(link) + UET_LINK_ARRIVED, changetype<UetPacket>(<usize>link.pipeHead).duePs);
}

/** Load level, 0 to 3, from the bytes of both classes; recomputed if it is older than 100 ns. */
export function levelOf(link: UetLink): u32 {
  if (nowPs - link.levelPs > LEVEL_AGE_PS) {
    const percent = ((link.lowBytes + link.highBytes) * 100) / link.limitBytes;
    link.level = <u32>(percent >= 5) + <u32>(percent >= 10) + <u32>(percent >= 20);
    link.levelPs = nowPs;
  }
  return link.level;
}
