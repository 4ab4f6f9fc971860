/**
 * Entropies round-robin, except those with a penalty: the bitmap of uet-htsim.
 *
 *   next     the next entropy; those with a penalty are skipped, at most N of them. The penalty of the first one skipped is reduced by 1
 *   penalty  1 for a mark, 4 for a trimmed packet or a loss detected by a NAK, 15 for a timeout; at most 15 in total
 *
 * Source      uet-htsim, bitmap path selection (docs/reference/sources.md), including the penalties.
 * Deviations  in uet-htsim a NAK reports a trimmed packet and its entropy, and a timeout penalizes entropy 0. Here the sender records the
 *             entropies of the last 1,024 packets that it has sent, and a loss penalizes that of the first unacknowledged packet.
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

/** Records the entropy of a packet that was sent. `number`: its position in the flow. */
export function noteSent(own: Selector, flow: FlowEntropies, number: u32, entropy: u32): void {
  store<u16>(sentAt(flow, number), <u16>(entropy & (own.entropies - 1)));
}

export function noteMark(own: Selector, flow: FlowEntropies, entropy: u32): void {
  punish(placeOf(own, flow, entropy), MARKED);
}

/** Penalizes the entropy of a trimmed packet. */
export function noteTrim(own: Selector, flow: FlowEntropies, entropy: u32): void {
  punish(placeOf(own, flow, entropy), LOST);
}

/** Penalizes the entropy of a lost packet. `found`: how the loss was detected, LOSS_*. */
export function noteLoss(own: Selector, flow: FlowEntropies, number: u32, found: u32): void {
  punish(placeOf(own, flow, load<u16>(sentAt(flow, number))), found == LOSS_TIMEOUT ? PENALTY_MAX : LOST);
}

@inline function placeOf(own: Selector, flow: FlowEntropies, entropy: u32): usize {
  return penaltyAt(flow, entropy & (own.entropies - 1));
}

function punish(at: usize, penalty: u32): void {
  store<u8>(at, <u8>min<u32>(PENALTY_MAX, <u32>load<u8>(at) + penalty));
}
