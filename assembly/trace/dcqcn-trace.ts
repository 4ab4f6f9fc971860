/**
 * What DCQCN tells of a step: R_T, T and B as the step left them; of a cut also the alpha that it used, as a fraction. Alpha is
 * no input of an increase, and its timer may be ahead there: 0.
 *
 *   reason          cause                   rate
 *   FIRST_CNP       CNP, Fast CNP           what the first CNP sets, before its cut
 *   CUT             CNP, Fast CNP; time     R (1 - alpha cutScale); time: cuts are checked per period
 *   FAST_RECOVERY,  time, bytes             (from + R_T) / 2
 *   ADDITIVE, HYPER
 *   RELEASE         time, bytes             the line rate: the limiter is taken away
 */
import { CAUSE_TIME, NUMBERS_ALPHA_Q10 } from '../../src/abi/codes';
import { TRACE_CUT, TRACE_NO_HOP } from '../../src/abi/trace-layout';
import { DcqcnParameterSet, QpState } from '../memory/records';
import { describe, input, keepChange, notifiedBy, numberOf } from './ring';

const Q10_UNIT: f64 = 1.0 / 1024.0;

/** A step up, or a release, was made by time or by bytes. */
export function traceStep(reason: u32, cause: u32, timePs: f64, q: QpState, p: DcqcnParameterSet,
  beforeBps: f64): void {
  describeState(reason, q, p, 0);
  keepChange(timePs, numberOf(changetype<usize>(q)), cause, beforeBps, q.rateBps);
}

/** A cut was made by time. */
export function traceTimedCut(timePs: f64, q: QpState, p: DcqcnParameterSet, beforeBps: f64): void {
  describeState(TRACE_CUT, q, p, q.alpha);
  keepChange(timePs, numberOf(changetype<usize>(q)), CAUSE_TIME, beforeBps, q.rateBps);
}

/** A notification acted; `alpha`: the one that a cut used. */
export function traceNotified(reason: u32, timePs: f64, q: QpState, p: DcqcnParameterSet, alpha: f64,
  beforeBps: f64): void {
  describeState(reason, q, p, alpha);
  keepChange(timePs, numberOf(changetype<usize>(q)), notifiedBy, beforeBps, q.rateBps);
}

function describeState(reason: u32, q: QpState, p: DcqcnParameterSet, alpha: f64): void {
  describe(reason, 0, TRACE_NO_HOP);
  input(0, p.numbers == NUMBERS_ALPHA_Q10 ? alpha * Q10_UNIT : alpha);
  input(1, q.targetBps);
  input(2, <f64>q.timeStage);
  input(3, <f64>q.byteStage);
}
