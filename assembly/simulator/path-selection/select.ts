/**
 * Path selection: the sender of a flow gives each data packet its own entropy as UDP source port, which switches hash like any other. The ACK or
 * NAK of the packet has the same port, so the sender learns how the packets of an entropy fared.
 *
 *   port      49,152 + entropy, the dynamic ports; a retransmission has a new entropy
 *   feedback  each ACK or NAK: whether the packet that it responds to was marked;
 *             each NACK of MRC: that its packet was trimmed before the last hop;
 *             each loss that the transport detects by NAK or timeout: of the packet with the first unacknowledged byte
 *
 *   oblivious  round-robin.ts, no feedback            bitmap  round-robin.ts with bitmap.ts            reps  reps.ts
 *   entropy-states  entropy-states.ts, only for MRC, which reports each lost packet
 *
 * Limits    a NAK reports the packet that arrived, as an ACK does. ACKs echo marks under every algorithm and transport, at no cost in bytes
 *           (RoCEv2 could use BECN). Fast CNPs and CNPs are not feedback. A receiver that drops data without a response, as go-back-N does
 *           after a gap, gives no feedback.
 */
import { LOSS_TIMEOUT } from '../../../src/abi/ack-layout';
import { PACKET_NACK } from '../../../src/abi/sim-codes';
import { mrcOf } from '../transport/memory';
import { nextUsable, noteAlwaysSkip, noteCongestion, noteLostPacket } from './entropy-states';
import { noteLoss, noteMark, noteSent, noteTrim, withoutPenalty } from './bitmap';
import { nextRoundRobin } from './round-robin';
import { entropiesOf, selectorOf, setSourcePort, sourcePortOfPacket } from './memory';
import { planesOf } from './plane-room';
import { expectProbes } from './probes';
import { freeze, nextOfReps, recycle } from './reps';
import { SimFlow, SimPacket } from '../../records/network';
import { TRIM_TRANSIT } from '../../records/transports';
import { FIRST_ENTROPY_PORT, FlowEntropies, SELECTION_RULE_BITMAP, SELECTION_RULE_ENTROPY_STATES, SELECTION_RULE_FLOW,
  SELECTION_RULE_OBLIVIOUS, SELECTION_RULE_REPS, Selector } from '../../records/balancing';

/** Chooses the UDP source port of a data packet that leaves now. */
export function selectPath(flow: SimFlow, number: u32, packet: SimPacket): void {
  const own = selectorOf(flow.source);
  if (own.rule == SELECTION_RULE_FLOW) return setSourcePort(packet, 0);
  const entropies = entropiesOf(number);
  const entropy = nextEntropy(own, flow, entropies);
  if (own.rule == SELECTION_RULE_BITMAP) noteSent(own, entropies, packetNumber(flow, packet.sequence), entropy);
  setSourcePort(packet, FIRST_ENTROPY_PORT + entropy);
}

/** Gives a probe the UDP source port of the next data packet. */
export function selectProbePath(flow: SimFlow, number: u32, packet: SimPacket): void {
  const own = selectorOf(flow.source);
  setSourcePort(packet,
    own.rule == SELECTION_RULE_FLOW ? 0 : FIRST_ENTROPY_PORT + nextEntropy(own, flow, entropiesOf(number)));
}

@inline function nextEntropy(own: Selector, flow: SimFlow, entropies: FlowEntropies): u32 {
  if (own.rule == SELECTION_RULE_OBLIVIOUS) return nextRoundRobin(own, entropies);
  if (own.rule == SELECTION_RULE_REPS) return nextOfReps(own, entropies);
  if (own.rule == SELECTION_RULE_ENTROPY_STATES) return nextUsable(own, entropies, planesOf(flow));
  return withoutPenalty(own, entropies);
}

/** Passes an ACK, NAK or NACK to the rule of path selection. */
export function takeFeedback(flow: SimFlow, packet: SimPacket): void {
  const port = sourcePortOfPacket(packet);
  if (!port) return;
  const own = selectorOf(flow.source);
  const entropies = entropiesOf(packet.flow);
  const entropy = port - FIRST_ENTROPY_PORT;
  if (packet.kind == PACKET_NACK) {
    // At the last hop all paths meet, so the trim says nothing of this one.
    if (mrcOf(packet).trimmed != TRIM_TRANSIT) return;
    if (own.rule == SELECTION_RULE_BITMAP) noteTrim(own, entropies, entropy);
    if (own.rule == SELECTION_RULE_ENTROPY_STATES) noteCongestion(entropies, entropy);
    return;
  }
  if (own.rule == SELECTION_RULE_REPS && !packet.echo) recycle(entropies, entropy);
  if (own.rule == SELECTION_RULE_BITMAP && packet.echo) noteMark(own, entropies, entropy);
  if (own.rule != SELECTION_RULE_ENTROPY_STATES || !packet.echo) return;
  if (!mrcOf(packet).asks) return noteCongestion(entropies, entropy);
  noteAlwaysSkip(own, entropies, entropy);
  expectProbes(flow, entropies);
}

/** Handles a loss of the packet with the first unacknowledged byte. `found`: how it was detected, LOSS_*. */
export function takeLoss(flow: SimFlow, number: u32, found: u32): void {
  const own = selectorOf(flow.source);
  if (own.rule == SELECTION_RULE_REPS && found == LOSS_TIMEOUT) freeze(entropiesOf(number));
  if (own.rule == SELECTION_RULE_BITMAP)
    noteLoss(own, entropiesOf(number), packetNumber(flow, flow.sndUna), found);
}

/** MRC under `entropy-states`: handles the loss of a packet with this UDP source port. `found`: LOSS_*. */
export function takeLostPacket(flow: SimFlow, port: u32, found: u32): void {
  const entropies = entropiesOf(flow.qp);
  noteLostPacket(selectorOf(flow.source), entropies, port - FIRST_ENTROPY_PORT, found);
  expectProbes(flow, entropies);
}

@inline function packetNumber(flow: SimFlow, sequence: i64): u32 {
  return <u32>(sequence / <i64>flow.mtuBytes);
}
