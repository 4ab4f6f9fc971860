/**
 * Entropies round-robin, except those with a penalty: the bitmap of uet-htsim.
 *
 *   next     the entropy of the turn; while it has a penalty, the one after it, at most N further ones. The first one skipped loses 1
 *   penalty  a mark 1, a trimmed packet 4, a loss found by a NAK 4, by a timeout 15; at most 15
 *
 * Source      uet-htsim, bitmap path selection (docs/reference/sources.md): also the penalties.
 * Deviations  there a NAK is for a trimmed packet and names its entropy, and a timeout counts for entropy 0. Here the sender remembers the
 *             entropies of the last 1,024 packets that it has sent, and a loss counts for that of the first one that is not acknowledged.
 */
import { LOSS_TIMEOUT } from '../../../src/abi/ack-layout';
import { currentEntropy, passTurn } from './round-robin';
import { penaltyAt, sentAt } from './memory';
import { FlowEntropies, Selector } from '../../records/balancing';

const PENALTY_MAX: u32 = 15;
const MARKED: u32 = 1;
const LOST: u32 = 4;

export function withoutPenalty(own: Selector, flow: FlowEntropies): u32 {
  let entropy = currentEntropy(own, flow);
  for (let passed: u32 = 0; passed < own.entropies; passed++) {
    const at = placeOf(own, flow, entropy);
    const penalty = load<u8>(at);
    if (!penalty) break;
    if (!passed) store<u8>(at, penalty - 1);
    passTurn(own, flow);
    entropy = currentEntropy(own, flow);
  }
  passTurn(own, flow);
  return entropy;
}

/** A packet was sent; `number`: of its place in the flow. */
export function noteSent(own: Selector, flow: FlowEntropies, number: u32, entropy: u32): void {
  store<u16>(sentAt(flow, number), <u16>(entropy & (own.entropies - 1)));
}

export function noteMark(own: Selector, flow: FlowEntropies, entropy: u32): void {
  punish(placeOf(own, flow, entropy), MARKED);
}

/** A packet was trimmed. */
export function noteTrim(own: Selector, flow: FlowEntropies, entropy: u32): void {
  punish(placeOf(own, flow, entropy), LOST);
}

/** A packet is lost, LOSS_*. */
export function noteLoss(own: Selector, flow: FlowEntropies, number: u32, found: u32): void {
  punish(placeOf(own, flow, load<u16>(sentAt(flow, number))), found == LOSS_TIMEOUT ? PENALTY_MAX : LOST);
}

@inline function placeOf(own: Selector, flow: FlowEntropies, entropy: u32): usize {
  return penaltyAt(flow, entropy & (own.entropies - 1));
}

function punish(at: usize, penalty: u32): void {
  store<u8>(at, <u8>min<u32>(PENALTY_MAX, <u32>load<u8>(at) + penalty));
}
