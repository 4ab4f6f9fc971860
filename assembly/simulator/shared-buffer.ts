/**
 * The shared packet memory of a switch, and the pauses that keep it from overflowing.
 *
 * State      per ingress port and class: bytes within reserve and share, bytes in headroom; per switch: shared bytes in use.
 * Threshold  (memory - headrooms - reserves - shared in use) >> shift, per port
 * Admit      unless the headroom would overflow and the class uses more than the threshold of the share
 * Take       up to the reserve, then the share up to the threshold, then the headroom
 * Pause      once headroom is in use or the share is at the threshold
 * Resume     headroom empty, and nothing shared or `resumeOffset` below the threshold
 *
 * Source     behaviour of the ns-3 reference simulator (golden/unit/mmu_sequence.csv): a dynamic threshold after
 *            A. Choudhury, E. Hahne, IEEE/ACM Transactions on Networking 6(2), 1998.
 */
import { resumeOffsetBytes, reservedBytes } from './network';
import { headroomOf, ingressOf, SimNode, SimPort } from './records';

@inline function sharedUseOf(port: SimPort, cls: u32): u32 {
  const ingress = load<u32>(ingressOf(port, cls));
  return ingress > reservedBytes ? ingress - reservedBytes : 0;
}

@inline function thresholdOf(node: SimNode, port: SimPort): u32 {
  return (node.sharable - node.sharedUsed) >> port.thresholdShift;
}

/** May a packet that came in by this port stay? */
@inline export function isAdmitted(node: SimNode, port: SimPort, cls: u32, lenBytes: u32): bool {
  if (lenBytes + load<u32>(headroomOf(port, cls)) <= port.headroomBytes) return true;
  return lenBytes + sharedUseOf(port, cls) <= thresholdOf(node, port);
}

/** An admitted packet takes its place. */
@inline export function takeBuffer(node: SimNode, port: SimPort, cls: u32, lenBytes: u32): void {
  const at = ingressOf(port, cls);
  const next = load<u32>(at) + lenBytes;
  if (next <= reservedBytes) {
    store<u32>(at, next);
    return;
  }
  const beyond = next - reservedBytes;
  if (beyond > thresholdOf(node, port)) {
    store<u32>(headroomOf(port, cls), load<u32>(headroomOf(port, cls)) + lenBytes);
    return;
  }
  store<u32>(at, next);
  node.sharedUsed += min<u32>(lenBytes, beyond);
}

/** A packet that came in by this port leaves the switch. */
@inline export function freeBuffer(node: SimNode, port: SimPort, cls: u32, lenBytes: u32): void {
  const room = headroomOf(port, cls);
  const fromRoom = min<u32>(load<u32>(room), lenBytes);
  const rest = lenBytes - fromRoom;
  node.sharedUsed -= min<u32>(rest, sharedUseOf(port, cls));
  store<u32>(room, load<u32>(room) - fromRoom);
  store<u32>(ingressOf(port, cls), load<u32>(ingressOf(port, cls)) - rest);
}

/** Should the peer stop sending this class? */
@inline export function needsPause(node: SimNode, port: SimPort, cls: u32): bool {
  return load<u32>(headroomOf(port, cls)) > 0 || sharedUseOf(port, cls) >= thresholdOf(node, port);
}

/** May the peer go on? */
@inline export function allowsResume(node: SimNode, port: SimPort, cls: u32): bool {
  if (load<u32>(headroomOf(port, cls))) return false;
  const used = sharedUseOf(port, cls);
  return used == 0 || used + resumeOffsetBytes <= thresholdOf(node, port);
}
