/**
 * AIMD on marks, the smallest useful algorithm: additive increase, multiplicative decrease.
 *
 *   the first marked ACK of a round trip   R = max(R_min, d R)
 *   the end of a round trip without one    R = min(L, R + a)
 *
 * A round trip ends with the first ACK beyond what had been sent when it began.
 *
 * Source: Chiu, Jain, "Analysis of the Increase and Decrease Algorithms for Congestion Avoidance in Computer Networks", 1989.
 */
import { defineAlgorithm } from 'roce-cc/algorithm';

export default defineAlgorithm({
  name: 'aimd',
  title: 'AIMD on marks',
  source: 'Chiu, Jain, 1989',
  parameters: {
    decreaseFactor: {
      default: 0.5,
      min: 2 ** -12,
      max: 1,
      description: 'd, the part of the rate that a decrease leaves',
    },
    aiRateBps: { default: 250e6, min: 0, max: 400e9, unit: 'b/s', description: 'a, added once per round trip' },
    minRateBps: { default: 100e6, min: 1e6, max: 400e9, unit: 'b/s', description: 'R_min, the floor of the rate' },
  },
  state: { isCut: 0, roundEndSeq: 0 },

  ack(qp, ack) {
    const { state, parameters } = qp;
    if (ack.ecnEcho && !state.isCut) {
      qp.reason('mark');
      qp.rateBps = Math.max(parameters.minRateBps, parameters.decreaseFactor * qp.rateBps);
      state.isCut = 1;
    }
    if (!qp.isNewer(ack.ackSeq, state.roundEndSeq)) return;
    if (!state.isCut) {
      qp.reason('round trip without marks');
      qp.rateBps = Math.min(qp.lineRateBps, qp.rateBps + parameters.aiRateBps);
    }
    state.isCut = 0;
    state.roundEndSeq = ack.sndNxt;
  },
});
