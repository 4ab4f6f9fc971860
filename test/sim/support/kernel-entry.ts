/**
 * sim.wasm with parts of the network as exports: for tests of the kernel's own arithmetic, row by row.
 *
 * They read the rules and records of the plan in memory, as the run does.
 */
import { markingProbability } from '../../../assembly/cp/red';
import { nodeAt, portAt } from '../../../assembly/simulator/network';
import { timeAtRate } from '../../../assembly/simulator/serialisation';
import { allowsResume, freeBuffer, isAdmitted, needsPause, allocateBuffer,
  thresholdOf } from '../../../assembly/simulator/shared-buffer';
import { SimNode, SimPort } from '../../../assembly/records/network';
import { classOf } from '../../../assembly/simulator/classes';

export * from '../../../assembly/sim';

/** Bytes of the buffer, `partBufferBytes`. */
const BYTES_SHARED: u32 = 0;
const BYTES_THRESHOLD: u32 = 1;
const BYTES_INGRESS: u32 = 2;

@inline function nodeOf(port: SimPort): SimNode {
  return nodeAt(port.node);
}

/** Picoseconds for a packet of this length at a rate. */
export function partTxTime(lenBytes: u32, rateBps: f64): f64 {
  return <f64>timeAtRate(lenBytes, rateBps);
}

/** Chance of a mark. */
export function partMarkProbability(queueBytes: f64, kminBytes: f64, kmaxBytes: f64, pmax: f64): f64 {
  return markingProbability(queueBytes, kminBytes, kmaxBytes, pmax);
}

/** May a packet that came in by this port of a switch stay? */
export function partAdmits(port: u32, cls: u32, lenBytes: u32): u32 {
  const at = portAt(port);
  return <u32>isAdmitted(nodeOf(at), at, cls, lenBytes);
}

export function partAllocateBuffer(port: u32, cls: u32, lenBytes: u32): void {
  const at = portAt(port);
  allocateBuffer(nodeOf(at), at, cls, lenBytes);
}

export function partFreeBuffer(port: u32, cls: u32, lenBytes: u32): void {
  const at = portAt(port);
  freeBuffer(nodeOf(at), at, cls, lenBytes);
}

/** Should the peer stop sending this class? */
export function partNeedsPause(port: u32, cls: u32): u32 {
  const at = portAt(port);
  return <u32>needsPause(nodeOf(at), at, cls);
}

/** Whether the peer may resume. */
export function partAllowsResume(port: u32, cls: u32): u32 {
  const at = portAt(port);
  return <u32>allowsResume(nodeOf(at), at, cls);
}

/** What is counted: shared bytes in use, threshold, bytes within reserve and share (BYTES_*); else bytes in headroom. */
export function partBufferBytes(port: u32, cls: u32, what: u32): u32 {
  const at = portAt(port);
  if (what == BYTES_SHARED) return nodeOf(at).sharedUsed;
  if (what == BYTES_THRESHOLD) return thresholdOf(nodeOf(at), at);
  return what == BYTES_INGRESS ? classOf(at, cls).ingress : classOf(at, cls).headroom;
}
