/**
 * REPS: an entropy whose ACK arrives without a mark is used again, once per ACK; otherwise a new one is drawn.
 *
 *   ring     the last 8 entropies of unmarked ACKs. Each ACK writes the next place of the ring; the entropy is then fresh
 *   next     the oldest fresh entropy, which is then no longer fresh; if there is none, floor(u N) with u from the host's generator
 *   timeout  the flow is frozen for a time, unless it is already frozen or explores: the written places are used round-robin, fresh or not,
 *            so that no packet takes a path that may have failed. New entropies are drawn only while the ring is empty
 *   thaw     at the first unmarked ACK after that time: the ring is emptied, and a set number of packets explore new entropies
 *
 * Source      T. Bonato et al., "REPS: Recycled Entropy Packet Spraying for Adaptive Load Balancing and Failure Mitigation", arXiv
 *             2407.21625, 2024 to 2026; details as in uet-htsim, whose `reps` this is (docs/reference/sources.md): ring, time, exploration.
 * Deviations  uet-htsim freezes on timeouts only with packet trimming, where trimmed packets reveal all other losses. RoCEv2 has no trimming, so
 *             each retransmission timeout freezes. A NAK counts as feedback on the packet that arrived.
 */
import { nowPs } from '../event-queue';
import { draw, explorePackets, freezePs, ringAt } from './memory';
import { FlowEntropies, Selector } from '../../records/balancing';

const RING_ENTRIES: u32 = 8;

export function nextOfReps(own: Selector, flow: FlowEntropies): u32 {
  if (flow.explore) {
    flow.explore--;
    return draw(own, own.entropies);
  }
  if (flow.isFrozen) return flow.written ? nextOfFrozen(flow) : draw(own, own.entropies);
  if (!flow.freshCount) return draw(own, own.entropies);
  return take(flow, (flow.head - flow.freshCount) & (RING_ENTRIES - 1));
}

function nextOfFrozen(flow: FlowEntropies): u32 {
  const place = <u32>flow.frozenTurn % <u32>flow.written;
  flow.frozenTurn = <u8>(place + 1);
  return take(flow, place);
}

/** Returns the entropy in a place of the ring, which is then no longer fresh. */
function take(flow: FlowEntropies, place: u32): u32 {
  const bit: u32 = 1 << place;
  if (<u32>flow.fresh & bit) {
    flow.fresh &= <u8>~bit;
    flow.freshCount--;
  }
  return load<u16>(ringAt(flow, place));
}

/** Writes the entropy of an unmarked ACK to the ring. */
export function recycle(flow: FlowEntropies, entropy: u32): void {
  if (flow.isFrozen && nowPs > flow.thawPs) thaw(flow);
  const bit = <u8>(1 << flow.head);
  if (!(flow.fresh & bit)) flow.freshCount++;
  flow.fresh |= bit;
  store<u16>(ringAt(flow, flow.head), <u16>entropy);
  flow.head = (flow.head + 1) & <u8>(RING_ENTRIES - 1);
  if (<u32>flow.written < RING_ENTRIES) flow.written++;
}

/** Freezes a flow after a retransmission timeout. */
export function freeze(flow: FlowEntropies): void {
  if (flow.isFrozen || flow.explore) return;
  flow.isFrozen = 1;
  flow.thawPs = nowPs + freezePs;
}

function thaw(flow: FlowEntropies): void {
  flow.isFrozen = 0;
  flow.fresh = 0;
  flow.head = 0;
  flow.written = 0;
  flow.freshCount = 0;
  flow.frozenTurn = 0;
  flow.explore = explorePackets;
}
