/**
 * The shared packet memory of a switch, and the pauses that keep it from overflowing.
 *
 * State      per ingress port and class: bytes within reserve and share, bytes in headroom; per switch: shared bytes in use.
 * Threshold  (memory - headrooms - reserves - shared in use) >> shift, per port
 * Admit      unless the headroom would overflow and the class uses more than the threshold of the share
 * Allocate   up to the reserve, then the share up to the threshold, then the headroom
 * Pause      once headroom is in use or the share is at the threshold
 * Resume     headroom empty, and nothing shared or `resumeOffset` below the threshold
 * Classes    without reserved memory have only the share, and are not paused
 *
 * Source     behaviour of the ns-3 reference simulator (golden/unit/mmu_sequence.csv): a dynamic threshold after
 *            A. Choudhury, E. Hahne, IEEE/ACM Transactions on Networking 6(2), 1998.
 */
import { guaranteedClasses, resumeOffsetBytes, reservedBytes } from './network';
import { SimClass, SimNode, SimPort } from '../records/network';
import { classOf } from './classes';

/** Whether memory is reserved for a class. */
@inline function isGuaranteed(cls: u32): bool {
  return (guaranteedClasses & (1 << cls)) != 0;
}

@inline function reserveOf(cls: u32): u32 {
  return isGuaranteed(cls) ? reservedBytes : 0;
}

@inline function sharedUseOf(use: SimClass, cls: u32): u32 {
  const reserve = reserveOf(cls);
  return use.ingress > reserve ? use.ingress - reserve : 0;
}

/** Number of shared bytes at which a port's peer is paused. */
@inline export function thresholdOf(node: SimNode, port: SimPort): u32 {
  return (node.sharable - node.sharedUsed) >> port.thresholdShift;
}

/** Whether a packet that arrived by this port is admitted. */
@inline export function isAdmitted(node: SimNode, port: SimPort, cls: u32, lenBytes: u32): bool {
  const use = classOf(port, cls);
  if (lenBytes + use.headroom <= port.headroomBytes && isGuaranteed(cls)) return true;
  return lenBytes + sharedUseOf(use, cls) <= thresholdOf(node, port);
}

/** Allocates the memory of an admitted packet. */
@inline export function allocateBuffer(node: SimNode, port: SimPort, cls: u32, lenBytes: u32): void {
  const use = classOf(port, cls);
  const next = use.ingress + lenBytes;
  const reserve = reserveOf(cls);
  if (next <= reserve) {
    use.ingress = next;
    return;
  }
  const beyond = next - reserve;
  if (beyond > thresholdOf(node, port)) {
    use.headroom += lenBytes;
    return;
  }
  use.ingress = next;
  node.sharedUsed += min<u32>(lenBytes, beyond);
  // Only classes that can be paused record how close they came to a pause.
  if (!reserve) return;
  if (beyond > port.maxShared) port.maxShared = beyond;
  const threshold = thresholdOf(node, port);
  if (threshold < port.minThreshold) port.minThreshold = threshold;
}

/** Releases the memory of a packet that arrived by this port. */
@inline export function freeBuffer(node: SimNode, port: SimPort, cls: u32, lenBytes: u32): void {
  const use = classOf(port, cls);
  const fromRoom = min<u32>(use.headroom, lenBytes);
  const rest = lenBytes - fromRoom;
  node.sharedUsed -= min<u32>(rest, sharedUseOf(use, cls));
  use.headroom -= fromRoom;
  use.ingress -= rest;
}

/** Whether the peer should stop sending this class. */
@inline export function needsPause(node: SimNode, port: SimPort, cls: u32): bool {
  if (!isGuaranteed(cls)) return false;
  const use = classOf(port, cls);
  return use.headroom > 0 || sharedUseOf(use, cls) >= thresholdOf(node, port);
}

/** Bytes within reserve and share that remain after all but the stuck bytes have left. */
@inline export function leastUse(use: SimClass, stuckBytes: u32): u32 {
  const leaving = use.ingress + use.headroom - stuckBytes;
  return stuckBytes - (use.headroom > leaving ? use.headroom - leaving : 0);
}

/** Bytes of a class's use beyond its reserve. */
@inline export function sharedOfUse(ingressBytes: u32, cls: u32): u32 {
  const reserve = reserveOf(cls);
  return ingressBytes > reserve ? ingressBytes - reserve : 0;
}

/** Whether the peer could resume if all but the stuck bytes had left; `sharedBytes`: the stuck shared bytes of the whole switch. */
export function wouldResume(node: SimNode, port: SimPort, cls: u32, stuckBytes: u32, sharedBytes: u32): bool {
  const left = leastUse(classOf(port, cls), stuckBytes);
  if (left != stuckBytes) return false;
  const used = sharedOfUse(left, cls);
  return used == 0 || used + resumeOffsetBytes <= (node.sharable - sharedBytes) >> port.thresholdShift;
}

/** Whether the peer may resume. */
@inline export function allowsResume(node: SimNode, port: SimPort, cls: u32): bool {
  const use = classOf(port, cls);
  if (use.headroom) return false;
  const used = sharedUseOf(use, cls);
  return used == 0 || used + resumeOffsetBytes <= thresholdOf(node, port);
}
