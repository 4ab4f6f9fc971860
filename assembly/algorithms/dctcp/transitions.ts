/**
 * DCTCP's sender in rate form: transitions on one 64-byte record.
 *
 * Inputs    the ECN echo of each ACK.
 * State     Dctcp: R; alpha; marks in the current batch and the batch's size; CWR ("congestion window reduced": the
 *           rate has been cut in this round trip) as CONTROLLER_REDUCED, and the sequence number that ends it; the
 *           round-trip mark.
 *
 * Per ACK, in this order:
 *   1. count += echo
 *   2. ackSeq > lastUpdateSeq ends a batch. The first time, only the next batch is set up; later also
 *      F = min(1, count / batch), alpha = (1 - g) alpha + g F, count = 0.
 *      Next batch: lastUpdateSeq = sndNxt, size floor((sndNxt - ackSeq) / per packet) + 1; for the first one under u32
 *      floor(sndNxt / per packet) + 1
 *   3. in CWR and ackSeq > reducedUntilSeq: CWR ends
 *   4. echo and not in CWR: R = max(min, R (1 - alpha / 2)); CWR begins, reducedUntilSeq = sndNxt
 *   5. batch ended and not in CWR: R = min(max, R + R_AI)
 *
 * A new rate applies from the next packet on: the running gap is unchanged. Every ACK is a signal.
 *
 * Citation  Alizadeh et al., SIGCOMM 2010, section 3.1; every setting: src/config/algorithms/dctcp.ts.
 * Deviation A rate instead of the window, as in the ns-3 simulator of HPCC's authors. Marks in one batch are counted
 *           up to 2^32 - 1, which matters only for a batch of 2^32 packets.
 */
import { ALGORITHM_DCTCP, DCTCP_TRAITS } from '../../../src/abi/algorithms';
import { ACK_ECN_ECHO, ACK_FAST, ACK_FIRST, ACK_SEQ, ACK_SND_NXT, ACK_UPDATE } from '../../../src/abi/ack-layout';
import { PARAMETER_SET_BYTES } from '../../../src/abi/layout';
import { TRACE_DCTCP_CUT, TRACE_DCTCP_INCREASE, TRACE_DETAIL_FULL } from '../../../src/abi/trace-layout';
import { ParameterSet } from '../../memory/records';
import { because, detail, input, TRACING, tracing } from '../../trace/ring';
import { paceSent, roundRate } from '../rate-numbers';
import { register as registerAlgorithm } from '../registry';
import { beginsRoundTrip, isNewer, isStarted, SEQUENCE_PSN24, sequenceGap, sequenceOf,
  setStarted } from '../round-trip';
import { CONTROLLER_REDUCED, ControllerState, Dctcp } from '../../records/controllers';

/** One parameter set, as src/config/algorithms/dctcp.ts writes it. */
@unmanaged
export class DctcpParameterSet extends ParameterSet {
  alphaGain: f64;
  /** 1 - g, g the gain of alpha. */
  alphaRetention: f64;
  aiRateBps: f64;
  sequencePerPacket: f64;
  numbers: f64;
  sequence: f64;
  sendGap: f64;
}

/** Fails the build if the record layouts do not match. */
@inline function checkLayout(): void {
  if (<u32>offsetof<DctcpParameterSet>() > <u32>PARAMETER_SET_BYTES) ERROR('DctcpParameterSet is too long');
}

/** Registers DCTCP. */
export function register(): void {
  registerAlgorithm(ALGORITHM_DCTCP, DCTCP_TRAITS, open, sent, ack);
}

/** Opens a QP at the line rate with alpha 1. Its record has been zeroed. */
export function open(q: usize, p: usize, hops: usize): void {
  checkLayout();
  const state = changetype<Dctcp>(q);
  state.rateBps = changetype<DctcpParameterSet>(p).maxRateBps;
  state.alpha = 1;
}

/** A data packet was sent. The caller has checked its time. */
export function sent(q: usize, p: usize, hops: usize, timePs: f64, lenBytes: u32): void {
  const state = changetype<ControllerState>(q);
  paceSent(changetype<DctcpParameterSet>(p).sendGap, state, timePs, lenBytes, state.rateBps);
}

/** An ACK arrived. @returns ACK_FIRST or ACK_UPDATE if it ended a batch, else ACK_FAST. */
export function ack(q: usize, p: usize, hops: usize, record: usize, timePs: f64): u32 {
  const state = changetype<Dctcp>(q);
  const parameters = changetype<DctcpParameterSet>(p);
  const sequence = parameters.sequence;
  const ackSeq = sequenceOf(sequence, load<u32>(record, ACK_SEQ));
  const sndNxt = sequenceOf(sequence, load<u32>(record, ACK_SND_NXT));
  const echo = load<u8>(record, ACK_ECN_ECHO) != 0;
  const first = !isStarted(state);
  if (echo) state.markedAcks += <u32>(state.markedAcks != u32.MAX_VALUE);
  const batchEnds = beginsRoundTrip(sequence, state, ackSeq);
  if (batchEnds) endBatch(state, parameters, ackSeq, sndNxt);
  if (isReduced(state) && isNewer(sequence, ackSeq, state.reducedUntilSeq)) {
    state.flags = <u8>(state.flags & ~CONTROLLER_REDUCED);
  }
  if (echo && !isReduced(state)) cut(state, parameters, sndNxt);
  if (!batchEnds) return ACK_FAST;
  if (!isReduced(state)) increase(state, parameters);
  return first ? ACK_FIRST : ACK_UPDATE;
}

@inline function isReduced(q: Dctcp): bool {
  return (q.flags & CONTROLLER_REDUCED) != 0;
}

@inline function endBatch(q: Dctcp, p: DctcpParameterSet, ackSeq: u32, sndNxt: u32): void {
  const started = isStarted(q);
  const serial = p.sequence == SEQUENCE_PSN24;
  if (started) {
    const counted = <f64>q.markedAcks / (<f64>q.furtherPackets + 1);
    const marked = counted < 1 ? counted : 1;
    q.alpha = p.alphaRetention * q.alpha + p.alphaGain * marked;
    if (TRACING && tracing) explainBatch(marked);
    q.markedAcks = 0;
  }
  const inFlight = started || serial ? sequenceGap(p.sequence, ackSeq, sndNxt) : sndNxt;
  q.furtherPackets = <u32>(<f64>inFlight / p.sequencePerPacket);
  q.lastUpdateSeq = sndNxt;
  setStarted(q, serial || sndNxt != 0);
}

/** Adds F to the trace of an ACK that ended a batch. */
function explainBatch(marked: f64): void {
  detail(TRACE_DETAIL_FULL);
  input(1, marked);
}

/** Adds the reason and alpha, as used in a cut, to the trace. */
function explain(reason: u32, q: Dctcp): void {
  because(reason);
  input(0, q.alpha);
}

@inline function cut(q: Dctcp, p: DctcpParameterSet, sndNxt: u32): void {
  if (TRACING && tracing) explain(TRACE_DCTCP_CUT, q);
  const cutBps = roundRate(p.numbers, q.rateBps * (1 - q.alpha * 0.5));
  q.rateBps = cutBps > p.minRateBps ? cutBps : p.minRateBps;
  q.flags = <u8>(q.flags | CONTROLLER_REDUCED);
  q.reducedUntilSeq = sndNxt;
}

@inline function increase(q: Dctcp, p: DctcpParameterSet): void {
  if (TRACING && tracing) explain(TRACE_DCTCP_INCREASE, q);
  const raised = q.rateBps + p.aiRateBps;
  q.rateBps = raised < p.maxRateBps ? raised : p.maxRateBps;
}
