/**
 * The congestion point of a switch port: CE marks by the instantaneous queue of a class, and Fast CNPs.
 *
 * Mark      q > Kmax, or q > Kmin with probability Pmax (q - Kmin) / (Kmax - Kmin)      [assembly/cp/red.ts]
 * Fast CNP  instead of a mark, if the switch sends them                                [assembly/cp/fast-cnp-generator.ts]
 * Custom    a user's handlers decide, instead of both                                  [assembly/simulator/custom-point]
 * Where     `dequeue`: q without the departing packet. `enqueue`: q with the arriving packet.
 */
import { CAPABILITY_ABLE, CAPABILITY_UNABLE, CP_MARK_CE, CP_SEND_FAST_CNP } from '../../src/abi/codes';
import { Random, CONGESTION_POINT_RANDOM, CongestionPoint } from '../records/congestion-point';
import { CONGESTION_CUSTOM, CONGESTION_FAST_CNP, POINT_DREW, POINT_FAST_CNP_SHIFT, POINT_HANDLER_ENQUEUE,
  POINT_MARK } from '../../src/abi/custom-layout';
import { cpDecideAt, cpInitialise } from '../cp/fast-cnp-generator';
import { nextRandom, peekRandom, seedRandom } from '../cp/random';
import { isCongested, markingProbability } from '../cp/red';
import { allocate } from '../memory/map';
import { callPoint } from './custom-point/call';
import { nowPs } from './event-queue';
import { flowAt, flowCount, markAtEnqueue, markEctOnly, nodeAt, nodeCount, reference, rule } from './network';
import { isData } from './packets';
import { beginReferenceRandom, firstOfStream, nextOfStreams, passStreamOver } from './reference-random';
import { isTrimmed, trimming } from './trimming';
import { isMarkable } from './wan/tunnels';
import { RULE_SEED } from '../records/sim-run';
import { ECN_PLAIN, SimNode, SimPacket, SimPort } from '../records/network';

const RANDOM_BYTES: usize = 16;
const ECT_0: u32 = 2;

let random: usize = 0;

export function allocateMarking(): void {
  random = allocate(RANDOM_BYTES);
}

export function beginMarking(): void {
  seedRandom(draws(), <u32>rule(RULE_SEED));
  if (reference) beginReferenceRandom();
}

/** The network's random generator. */
@inline export function draws(): Random {
  return changetype<Random>(random);
}

/** Fills the token buckets of the switches that send Fast CNPs; the host has written their records. */
export function beginFastCnps(): void {
  for (let index: u32 = 0; index < nodeCount; index++) {
    const node = nodeAt(index);
    if (node.isSwitch && node.congestion & CONGESTION_FAST_CNP)
      cpInitialise(<usize>node.congestionPoint, node.portCount, flowCount);
  }
}

/** Whether `decide` can have any effect at this queue length. Kmin is at least 0, so an empty queue needs no read of the port's record. */
@inline export function mayBeDue(node: SimNode, port: SimPort, classBytes: u32): bool {
  return (classBytes && <f64>classBytes > port.kminBytes) || node.congestion != 0;
}

/** Marks the packet if its queue is congested; `handler`: POINT_HANDLER_*. @returns the number of Fast CNPs to send. */
export function decide(node: SimNode, port: SimPort, packet: SimPacket, classBytes: u32, handler: u32): u32 {
  if (trimming && isTrimmed(packet)) return 0;
  if (node.congestion > <u32>CONGESTION_FAST_CNP) return decideNearCustom(node, port, packet, classBytes, handler);
  return decideBuiltIn(node, port, packet, classBytes);
}

/** Like `decide`, in a network with custom congestion points, which is called for both enqueue and dequeue. */
function decideNearCustom(node: SimNode, port: SimPort, packet: SimPacket, classBytes: u32, handler: u32): u32 {
  if (node.congestion & CONGESTION_CUSTOM) return port.ecn ? decideCustom(node, port, packet, classBytes, handler) : 0;
  return markAtEnqueue == (handler == POINT_HANDLER_ENQUEUE) ? decideBuiltIn(node, port, packet, classBytes) : 0;
}

function decideCustom(node: SimNode, port: SimPort, packet: SimPacket, classBytes: u32, handler: u32): u32 {
  const data = isData(packet);
  const markable = (data || !markEctOnly) && (port.ecn == ECN_PLAIN || isMarkable(packet));
  const answer = callPoint(node, port, packet, classBytes, handler, markable, peekDraw(node));
  if (answer & POINT_DREW) passDraw(node);
  if (answer & POINT_MARK && markable) mark(port, packet, data);
  return answer >> POINT_FAST_CNP_SHIFT;
}

/** The number that the built-in rule of this switch would draw next. */
function peekDraw(node: SimNode): f64 {
  return reference ? firstOfStream() : peekRandom(drawsOf(node));
}

function passDraw(node: SimNode): void {
  if (reference) passStreamOver();
  else nextRandom(drawsOf(node));
}

/** The generator of a switch: its own if it sends Fast CNPs by the built-in rule, otherwise the network's. */
@inline function drawsOf(node: SimNode): Random {
  return node.congestion & CONGESTION_FAST_CNP ?
    changetype<Random>(<usize>node.congestionPoint + CONGESTION_POINT_RANDOM) :
    draws();
}

function decideBuiltIn(node: SimNode, port: SimPort, packet: SimPacket, classBytes: u32): bool {
  if (port.ecn != ECN_PLAIN) return port.ecn != 0 && decideTunnelled(node, port, packet, classBytes);
  return decideFor(node, port, packet, classBytes);
}

/** Like `decide`, in a network with tunnels: the outermost header counts; packets that can't be marked still cause Fast CNPs. */
function decideTunnelled(node: SimNode, port: SimPort, packet: SimPacket, classBytes: u32): bool {
  const wasMarked = packet.marked;
  const markable = isMarkable(packet);
  if (!markable && !(node.congestion & CONGESTION_FAST_CNP && isData(packet))) return false;
  const marks = port.marks;
  const dataMarks = port.dataMarks;
  const notifies = decideFor(node, port, packet, classBytes);
  if (markable) return notifies;
  packet.marked = wasMarked;
  port.marks = marks;
  port.dataMarks = dataMarks;
  return notifies;
}

@inline function decideFor(node: SimNode, port: SimPort, packet: SimPacket, classBytes: u32): bool {
  const data = isData(packet);
  if (node.congestion & CONGESTION_FAST_CNP && data) return decideFastCnp(node, port, packet, classBytes);
  if (markEctOnly && !data) return false;
  const due = reference ?
    isDueInReference(port, <f64>classBytes) :
    isCongested(draws(), <f64>classBytes, port.kminBytes, port.kmaxBytes, port.pmax);
  if (due) mark(port, packet, data);
  return false;
}

/** Whether a mark is due under `reference`. On the ramp, including Kmax, each decision draws a random number. */
function isDueInReference(port: SimPort, classBytes: f64): bool {
  if (classBytes > port.kmaxBytes) return true;
  if (classBytes <= port.kminBytes) return false;
  return nextOfStreams() < markingProbability(classBytes, port.kminBytes, port.kmaxBytes, port.pmax);
}

function decideFastCnp(node: SimNode, port: SimPort, packet: SimPacket, classBytes: u32): bool {
  const base = <usize>node.congestionPoint;
  const point = changetype<CongestionPoint>(base);
  point.kminBytes = port.kminBytes;
  point.kmaxBytes = port.kmaxBytes;
  point.pmax = port.pmax;
  const able = nodeAt(flowAt(packet.flow).source).congestion & CONGESTION_FAST_CNP;
  const flags = cpDecideAt(base, <f64>nowPs, port.number, packet.flow, <f64>classBytes, ECT_0,
    able ? CAPABILITY_ABLE : CAPABILITY_UNABLE, 1);
  if (flags & CP_MARK_CE) mark(port, packet, true);
  return (flags & CP_SEND_FAST_CNP) != 0;
}

@inline export function mark(port: SimPort, packet: SimPacket, data: bool): void {
  packet.marked = 1;
  port.marks += 1;
  if (data) port.dataMarks += 1;
}
