/**
 * sim.wasm with parts of the network as exports: for tests of the kernel's own arithmetic, row by row.
 *
 * They read the rules and records of the plan in memory, as the run does.
 */
import { markingProbability } from '../../../assembly/cp/red';
import { passTime } from '../../../assembly/simulator/event-queue';
import { flowAt, nodeAt, portAt } from '../../../assembly/simulator/network';
import { makePacket, packetAt } from '../../../assembly/simulator/packets';
import { changeDenial } from '../../../assembly/simulator/path-selection/denials';
import { nextUsable } from '../../../assembly/simulator/path-selection/entropy-states';
import { entropiesOf, entropyStateAt, selectorOf,
  setSourcePort } from '../../../assembly/simulator/path-selection/memory';
import { takeProbe, takeProbeAck } from '../../../assembly/simulator/path-selection/probes';
import { takeFeedback, takeLostPacket } from '../../../assembly/simulator/path-selection/select';
import { timeAtRate } from '../../../assembly/simulator/serialisation';
import { allowsResume, freeBuffer, isAdmitted, needsPause, allocateBuffer,
  thresholdOf } from '../../../assembly/simulator/shared-buffer';
import { mrcOf } from '../../../assembly/simulator/transport/memory';
import { FIRST_ENTROPY_PORT } from '../../../assembly/records/balancing';
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

/** Whether a switch admits a packet that arrives at this port. */
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

/** Whether the peer must stop sending this class. */
export function partNeedsPause(port: u32, cls: u32): u32 {
  const at = portAt(port);
  return <u32>needsPause(nodeOf(at), at, cls);
}

/** Whether the peer may resume. */
export function partAllowsResume(port: u32, cls: u32): u32 {
  const at = portAt(port);
  return <u32>allowsResume(nodeOf(at), at, cls);
}

/** A counter: shared bytes in use, threshold, bytes within reserve and share (BYTES_*); else bytes in headroom. */
export function partBufferBytes(port: u32, cls: u32, what: u32): u32 {
  const at = portAt(port);
  if (what == BYTES_SHARED) return nodeOf(at).sharedUsed;
  if (what == BYTES_THRESHOLD) return thresholdOf(nodeOf(at), at);
  return what == BYTES_INGRESS ? classOf(at, cls).ingress : classOf(at, cls).headroom;
}

/** Entropies of a flow of MRC by number, from its first one on: the one that its next packet has. */
export function partNextEntropy(flow: u32): u32 {
  const entropies = entropiesOf(flow);
  return nextUsable(selectorOf(flowAt(flow).source), entropies, 0) - entropies.upper;
}

/** ENTROPY_*. */
export function partEntropyState(flow: u32, number: u32): u32 {
  return entropyStateAt(entropiesOf(flow), number).state;
}

function portOfEntropy(flow: u32, number: u32): u32 {
  return FIRST_ENTROPY_PORT + entropiesOf(flow).upper + number;
}

/** A response arrives whose packet had this entropy. @param trimmed TRIM_*, of a NACK. @param asks 1: a SACK says ALWAYS_SKIP. */
export function partTakeFeedback(flow: u32, number: u32, kind: u32, isMarked: bool, trimmed: u32, asks: u32): void {
  const packet = packetAt(makePacket(kind, flow, 0, 0));
  setSourcePort(packet, portOfEntropy(flow, number));
  packet.echo = <u8>isMarked;
  mrcOf(packet).trimmed = <u8>trimmed;
  mrcOf(packet).asks = <u8>asks;
  takeFeedback(flowAt(flow), packet);
}

/** LOSS_*. */
export function partTakeLoss(flow: u32, number: u32, found: u32): void {
  takeLostPacket(flowAt(flow), portOfEntropy(flow, number), found);
}

/** Number of the probe that leaves now; -1: none. */
export function partTakeProbe(flow: u32, number: u32): i32 {
  const entropies = entropiesOf(flow);
  return takeProbe(flowAt(flow), entropies, number) ? <i32>entropyStateAt(entropies, number).probe : -1;
}

export function partTakeProbeAck(flow: u32, number: u32, probe: u32, isMarked: bool, isAlwaysSkipped: bool): void {
  takeProbeAck(flowAt(flow), entropiesOf(flow).upper + number, probe, isMarked, isAlwaysSkipped);
}

export function partDeny(number: u32, isDenied: bool): void {
  changeDenial(number, isDenied);
}

/** No event is due by then. */
export function partPassTime(timePs: f64): void {
  passTime(<i64>timePs);
}
