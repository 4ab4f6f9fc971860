/**
 * REPS: an entropy whose ACK arrives without a mark is used again, once per ACK; otherwise a new one is drawn.
 *
 *   ring     of 8 entropies. An unmarked ACK writes its entropy to the place after the last one written; it is fresh
 *   next     the fresh entropy that was written first, which is then no longer fresh; if there is none, floor(u N), u of the host's generator
 *   timeout  the flow is frozen for a time: the places written are used round-robin, fresh or not, so that no packet goes by a path that may
 *            have failed; new ones only while nothing is written. Not if it is frozen or explores
 *   thaw     with the first unmarked ACK after that time: the ring is empty, and the next packets, a set number, explore new entropies
 *
 * Source      T. Bonato et al., "REPS: Recycled Entropy Packet Spraying for Adaptive Load Balancing and Failure Mitigation", arXiv
 *             2407.21625, 2024 to 2026; details as in uet-htsim, whose `reps` this is (docs/reference/sources.md): ring, time, exploration.
 * Deviations  uet-htsim freezes on a timeout with packet trimming alone, as all other losses show by trimmed packets; RoCEv2 has no trimming, so
 *             each retransmission timeout freezes. NAKs are feedback of the packet that has arrived.
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

/** Uses the entropy in a place of the ring. */
function take(flow: FlowEntropies, place: u32): u32 {
  const bit: u32 = 1 << place;
  if (<u32>flow.fresh & bit) {
    flow.fresh &= <u8>~bit;
    flow.freshCount--;
  }
  return load<u16>(ringAt(flow, place));
}

/** An unmarked ACK has arrived. */
export function recycle(flow: FlowEntropies, entropy: u32): void {
  if (flow.isFrozen && nowPs > flow.thawPs) thaw(flow);
  const bit = <u8>(1 << flow.head);
  if (!(flow.fresh & bit)) flow.freshCount++;
  flow.fresh |= bit;
  store<u16>(ringAt(flow, flow.head), <u16>entropy);
  flow.head = (flow.head + 1) & <u8>(RING_ENTRIES - 1);
  if (<u32>flow.written < RING_ENTRIES) flow.written++;
}

/** A retransmission timeout has expired. */
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
