/**
 * Packet trimming: if the queue of a packet is full, a switch removes its payload and sends the header with higher priority.
 *
 *   which     MRC's data, in classes that are trimmed; not its probes, which are shorter
 *   when      queue + packet > limit of the queue, or there is no packet memory for it
 *   trimmed   length = min(length, `trimBytes`); class = `trimClass`. If the port leads to a host: trimmed at the last hop
 *   dropped   a trimmed packet whose queue exceeds its own limit, or for which there is no memory, at this switch or a later one
 *   marks     trimmed packets are not marked
 *
 * Source      Ultra Ethernet 1.0.1 and OCP MRC 1.0 as described in docs/specs/mrc-transport.md, 3.12; OCP SAI, packet trimming;
 *             docs/reference/sources.md.
 * Deviations  only an arriving packet is trimmed, never a queued one.
 */
import { DROP_BUFFER, FLOW_MRC, SIM_TRIMMING } from '../../src/abi/sim-codes';
import { allocate } from '../memory/map';
import { CLASSES, classOf } from './classes';
import { flowAt, indexOfPort, portCount, rule, simCapacity, total } from './network';
import { drop, isData, packetAt } from './packets';
import { publish } from './regions';
import { hasPlace } from './service-pools';
import { mrcOf } from './transport/memory';
import { SIM_CAPACITY_TRIMMING, RULE_TRIM_BYTES, RULE_TRIM_CLASS, RULE_TRIM_CLASSES, TOTAL_BYTES_TRIMMED, TOTAL_TRIMMED,
  TOTAL_TRIMMED_DROPPED } from '../records/sim-run';
import { SimNode, SimPacket, SimPort } from '../records/network';
import { TRIM_LAST_HOP, TRIM_NONE, TRIM_QUEUE_BYTES, TRIM_TRANSIT, TrimQueue } from '../records/transports';

/** Whether switches trim packets. */
export let trimming: bool = false;
let queues: usize = 0;
let trimBytes: u32 = 0;
let trimClass: u32 = 0;
let trimClasses: u32 = 0;

export function allocateTrimming(): void {
  trimming = simCapacity(SIM_CAPACITY_TRIMMING) != 0;
  if (trimming) queues = publish(SIM_TRIMMING, allocate(<usize>portCount * CLASSES * TRIM_QUEUE_BYTES));
}

export function beginTrimming(): void {
  trimBytes = <u32>rule(RULE_TRIM_BYTES);
  trimClass = <u32>rule(RULE_TRIM_CLASS);
  trimClasses = <u32>rule(RULE_TRIM_CLASSES);
}

/** Whether a packet is trimmed and on its way to its receiver. */
export function isTrimmed(packet: SimPacket): bool {
  return isData(packet) && (flowAt(packet.flow).flags & FLOW_MRC) != 0 && mrcOf(packet).trimmed != TRIM_NONE;
}

/** Trims a packet if there is no room for it; false if it was trimmed, here or before, and is dropped. */
export function passesTrimming(node: SimNode, inPort: SimPort, outPort: SimPort, index: u32): bool {
  const packet = packetAt(index);
  if (!isData(packet) || !(flowAt(packet.flow).flags & FLOW_MRC)) return true;
  const part = mrcOf(packet);
  if (part.probe) return true;
  if (part.trimmed == TRIM_NONE) {
    if (!(trimClasses & (1 << packet.cls)) || hasRoom(node, inPort, outPort, packet)) return true;
    const queue = queueOf(outPort, packet.cls);
    queue.trimmed++;
    part.trimmed = <u8>(queue.isLastHop ? TRIM_LAST_HOP : TRIM_TRANSIT);
    part.received = packet.lenBytes - flowAt(packet.flow).headerBytes;
    cut(packet);
  }
  if (hasRoom(node, inPort, outPort, packet)) return true;
  queueOf(outPort, packet.cls).dropped++;
  outPort.drops += 1;
  total(TOTAL_TRIMMED_DROPPED, 1);
  drop(index, DROP_BUFFER);
  return false;
}

@inline function queueOf(port: SimPort, cls: u32): TrimQueue {
  return changetype<TrimQueue>(queues + <usize>(indexOfPort(port) * CLASSES + cls) * TRIM_QUEUE_BYTES);
}

function hasRoom(node: SimNode, inPort: SimPort, outPort: SimPort, packet: SimPacket): bool {
  const cls = <u32>packet.cls;
  const bytes = classOf(outPort, cls).bytes + packet.lenBytes;
  return bytes <= queueOf(outPort, cls).limitBytes && hasPlace(node, inPort, outPort, cls, packet.lenBytes);
}

function cut(packet: SimPacket): void {
  const lenBytes = min<u32>(packet.lenBytes, trimBytes);
  total(TOTAL_TRIMMED, 1);
  total(TOTAL_BYTES_TRIMMED, packet.lenBytes - lenBytes);
  packet.lenBytes = lenBytes;
  packet.cls = <u8>trimClass;
}
