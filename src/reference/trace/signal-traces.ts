/** What TIMELY, DCTCP and Swift tell of an ACK or a loss, on the models. */
import * as trace from '../../abi/trace-layout.js';
import type { DctcpParameters } from '../../config/algorithms/dctcp/parameters.js';
import type { SwiftParameters } from '../../config/algorithms/swift/parameters.js';
import type { TimelyParameters } from '../../config/algorithms/timely/parameters.js';
import { beginsRoundTrip, isNewer, sequenceOf, type Ack } from '../algorithms/ack.js';
import type { DctcpState } from '../algorithms/dctcp/model.js';
import { targetDelayPs, type SwiftState } from '../algorithms/swift/model.js';
import type { TimelyState } from '../algorithms/timely/model.js';
import type { Explanation } from './rate-tracer.js';

export function explainTimely(parameters: TimelyParameters, state: Readonly<TimelyState>, ack: Ack): Explanation
  | undefined {
  if (ack.sentTimePs === undefined) return undefined;
  const { ewmaAlpha, lowRttPs, highRttPs, minRttPs } = parameters;
  const rttNs = (ack.timePs - ack.sentTimePs) / 1000;
  const diffNs = (1 - ewmaAlpha) * state.rttDiffNs + ewmaAlpha * (rttNs - state.lastRttNs);
  const beyond = rttNs > highRttPs / 1000 ? trace.TRACE_TIMELY_HIGH_RTT : trace.TRACE_TIMELY_GRADIENT;
  const reason = rttNs < lowRttPs / 1000 ? trace.TRACE_TIMELY_LOW_RTT : beyond;
  return { reason, inputs: [rttNs, diffNs, diffNs / (minRttPs / 1000), state.incStage] };
}

export function explainDctcp(parameters: DctcpParameters, state: Readonly<DctcpState>, ack: Ack): Explanation {
  const { sequence, alphaGain } = parameters;
  const ackSeq = sequenceOf(sequence, ack.ackSeq);
  const ended = state.started && beginsRoundTrip(sequence, state, ackSeq);
  const counted = (state.markedAcks + Number(ack.ecnEcho)) / state.batchPackets;
  const marked = counted < 1 ? counted : 1;
  const reduced = state.reduced && !isNewer(sequence, ackSeq, state.reducedUntilSeq);
  const reason = ack.ecnEcho && !reduced ? trace.TRACE_DCTCP_CUT : trace.TRACE_DCTCP_INCREASE;
  if (!ended) return { reason, inputs: [state.alpha] };
  return {
    reason,
    detail: trace.TRACE_DETAIL_FULL,
    inputs: [(1 - alphaGain) * state.alpha + alphaGain * marked, marked],
  };
}

export function explainSwift(parameters: SwiftParameters, state: Readonly<SwiftState>, ack: Ack): Explanation
  | undefined {
  const { timePs, sentTimePs, hostDelayPs = 0, hopCount = 0 } = ack;
  if (sentTimePs === undefined) return undefined;
  const rttPs = timePs - sentTimePs;
  const delayPs = rttPs - hostDelayPs;
  const targetPs = targetDelayPs(parameters, state.cwnd, hopCount);
  const mayDecrease = timePs - state.lastDecreasePs >= rttPs;
  const above = mayDecrease ? trace.TRACE_SWIFT_DECREASE : trace.TRACE_SWIFT_ROUND_TRIP;
  const reason = delayPs < targetPs ? trace.TRACE_SWIFT_INCREASE : above;
  return { reason, inputs: [rttPs, delayPs, targetPs, state.cwnd] };
}

export function explainSwiftLoss(parameters: SwiftParameters, state: Readonly<SwiftState>,
  found: 'fast' | 'timeout'): Explanation {
  const resets = found === 'timeout' && state.timeouts + 1 >= parameters.timeoutsToReset;
  return {
    reason: resets ? trace.TRACE_SWIFT_TIMEOUT : trace.TRACE_SWIFT_LOSS,
    inputs: [state.rttPs, 0, 0, state.cwnd],
  };
}
