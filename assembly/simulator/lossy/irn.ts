/**
 * The sender's view of its packets under IRN.
 *
 * In flight  (highest first byte sent - highest number acknowledged) mod 2^32, which wraps once everything is acknowledged
 * May send   in flight + next packet < window, or highest acknowledged + window > next byte
 * Skipping   bytes that the receiver holds from the next byte on are skipped once: a second go-back retransmits them
 *
 * Source: docs/specs/reference-lossy.md, sections 5.2 to 5.4.
 */
import { SIM_NONE } from '../../../src/abi/sim-codes';
import { irn, irnTimeoutHighPs, irnTimeoutLowPs, irnWindowBytes } from './network';
import { endOf, startOf, trim } from './ranges';
import { SimFlow } from '../../records/network';
import { LossyFlow } from '../../records/lossy';

/** Packets in flight up to which the low timeout applies. */
const FEW_PACKETS: u64 = 3;

@inline export function inFlight(own: LossyFlow): u32 {
  return own.maxSequence - own.highestAck;
}

/** Whether another packet may be in flight. `next`: the next byte, before held bytes are skipped. */
@inline export function hasIrnRoom(flow: SimFlow, own: LossyFlow, next: i64): bool {
  const left = flow.size - next;
  const last = left < <i64>flow.mtuBytes ? left : <i64>flow.mtuBytes;
  if (<i64>inFlight(own) + last < irnWindowBytes) return true;
  return <i64>(own.highestAck + <u32>irnWindowBytes) > next;
}

/** Moves the next byte beyond those that the receiver holds. */
@inline export function passHeld(flow: SimFlow, own: LossyFlow): void {
  if (irn && own.sacked != SIM_NONE && startOf(own.sacked) == flow.sndNxt) pass(flow, own);
}

function pass(flow: SimFlow, own: LossyFlow): void {
  flow.sndNxt = endOf(own.sacked);
  own.sacked = trim(own.sacked, flow.sndNxt);
}

@inline export function timeoutOf(flow: SimFlow, own: LossyFlow): i64 {
  if (!irn) return <i64>flow.timeoutPs;
  return <u64>inFlight(own) > FEW_PACKETS * <u64>flow.mtuBytes ? irnTimeoutHighPs : irnTimeoutLowPs;
}
