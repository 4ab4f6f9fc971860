/**
 * Memory records of path selection in hosts: a selector per host, entropies per flow. They are part of the region of load balancing, which
 * the host lays out: src/abi/records/balancing.ts. All zeros is the state of a flow that has not sent yet.
 */
import { nextRandom, seedRandom } from '../../cp/random';
import { header, selecting, tableAt } from '../balancing/network';
import { linkEventCount, linkEvents, nodeCount, rule } from '../network';
import { packetPart } from '../packets';
import { RULE_SEED } from '../../records/sim-run';
import { ENTROPY_DENIAL, LINK_EVENT_BYTES, LinkEvent, SimPacket } from '../../records/network';
import { BalancingPart, DENIED_PLANE, ENTROPY_STATE_BYTES, EntropyState, FIRST_ENTROPY_PORT, FLOW_ENTROPIES_BYTES,
  FLOW_ENTROPIES_RING, FlowEntropies, SELECTOR_BYTES, SELECTOR_RANDOM, SENT_ENTROPIES,
  Selector } from '../../records/balancing';
import { Random } from '../../records/congestion-point';

/** Offset of the seeds from those of switches and links. */
const STREAM: u32 = 0x65767321;
const NODE_STEP: u32 = 0x9e3779b1;

let selectorsAt: usize = 0;
let entropiesAt: usize = 0;
let entropiesBytes: usize = 0;
/** REPS: how long only known entropies are used after a timeout. */
export let freezePs: i64 = 0;
/** REPS: number of packets that then use new entropies. */
export let explorePackets: u16 = 0;
/** Settings of entropy states, as in the header of the region. */
export let reserve: u32 = 0;
export let minActive: u32 = 0;
export let planes: u32 = 1;
let planeMask: u32 = 0;
let planeShift: u32 = 0;
export let inferredLoss: u32 = 0;
export let skipPs: i64 = 0;
/** Consecutive marked packets of an entropy after which a receiver responds with ALWAYS_SKIP; 0: never. */
export let alwaysSkipMarks: u32 = 0;
/** A port with at least this many bytes waiting has no room; 0: every port has room. */
export let roomBytes: u32 = 0;
/** Whether a controller denies any entropy at some time. */
export let denying: bool = false;
let deniedAt: usize = 0;
/** Planes that the controller denies, a bit each. */
let deniedPlanes: u32 = 0;
/** Settings of path probes, as in the header of the region. */
export let probePs: i64 = 0;
export let probesToReturn: u32 = 0;
export let markedProbe: u32 = 0;
export let probeBytes: u32 = 0;

/** Reads the header, and seeds the hosts' random number generators. */
export function beginPathSelection(): void {
  if (!selecting) return;
  const own = header();
  selectorsAt = tableAt(own.selectorsAt);
  entropiesAt = tableAt(own.entropiesAt);
  entropiesBytes = own.entropiesBytes;
  freezePs = <i64>own.freezePs;
  explorePackets = <u16>own.explore;
  reserve = own.reserve;
  minActive = own.minActive;
  planes = own.planes;
  planeMask = own.planeMask;
  planeShift = own.planeShift;
  inferredLoss = own.inferredLoss;
  skipPs = <i64>own.skipPs;
  probePs = <i64>own.probePs;
  probesToReturn = own.probesToReturn;
  markedProbe = own.markedProbe;
  probeBytes = own.probeBytes;
  alwaysSkipMarks = own.alwaysSkipMarks;
  roomBytes = own.roomBytes;
  deniedAt = tableAt(own.deniedAt);
  forgetDenials();
  for (let index: u32 = 0; index < nodeCount; index++)
    seedRandom(randomOf(selectorOf(index)), <u32>rule(RULE_SEED) + STREAM + index * NODE_STEP);
}

/** Clears all denials. */
function forgetDenials(): void {
  denying = false;
  deniedPlanes = 0;
  for (let index: u32 = 0; index < linkEventCount; index++) {
    const event = changetype<LinkEvent>(linkEvents + <usize>index * LINK_EVENT_BYTES);
    if (event.change != ENTROPY_DENIAL) continue;
    denying = true;
    setDenied(event.port, false);
  }
}

/** `target`: the number of an entropy, or DENIED_PLANE + a plane. */
export function setDenied(target: u32, isDenied: bool): void {
  if (target < <u32>DENIED_PLANE) {
    store<u8>(deniedAt + <usize>target, <u8>isDenied);
    return;
  }
  const plane: u32 = 1 << (target - <u32>DENIED_PLANE);
  deniedPlanes = isDenied ? deniedPlanes | plane : deniedPlanes & ~plane;
}

/** Whether the controller denies an entropy of a flow: by its number, or by its plane. */
export function isDenied(flow: FlowEntropies, number: u32): bool {
  if (load<u8>(deniedAt + <usize>number)) return true;
  return ((deniedPlanes >>> planeOf(FIRST_ENTROPY_PORT + flow.upper + number, planes)) & 1) != 0;
}

@inline export function selectorOf(host: u32): Selector {
  return changetype<Selector>(selectorsAt + <usize>host * SELECTOR_BYTES);
}

@inline function randomOf(own: Selector): Random {
  return changetype<Random>(changetype<usize>(own) + SELECTOR_RANDOM);
}

/** A random number from 0 to `count` - 1 from the host's generator. */
@inline export function draw(own: Selector, count: u32): u32 {
  return <u32>(nextRandom(randomOf(own)) * <f64>count);
}

@inline export function entropiesOf(flow: u32): FlowEntropies {
  return changetype<FlowEntropies>(entropiesAt + <usize>flow * entropiesBytes);
}

/** Clears the entropies of a flow whose record is reused. */
export function forgetEntropies(flow: u32): void {
  if (selecting) memory.fill(entropiesAt + <usize>flow * entropiesBytes, 0, entropiesBytes);
}

/** Address of an entry of REPS' ring. */
@inline export function ringAt(flow: FlowEntropies, place: u32): usize {
  return changetype<usize>(flow) + FLOW_ENTROPIES_RING + (<usize>place << 1);
}

/** Address of the entropy of a sent packet, by packet number. */
@inline export function sentAt(flow: FlowEntropies, number: u32): usize {
  return changetype<usize>(flow) + FLOW_ENTROPIES_BYTES + (<usize>(number & (SENT_ENTROPIES - 1)) << 1);
}

/** Address of the penalty of an entropy, u8. */
@inline export function penaltyAt(flow: FlowEntropies, entropy: u32): usize {
  return changetype<usize>(flow) + FLOW_ENTROPIES_BYTES + (SENT_ENTROPIES << 1) + <usize>entropy;
}

/** The state of an entropy, by its number counted from the flow's first one. */
@inline export function entropyStateAt(flow: FlowEntropies, number: u32): EntropyState {
  return changetype<EntropyState>(changetype<usize>(flow) + FLOW_ENTROPIES_BYTES +
    <usize>number * ENTROPY_STATE_BYTES);
}

/** Address of the number of the entropy in a slot of the active set, u16. */
@inline export function activeAt(own: Selector, flow: FlowEntropies, slot: u32): usize {
  return changetype<usize>(entropyStateAt(flow, own.entropies + reserve)) + (<usize>slot << 1);
}

/** The plane, one of `count`, of packets with this UDP source port. */
@inline export function planeOf(port: u32, count: u32): u32 {
  return ((port & planeMask) >>> planeShift) % count;
}

/** UDP source port of a packet; 0: that of its flow. A response has the port of its data packet. */
@inline export function sourcePortOfPacket(packet: SimPacket): u32 {
  return changetype<BalancingPart>(packetPart(packet)).sourcePort;
}

@inline export function setSourcePort(packet: SimPacket, port: u32): void {
  changetype<BalancingPart>(packetPart(packet)).sourcePort = <u16>port;
}

/** Gives a packet that a host or switch creates in response to another one the same port. */
@inline export function copySourcePort(packet: SimPacket, cause: SimPacket): void {
  if (selecting) setSourcePort(packet, sourcePortOfPacket(cause));
}
