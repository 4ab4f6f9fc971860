/**
 * DCTCP's sender in rate form, one QP: the readable model.
 *
 * Inputs: the ECN echo of each ACK. State: rate, alpha, marks in the current batch of ACKs, the batch's size, whether this
 * round trip has had a cut (CWR, "congestion window reduced"), and the sequence number at which CWR ends.
 *
 * Per ACK, in this order:
 *   1. count += echo
 *   2. ackSeq > lastUpdateSeq ends a batch. The first time, only the next batch is set up; later also
 *      F = min(1, count / batch), alpha = (1 - g) alpha + g F, count = 0.
 *      Next batch: lastUpdateSeq = sndNxt, size floor((sndNxt - ackSeq) / per packet) + 1 (first: sndNxt / per packet + 1)
 *   3. in CWR and ackSeq > cwrHighSeq: CWR ends
 *   4. echo and not in CWR: R = max(min, R (1 - alpha / 2)); CWR begins, cwrHighSeq = sndNxt
 *   5. batch ended and not in CWR: R = min(max, R + R_AI)
 *
 * A new rate applies from the next packet on: the running gap is unchanged.
 * Citation: Alizadeh et al., SIGCOMM 2010, section 3.1. Known deviations: a rate instead of the window, as in the ns-3
 * simulator of HPCC's authors.
 */
import type { DctcpState } from '../../../abi/state/ack-states.js';
import { TRACE_DCTCP_CUT, TRACE_DCTCP_INCREASE, TRACE_DETAIL_FULL } from '../../../abi/trace-layout.js';
import type { DctcpParameters } from '../../../config/algorithms/dctcp.js';
import { beginsRoundTrip, isNewer, sequenceGap, sequenceOf, type Ack, type AckOutcome } from '../ack.js';
import { roundRate } from '../rate-numbers.js';
import { NO_ROUND_TRIP, RateSender } from '../sender-frame.js';

/** DCTCP's sender in rate form for one QP. The parameters must have been validated. */
export class DctcpModel extends RateSender<DctcpParameters, DctcpState> {
  /** The rate form has no window. */
  readonly windowBytes = 0;

  constructor(parameters: DctcpParameters) {
    super(parameters, {
      rateBps: parameters.maxRateBps,
      alpha: 1,
      markedAcks: 0,
      batchPackets: 0,
      reduced: false,
      reducedUntilSeq: 0,
      ...NO_ROUND_TRIP,
    }, parameters.sendGap);
  }

  protected takeAck(ack: Ack): AckOutcome {
    const { sequence } = this.parameters;
    const state = this.live;
    const ackSeq = sequenceOf(sequence, ack.ackSeq);
    const first = !state.started;
    state.lastEventPs = ack.timePs;
    if (ack.ecnEcho) state.markedAcks += 1;
    const batchEnds = beginsRoundTrip(sequence, state, ackSeq);
    const marked = batchEnds ? this.#endBatch(ackSeq, sequenceOf(sequence, ack.sndNxt)) : undefined;
    if (state.reduced && isNewer(sequence, ackSeq, state.reducedUntilSeq)) state.reduced = false;
    if (ack.ecnEcho && !state.reduced) {
      this.#describe(TRACE_DCTCP_CUT, marked);
      this.#cut(sequenceOf(sequence, ack.sndNxt));
    }
    if (batchEnds && !state.reduced) {
      this.#describe(TRACE_DCTCP_INCREASE, marked);
      this.#increase();
    }
    if (!batchEnds) return 'fast';
    return first ? 'first' : 'update';
  }

  /** @returns F of the batch that ended; undefined before the first. */
  #endBatch(ackSeq: number, sndNxt: number): number | undefined {
    const { sequence, sequencePerPacket } = this.parameters;
    const state = this.live;
    const marked = state.started ? this.#smoothMarks() : undefined;
    const inFlight = state.started || sequence === 'psn24' ? sequenceGap(sequence, ackSeq, sndNxt) : sndNxt;
    state.batchPackets = Math.floor(inFlight / sequencePerPacket) + 1;
    state.lastUpdateSeq = sndNxt;
    state.started = sequence === 'psn24' || sndNxt !== 0;
    return marked;
  }

  /** Updates alpha with F, the fraction of marked packets in the batch. */
  #smoothMarks(): number {
    const { alphaGain } = this.parameters;
    const state = this.live;
    const counted = state.markedAcks / state.batchPackets;
    const marked = counted < 1 ? counted : 1;
    state.alpha = (1 - alphaGain) * state.alpha + alphaGain * marked;
    state.markedAcks = 0;
    return marked;
  }

  #describe(reason: number, marked: number | undefined): void {
    this.tracer?.describe(reason, [this.live.alpha, marked ?? 0], marked === undefined ? 0 : TRACE_DETAIL_FULL);
  }

  #cut(sndNxt: number): void {
    const { numbers, minRateBps } = this.parameters;
    const state = this.live;
    const cutBps = roundRate(numbers, state.rateBps * (1 - state.alpha / 2));
    state.rateBps = cutBps > minRateBps ? cutBps : minRateBps;
    state.reduced = true;
    state.reducedUntilSeq = sndNxt;
  }

  #increase(): void {
    const { maxRateBps, aiRateBps } = this.parameters;
    const raised = this.live.rateBps + aiRateBps;
    this.live.rateBps = raised < maxRateBps ? raised : maxRateBps;
  }
}
