/**
 * The packet memory of a switch as two pools, ingress and egress, for all classes but 0.
 *
 *   S        bytes of (egress port, class) beyond 1,049       I, X, P   bytes of (ingress port, class); of these, in headroom; of
 *                                                                       the ingress port
 *   drop     out: pool_out + b > L_out, or port + b or S + b > B, or S + b > L_out - pool_out
 *            in:  total + b > B; or I + b > 1,048 and P + b > 1,048 and pool_in > L_in and X + b > headroom
 *   update   total, pool_in, P, I grow; if then pool_in > L_in, also X. Class 1 has a separate pool_in.
 *   leave    all decrease, X not below 0, regardless of where the packet was counted
 *   pause    of class k: I_k > 2,096 and (I_k - 2,096 > (L_in - pool_in) / 16, or X of the packet's class)
 *   resume   I - 2,096 < (L_in - pool_in - 16) / 16 and no X
 *
 *   L_in = B - (14,596 + headroom of all ports but the last) - 8,384 ports      L_out = B - 8,384 ports      modulo 2^32
 *
 * Source: docs/specs/reference-lossy.md, sections 6 and 7.
 */
import { indexOfNode, portAt } from '../network';
import { lossyNode, lossyPort } from './network';
import { SimNode, SimPort } from '../../records/network';
import { classOf } from '../classes';
import { LossyNode } from '../../records/lossy';

/** Headroom of port 0, a dummy of the reference simulator. */
const DUMMY_HEADROOM_BYTES: u32 = 14596;
const PER_PORT_BYTES: u32 = 8384;
const RESERVED_OUT_BYTES: u32 = 1049;
const RESERVED_IN_BYTES: u32 = 1048;
const PAUSE_FLOOR_BYTES: u32 = 2096;
const RESUME_BYTES: i64 = 16;
const ALPHA_IN: f64 = 1.0 / 16.0;

export function beginPools(node: SimNode, own: LossyNode): void {
  let headroom = DUMMY_HEADROOM_BYTES;
  for (let port: u32 = 0; port + 1 < node.portCount; port++) headroom += portAt(node.firstPort + port).headroomBytes;
  own.limitIn = node.bufferBytes - headroom - PER_PORT_BYTES * node.portCount;
  own.limitOut = node.bufferBytes - PER_PORT_BYTES * node.portCount;
}

@inline function ownOf(node: SimNode): LossyNode {
  return lossyNode(indexOfNode(node));
}

@inline function beyondReserve(bytes: u32): u32 {
  return bytes > RESERVED_OUT_BYTES ? bytes - RESERVED_OUT_BYTES : 0;
}

@inline function poolInOf(own: LossyNode, cls: u32): u32 {
  return cls == 1 ? own.poolInOfClass1 : own.poolIn;
}

@inline function addToPoolIn(own: LossyNode, cls: u32, bytes: u32): void {
  if (cls == 1) own.poolInOfClass1 += bytes;
  else own.poolIn += bytes;
}

/** Bytes of a class that wait at a port, as counted for marks. */
@inline export function markedBytes(port: SimPort, cls: u32): u32 {
  return beyondReserve(classOf(port, cls).bytes);
}

/** Whether a packet from one port to another is admitted. */
export function isPooled(node: SimNode, inPort: SimPort, outPort: SimPort, cls: u32, lenBytes: u32): bool {
  const own = ownOf(node);
  return fitsOut(node, own, outPort, cls, lenBytes) && fitsIn(node, own, inPort, cls, lenBytes);
}

function fitsOut(node: SimNode, own: LossyNode, port: SimPort, cls: u32, lenBytes: u32): bool {
  const bytes = <u64>lenBytes;
  const buffer = <u64>node.bufferBytes;
  const used = <u64>markedBytes(port, cls) + bytes;
  if (<u64>own.poolOut + bytes > <u64>own.limitOut) return false;
  if (<u64>(port.queueBytes - classOf(port, 0).bytes) + bytes > buffer || used > buffer) return false;
  return <f64>used <= <f64>(own.limitOut - own.poolOut);
}

function fitsIn(node: SimNode, own: LossyNode, port: SimPort, cls: u32, lenBytes: u32): bool {
  if (<u64>own.total + <u64>lenBytes > <u64>node.bufferBytes) return false;
  const use = classOf(port, cls);
  if (use.ingress + lenBytes <= RESERVED_IN_BYTES || lossyPort(port).inBytes + lenBytes <= RESERVED_IN_BYTES)
    return true;
  return poolInOf(own, cls) <= own.limitIn || use.headroom + lenBytes <= port.headroomBytes;
}

/** Allocates memory for an admitted packet, before it joins its queue. */
export function takePool(node: SimNode, inPort: SimPort, outPort: SimPort, cls: u32, lenBytes: u32): void {
  const own = ownOf(node);
  const use = classOf(inPort, cls);
  own.total += lenBytes;
  addToPoolIn(own, cls, lenBytes);
  lossyPort(inPort).inBytes += lenBytes;
  use.ingress += lenBytes;
  if (poolInOf(own, cls) > own.limitIn) use.headroom += lenBytes;
  const queued = classOf(outPort, cls).bytes;
  own.poolOut += beyondReserve(queued + lenBytes) - beyondReserve(queued);
}

/** Releases the memory of a packet, after it has left its queue. */
export function freePool(node: SimNode, inPort: SimPort, outPort: SimPort, cls: u32, lenBytes: u32): void {
  const own = ownOf(node);
  const use = classOf(inPort, cls);
  own.total -= lenBytes;
  addToPoolIn(own, cls, -lenBytes);
  lossyPort(inPort).inBytes -= lenBytes;
  use.ingress -= lenBytes;
  use.headroom -= min<u32>(use.headroom, lenBytes);
  const queued = classOf(outPort, cls).bytes;
  own.poolOut -= beyondReserve(queued + lenBytes) - beyondReserve(queued);
}

/** Whether a pause of class `cls` is due, at a packet of class `arrived`. */
export function isPauseDue(node: SimNode, port: SimPort, cls: u32, arrived: u32): bool {
  const use = classOf(port, cls);
  if (use.ingress <= PAUSE_FLOOR_BYTES) return false;
  const own = ownOf(node);
  const free = <i64>own.limitIn - <i64>poolInOf(own, cls);
  return <f64>(use.ingress - PAUSE_FLOOR_BYTES) > ALPHA_IN * <f64>free || classOf(port, arrived).headroom != 0;
}

/** Whether the peer may resume. */
export function isResumeDue(node: SimNode, port: SimPort, cls: u32): bool {
  const use = classOf(port, cls);
  if (use.headroom) return false;
  const own = ownOf(node);
  const free = <i64>own.limitIn - <i64>poolInOf(own, cls) - RESUME_BYTES;
  return <f64>(<i64>use.ingress - <i64>PAUSE_FLOOR_BYTES) < ALPHA_IN * <f64>free;
}
