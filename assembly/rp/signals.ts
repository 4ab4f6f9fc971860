/**
 * The doors of algorithms that other signals than ACK events move (HPCC++): Fast CNPs with a trace, CNPs, time, and echoes of
 * a trace in ACK frames. The same checks as reaction-point.ts, then the algorithm's transition, then the new rate to the host.
 */
import { ACK_HOP_COUNT, ACK_NO_SIGNAL, ACK_SKIPPED, ACK_TELEMETRY, ALGORITHM_HPCC_PP,
  TELEMETRY_EXACT } from '../../src/abi/ack-layout';
import { OUTCOME_ACK, OUTCOME_BAD_TIME, OUTCOME_CNP_HANDLED, OUTCOME_CNP_NOT_USED,
  OUTCOME_TIME_BACKWARDS } from '../../src/abi/codes';
import { isNotifiable, notifyController, timeAtController } from '../algorithms/registry';
import { emitRate } from '../memory/actions';
import { ackEvents, ackEventBytes, eventCapacity, flagsOf, parameterSetOf, stateOf } from '../memory/map';
import { beginEvent, endEvent, tracing } from '../trace/ring';
import { readTrace } from '../wire/ioam';
import { readsTraces } from '../wire/ioam-map';
import { isTime } from './admission';
import { applyAck, effectiveOf, hopsOf, isTooLate } from './acknowledgements';

/** The AckEvent behind those of a batch: for what is read from a frame. */
@inline function frameEvent(): usize {
  return ackEvents + <usize>eventCapacity * ackEventBytes;
}

/** The AckEvent with the hops that a Fast CNP for this QP tells of; 0 = none that its algorithm could use. */
export function sampleOf(qp: u32, trace: usize, traceBytes: u32): usize {
  if (!trace || parameterSetOf(flagsOf(qp)).algorithm != ALGORITHM_HPCC_PP) return 0;
  if (traceBytes) return readsTraces && readTrace(trace, traceBytes, frameEvent()) ? frameEvent() : 0;
  if (trace > eventCapacity) return 0;
  const record = ackEvents + (trace - 1) * ackEventBytes;
  return load<u8>(record, ACK_TELEMETRY) == TELEMETRY_EXACT && load<u8>(record, ACK_HOP_COUNT) != 0 ? record : 0;
}

/** A CNP or Fast CNP for an open QP under another algorithm than DCQCN; its time can be. */
export function notified(qp: u32, timePs: f64, cause: u32, record: usize): u32 {
  const p = parameterSetOf(flagsOf(qp));
  if (!isNotifiable(p.algorithm)) return OUTCOME_CNP_NOT_USED;
  const q = stateOf(qp);
  if (isTooLate(q, timePs)) return OUTCOME_TIME_BACKWARDS;
  const effectivePs = effectiveOf(q, timePs);
  const before = q.rateBps;
  if (tracing) beginEvent(cause, before);
  const result = notifyController(p.algorithm, changetype<usize>(q), changetype<usize>(p), hopsOf(qp), record,
    effectivePs);
  if (result == ACK_NO_SIGNAL) return OUTCOME_CNP_NOT_USED;
  q.lastEventPs = effectivePs;
  emitRate(effectivePs, qp, cause, q.rateBps, before);
  if (tracing) endEvent(effectivePs, qp, q.rateBps);
  return result == ACK_SKIPPED ? OUTCOME_CNP_NOT_USED : OUTCOME_CNP_HANDLED;
}

/** Time passed for a QP under another algorithm than DCQCN. */
export function timePassed(qp: u32, timePs: f64): void {
  const p = parameterSetOf(flagsOf(qp));
  timeAtController(p.algorithm, changetype<usize>(stateOf(qp)), changetype<usize>(p), hopsOf(qp), timePs);
}

/** The echo of a trace in a frame for an open QP; OUTCOME_ACK where it is of no use. */
export function echoReceived(qp: u32, timePs: f64, trace: usize, traceBytes: u32): u32 {
  if (parameterSetOf(flagsOf(qp)).algorithm != ALGORITHM_HPCC_PP) return OUTCOME_ACK;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  return readTrace(trace, traceBytes, frameEvent()) ? applyAck(qp, timePs, frameEvent()) : <u32>OUTCOME_ACK;
}
