/**
 * A call of a custom congestion point's handler: writes the record, copies the states in, checks the result, and copies the
 * states back.
 *
 * A handler is a user's function, from a module or from JavaScript, in this module's table. It gets a copy of its states between
 * guards, so that an out-of-bounds store reaches no other state. An error causes a trap; the region's header then has the call and
 * the fault for the host to report.
 */
import { CONGESTION_FAST_CNP, POINT_DREW, POINT_FAST_CNPS_MAX, POINT_FAST_CNP_SHIFT, POINT_FAULT_FAST_CNP,
  POINT_FAULT_GUARD, POINT_FAULT_RESULT, POINT_GUARD, POINT_GUARD_BYTES, POINT_HANDLER_ENQUEUE, POINT_HANDLER_NONE,
  POINT_MARK, POINT_PACKET_ACCEPTS_FAST_CNPS, POINT_PACKET_DATA, POINT_PACKET_MARKABLE, POINT_PACKET_MARKED,
  POINT_STATE } from '../../../src/abi/custom-layout';
import { nowPs } from '../event-queue';
import { flowAt, indexOfNode, nodeAt, reference } from '../network';
import { isData } from '../packets';
import { pointCall, pointOf, pointRecord } from './memory';
import { PointNode, PointRecord } from './record';
import { SimNode, SimPacket, SimPort } from '../../records/network';
import { CLASSES } from '../classes';

const GUARD: u64 = (<u64>~POINT_GUARD << 32) | <u64>POINT_GUARD;
const FAST_CNPS_MASK: u32 = ~(POINT_MARK | POINT_DREW);

/**
 * Asks the congestion point of a switch about a packet. `handler`: POINT_HANDLER_*; `random`: the next number of its generator.
 *
 * @returns POINT_*
 */
export function callPoint(node: SimNode, port: SimPort, packet: SimPacket, classBytes: u32, handler: u32,
  markable: bool, random: f64): u32 {
  const own = pointOf(node);
  const index = handler == POINT_HANDLER_ENQUEUE ? own.enqueue : own.dequeue;
  if (!index) return 0;
  const record = pointRecord();
  record.queueBytes = <f64>classBytes;
  record.totalQueueBytes = <f64>port.queueBytes;
  record.lineRateBps = port.rateBps;
  record.kminBytes = port.kminBytes;
  record.kmaxBytes = port.kmaxBytes;
  record.pmax = port.pmax;
  record.random = random;
  record.node = indexOfNode(node);
  record.port = port.number;
  record.cls = packet.cls;
  record.flow = packet.flow;
  record.lenBytes = packet.lenBytes;
  record.packet = bitsOf(packet, markable);
  copyStates(own, record, port, packet, true);
  writeGuards(own, record);
  const result = callHandler(index, handler, own, record);
  if (!areGuardsIntact(own, record)) fault(POINT_FAULT_GUARD, 0);
  checkResult(result, packet);
  copyStates(own, record, port, packet, false);
  pointCall().handler = POINT_HANDLER_NONE;
  return result;
}

@inline function callHandler(index: u32, handler: u32, own: PointNode, record: PointRecord): u32 {
  const call = pointCall();
  call.fault = 0;
  call.timePs = <f64>nowPs;
  call.handler = handler;
  return call_indirect<u32>(index, changetype<usize>(record), <usize>own.parameters, <f64>nowPs, record.lenBytes);
}

@inline function bitsOf(packet: SimPacket, markable: bool): u32 {
  const accepts = nodeAt(flowAt(packet.flow).source).congestion & CONGESTION_FAST_CNP;
  return (isData(packet) ? POINT_PACKET_DATA : 0) | (markable ? POINT_PACKET_MARKABLE : 0) |
    (packet.marked ? POINT_PACKET_MARKED : 0) | (accepts ? POINT_PACKET_ACCEPTS_FAST_CNPS : 0);
}

function checkResult(result: u32, packet: SimPacket): void {
  const count = result >> POINT_FAST_CNP_SHIFT;
  if (!(result & FAST_CNPS_MASK)) return;
  if (count > <u32>POINT_FAST_CNPS_MAX) fault(POINT_FAULT_RESULT, <f64>result);
  if (reference || !isData(packet)) fault(POINT_FAULT_FAST_CNP, <f64>count);
}

/** Copies the states of the queue, the port and the flow into the record or out of it. */
function copyStates(own: PointNode, record: PointRecord, port: SimPort, packet: SimPacket, into: bool): void {
  let at = changetype<usize>(record) + POINT_STATE;
  at = copyState(at, <usize>own.queues, port.number * CLASSES + packet.cls, own.queueBytes, into);
  at = copyState(at, <usize>own.ports, port.number, own.portBytes, into);
  copyState(at, <usize>own.flows, packet.flow, own.flowBytes, into);
}

/** @returns the address after the copied state. */
@inline function copyState(at: usize, states: usize, index: u32, bytes: u32, into: bool): usize {
  if (!bytes) return at;
  const kept = states + <usize>index * bytes;
  if (into) memory.copy(at, kept, bytes);
  else memory.copy(kept, at, bytes);
  return at + bytes;
}

@inline function behindStates(own: PointNode, record: PointRecord): usize {
  return changetype<usize>(record) + POINT_STATE + own.queueBytes + own.portBytes + own.flowBytes;
}

function writeGuards(own: PointNode, record: PointRecord): void {
  const before = changetype<usize>(record) - POINT_GUARD_BYTES;
  const behind = behindStates(own, record);
  store<u64>(before, GUARD);
  store<u64>(before + 8, GUARD);
  store<u64>(behind, GUARD);
  store<u64>(behind + 8, GUARD);
}

@inline function areGuardsIntact(own: PointNode, record: PointRecord): bool {
  const before = changetype<usize>(record) - POINT_GUARD_BYTES;
  const behind = behindStates(own, record);
  return ((load<u64>(before) ^ GUARD) | (load<u64>(before + 8) ^ GUARD) | (load<u64>(behind) ^ GUARD) |
    (load<u64>(behind + 8) ^ GUARD)) == 0;
}

/** Records the fault and traps, which ends the host's call. */
function fault(code: u32, value: f64): void {
  pointCall().fault = code;
  pointCall().value = value;
  unreachable();
}
