/**
 * Memory records of path selection in hosts: a selector per host, entropies per flow. They are part of the region of load balancing, which
 * the host lays out: src/abi/balancing-layout.ts. All zeros is the state of a flow that has not sent yet.
 */
import { BALANCING_ENTROPIES_AT, BALANCING_ENTROPIES_BYTES, BALANCING_EXPLORE, BALANCING_FREEZE, BALANCING_SELECTORS_AT,
  ENTROPY_PORTS, FIRST_ENTROPY_PORT, FLOW_ENTROPIES_BYTES, PART_SOURCE_PORT, SELECTOR_BYTES, SELECTOR_ENTROPIES,
  SELECTOR_RANDOM, SELECTOR_RULE, SENT_ENTROPIES } from '../../../src/abi/balancing-layout';
import { nextRandom, Random, seedRandom } from '../../cp/random';
import { balancing, selecting, word } from '../balancing/network';
import { nodeCount, rule } from '../network';
import { packetPart } from '../packets';
import { RULE_SEED } from '../../records/sim-rules';
import { SimPacket } from '../../records/network';

/** How a host chooses the UDP source port of a data packet. */
@unmanaged
export class Selector {
  /** SELECTION_RULE_*. */
  rule: u32;
  /** Number of entropies of a flow, a power of two. */
  entropies: u32;
  free8: u32;
  free12: u32;
  // The state of its generator follows, SELECTOR_RANDOM.
}

/** Entropies of a flow. */
@unmanaged
export class FlowEntropies {
  /** Round-robin: the next number, what it is combined with, and the bits above the number of entropies. */
  turn: u16;
  mask: u16;
  upper: u16;
  isStarted: u8;
  /** REPS: bit per place of the ring: its entropy has not been used again. */
  fresh: u8;
  /** Place that is written next, number of places written so far, of which are fresh; place that is read next while frozen. */
  head: u8;
  written: u8;
  freshCount: u8;
  frozenTurn: u8;
  /** Packets that still get new entropies after freezing. */
  explore: u16;
  isFrozen: u16;
  thawPs: i64;
  ring0: u64;
  ring1: u64;
  free40: u64;
  // Under `bitmap` follow the entropies of the last packets sent, and the penalties.
}

const RING: usize = 24;

/** Offset of the seeds from those of switches and links. */
const STREAM: u32 = 0x65767321;
const NODE_STEP: u32 = 0x9e3779b1;

let selectorsAt: usize = 0;
let entropiesAt: usize = 0;
let entropiesBytes: usize = 0;
/** REPS: how long only known entropies are used after a timeout, and packets with new ones after that. */
export let freezePs: i64 = 0;
export let explorePackets: u16 = 0;

/** Reads the header, and sets the hosts' generators to time 0. */
export function beginPathSelection(): void {
  if (!selecting) return;
  selectorsAt = balancing + word(BALANCING_SELECTORS_AT);
  entropiesAt = balancing + word(BALANCING_ENTROPIES_AT);
  entropiesBytes = word(BALANCING_ENTROPIES_BYTES);
  freezePs = <i64>load<f64>(balancing + BALANCING_FREEZE);
  explorePackets = <u16>word(BALANCING_EXPLORE);
  for (let index: u32 = 0; index < nodeCount; index++)
    seedRandom(randomOf(selectorOf(index)), <u32>rule(RULE_SEED) + STREAM + index * NODE_STEP);
}

@inline export function selectorOf(host: u32): Selector {
  return changetype<Selector>(selectorsAt + <usize>host * SELECTOR_BYTES);
}

@inline function randomOf(own: Selector): Random {
  return changetype<Random>(changetype<usize>(own) + SELECTOR_RANDOM);
}

/** A random number from 0 to `count` - 1, of the host's own generator. */
@inline export function draw(own: Selector, count: u32): u32 {
  return <u32>(nextRandom(randomOf(own)) * <f64>count);
}

@inline export function entropiesOf(flow: u32): FlowEntropies {
  return changetype<FlowEntropies>(entropiesAt + <usize>flow * entropiesBytes);
}

/** Forgets the entropies of a flow whose record is reused. */
export function forgetEntropies(flow: u32): void {
  if (selecting) memory.fill(entropiesAt + <usize>flow * entropiesBytes, 0, entropiesBytes);
}

/** Address of the entropy in a place of REPS' ring. */
@inline export function ringAt(flow: FlowEntropies, place: u32): usize {
  return changetype<usize>(flow) + RING + (<usize>place << 1);
}

/** Address of the entropy of a packet that was sent, by its number. */
@inline export function sentAt(flow: FlowEntropies, number: u32): usize {
  return changetype<usize>(flow) + FLOW_ENTROPIES_BYTES + (<usize>(number & (SENT_ENTROPIES - 1)) << 1);
}

/** Address of the penalty of an entropy, u8. */
@inline export function penaltyAt(flow: FlowEntropies, entropy: u32): usize {
  return changetype<usize>(flow) + FLOW_ENTROPIES_BYTES + (SENT_ENTROPIES << 1) + <usize>entropy;
}

/** UDP source port of a packet; 0: that of its flow. A response has that of its data packet. */
@inline export function sourcePortOfPacket(packet: SimPacket): u32 {
  return load<u16>(packetPart(packet), PART_SOURCE_PORT);
}

@inline export function setSourcePort(packet: SimPacket, port: u32): void {
  store<u16>(packetPart(packet), <u16>port, PART_SOURCE_PORT);
}

/** A packet that a host or switch makes for another one has the port of that. */
@inline export function copySourcePort(packet: SimPacket, cause: SimPacket): void {
  if (selecting) setSourcePort(packet, sourcePortOfPacket(cause));
}

/** Compiled only while a layout disagrees: stops the build. */
export function checkPathSelectionLayouts(): void {
  if (offsetof<Selector>() != SELECTOR_RANDOM) ERROR('Selector');
  if (offsetof<Selector>('rule') != SELECTOR_RULE) ERROR('Selector.rule');
  if (offsetof<Selector>('entropies') != SELECTOR_ENTROPIES) ERROR('Selector.entropies');
  if (SELECTOR_RANDOM + offsetof<Random>() != SELECTOR_BYTES) ERROR('SELECTOR_BYTES');
  if (offsetof<FlowEntropies>() != FLOW_ENTROPIES_BYTES) ERROR('FlowEntropies');
  if (offsetof<FlowEntropies>('ring0') != RING) ERROR('FlowEntropies.ring0');
  if (FIRST_ENTROPY_PORT + ENTROPY_PORTS != 65536) ERROR('ENTROPY_PORTS');
}
