/**
 * Reading ahead: when the run comes to another slot of the wheel, what the slot's events will need is read once, level by level, so
 * that waits for memory overlap; event by event each would be waited out.
 *
 *   level     arrival                            end of a transmission
 *   1         the port that sent                 the port
 *   2         the packet, the port it comes to   the queue that waits
 *   3         the flow's exit, the class          the packet at its head
 *   4         the port that it leaves by         the port that it came in by, its flow
 *
 * Nothing depends on it: an event that is put into the slot meanwhile is handled unread. Small networks lie in the near caches
 * anyway and do without.
 */
import { SIM_NONE } from '../../src/abi/sim-layout';
import { EVENTS_PER_PORT, KIND_ARRIVAL, KIND_END } from './event-numbers';
import { dueBegin, dueStop } from './event-queue';
import { Due, DUE_BYTES } from './event-sort';
import { flowAt, portAt, portCount } from './network';
import { packetAt } from './packets';
import { classOf, SimPacket, SimPort } from './records';
import { keptExit } from './paths';

/** Networks of fewer ports are not read ahead. */
const PORTS_FROM: u32 = 256;
/** Events of a slot that are read ahead. */
const MOST: usize = 16;

/** Per event two addresses, u32: of a port, and from level 2 on of a queue or packet; 0: none. */
const arrivals: usize = memory.data(128);
const ends: usize = memory.data(128);
let arrivalCount: u32 = 0;
let endCount: u32 = 0;

/** Where reads end whose only purpose is to have been made. */
let sink: u32 = 0;

@inline export function readsAhead(): bool {
  return portCount >= PORTS_FROM;
}

/** Reads what the events that are left in the present slot will need. */
export function readAhead(): void {
  collect();
  for (let at = arrivals, end = arrivals + (<usize>arrivalCount << 3); at < end; at += 8) readOnArrival(at);
  for (let at = ends, end = ends + (<usize>endCount << 3); at < end; at += 8) readQueue(at);
  for (let at = arrivals, end = arrivals + (<usize>arrivalCount << 3); at < end; at += 8) readExit(at);
  for (let at = ends, end = ends + (<usize>endCount << 3); at < end; at += 8) readHead(at);
  for (let at = arrivals, end = arrivals + (<usize>arrivalCount << 3); at < end; at += 8) readOut(at);
  for (let at = ends, end = ends + (<usize>endCount << 3); at < end; at += 8) readIn(at);
}

function collect(): void {
  const ofPorts = portCount * EVENTS_PER_PORT;
  let read: u32 = 0;
  arrivalCount = 0;
  endCount = 0;
  const end = min(dueStop(), dueBegin() + MOST * DUE_BYTES);
  for (let at = dueBegin(); at < end; at += DUE_BYTES) {
    const event = changetype<Due>(at).index;
    if (event >= ofPorts) continue;
    const kind = event % EVENTS_PER_PORT;
    const port = portAt(event / EVENTS_PER_PORT);
    read += port.isHost + port.waiting;
    if (kind == KIND_ARRIVAL) store<u32>(arrivals + (<usize>(arrivalCount++) << 3), <u32>changetype<usize>(port));
    else if (kind == KIND_END) store<u32>(ends + (<usize>(endCount++) << 3), <u32>changetype<usize>(port));
  }
  sink += read;
}

@inline function readOnArrival(at: usize): void {
  const port = changetype<SimPort>(<usize>load<u32>(at));
  const packet = packetAt(port.pipeHead);
  const peer = portAt(port.peer);
  store<u32>(at, <u32>changetype<usize>(packet), 4);
  store<u32>(at, <u32>changetype<usize>(peer));
  sink += packet.flow + peer.isHost + peer.waiting;
}

@inline function readQueue(at: usize): void {
  const port = changetype<SimPort>(<usize>load<u32>(at));
  const own = classOf(port, <u32>ctz(port.waiting) & 7);
  store<u32>(at, port.waiting ? <u32>changetype<usize>(own) : 0, 4);
  sink += own.bytes;
}

@inline function readExit(at: usize): void {
  const port = changetype<SimPort>(<usize>load<u32>(at));
  const packet = changetype<SimPacket>(<usize>load<u32>(at, 4));
  sink += port.isHost ? flowAt(packet.flow).flags : keptExit(packet);
  sink += classOf(port, packet.cls).ingress;
}

@inline function readHead(at: usize): void {
  const own = <usize>load<u32>(at, 4);
  if (!own) return;
  const packet = packetAt(load<u32>(own));
  store<u32>(at, <u32>changetype<usize>(packet), 4);
  sink += packet.flow;
}

@inline function readOut(at: usize): void {
  const port = changetype<SimPort>(<usize>load<u32>(at));
  const packet = changetype<SimPacket>(<usize>load<u32>(at, 4));
  if (port.isHost) return;
  const exit = keptExit(packet);
  if (exit == SIM_NONE) return;
  const out = portAt(exit);
  sink += out.isHost + out.waiting + out.qpCount + classOf(out, packet.cls).bytes;
}

@inline function readIn(at: usize): void {
  const head = <usize>load<u32>(at, 4);
  if (!head) return;
  const packet = changetype<SimPacket>(head);
  sink += flowAt(packet.flow).telemetry;
  if (packet.inPort == SIM_NONE) return;
  const port = portAt(packet.inPort);
  sink += port.pausing + classOf(port, packet.cls).ingress;
}
