/**
 * DCTCP's sender in rate form.
 *
 * Per ACK, in this order:
 *   1. count += echo
 *   2. ackSeq > lastUpdateSeq ends a batch. The first time, only the next batch is set up; later also
 *      F = min(1, count / batch), alpha = (1 - g) alpha + g F, count = 0.
 *      Next batch: lastUpdateSeq = sndNxt, size floor((sndNxt - ackSeq) / per packet) + 1 (first: sndNxt / per packet + 1)
 *   3. after a cut and ackSeq > cutUntilSeq: the round trip of the cut is over
 *   4. echo and no cut in this round trip: R = max(R_min, R (1 - alpha / 2)), cutUntilSeq = sndNxt
 *   5. batch ended and no cut in this round trip: R = min(R_max, R + R_AI)
 *
 * A new rate holds from the next packet on: the running gap stays.
 *
 * Source: Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, section 3.1. Known deviations: a rate instead of the window,
 * as in the ns-3 simulator of HPCC's authors, whose values are the defaults.
 */
import { defineAlgorithm } from 'roce-cc/algorithm';

const RATE_MAX_BPS = 2 ** 43;

export default defineAlgorithm({
  name: 'dctcp-js',
  title: 'DCTCP in JavaScript',
  source: 'Alizadeh et al., SIGCOMM 2010',
  parameters: {
    numbers: { default: 'whole-bps', values: ['float64', 'whole-bps'], description: 'arithmetic of rates' },
    minRateBps: { default: 1e9, min: 1000, max: RATE_MAX_BPS, unit: 'b/s', description: 'floor of the rate' },
    alphaGain: { default: 1 / 16, min: 0, max: 1, description: 'g, the gain of alpha' },
    aiRateBps: { default: 615e6, min: 0, max: RATE_MAX_BPS, unit: 'b/s', description: 'R_AI, added per round trip' },
    sequencePerPacket: {
      default: (network) => network.mtuBytes,
      min: 1,
      max: 65535,
      whole: true,
      description: 'sequence numbers per full packet: its payload bytes where they count bytes, 1 where they are PSNs',
    },
  },
  state: { isStarted: 0, lastUpdateSeq: 0, alpha: 1, markedAcks: 0, batchPackets: 0, isCut: 0, cutUntilSeq: 0 },

  ack(qp, ack) {
    const { state, parameters: p } = qp;
    const { ackSeq, sndNxt } = ack;
    if (ack.ecnEcho) state.markedAcks += 1;
    const endsBatch = (p.sequence === 'psn24' && !state.isStarted) || qp.isNewer(ackSeq, state.lastUpdateSeq);
    if (endsBatch) beginBatch(state, p, ackSeq, sndNxt);
    if (state.isCut && qp.isNewer(ackSeq, state.cutUntilSeq)) state.isCut = 0;
    if (ack.ecnEcho && !state.isCut) {
      qp.reason('mark');
      const cutBps = roundRate(p, qp.rateBps * (1 - state.alpha / 2));
      qp.rateBps = cutBps > p.minRateBps ? cutBps : p.minRateBps;
      state.isCut = 1;
      state.cutUntilSeq = sndNxt;
    }
    if (endsBatch && !state.isCut) {
      qp.reason('additive increase');
      const raisedBps = qp.rateBps + p.aiRateBps;
      qp.rateBps = raisedBps < p.maxRateBps ? raisedBps : p.maxRateBps;
    }
  },
});

/** Smooths the marks of the batch that ended, if there was one, and sets up the next. */
function beginBatch(state, p, ackSeq, sndNxt) {
  if (state.isStarted) smoothMarks(state, p);
  const hasStart = state.isStarted || p.sequence === 'psn24';
  const inFlight = hasStart ? distance(p, ackSeq, sndNxt) : sndNxt;
  state.batchPackets = Math.floor(inFlight / p.sequencePerPacket) + 1;
  state.lastUpdateSeq = sndNxt;
  state.isStarted = Number(p.sequence === 'psn24' || sndNxt !== 0);
}

/** F, the part of packets that were marked in the batch, goes into alpha. */
function smoothMarks(state, p) {
  const counted = state.markedAcks / state.batchPackets;
  const marked = counted < 1 ? counted : 1;
  state.alpha = (1 - p.alphaGain) * state.alpha + p.alphaGain * marked;
  state.markedAcks = 0;
}

/** From one sequence number to another, modulo 2^32 or 2^24. */
function distance(p, from, to) {
  return p.sequence === 'u32' ? (to - from) >>> 0 : (to - from) & 0xffffff;
}

function roundRate(p, rateBps) {
  return p.numbers === 'whole-bps' ? Math.floor(rateBps) : rateBps;
}
