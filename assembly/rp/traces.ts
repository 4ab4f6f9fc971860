/** IOAM traces of Fast CNPs, and those echoed in ACK frames, for algorithms that read them. */
import { READS_TRACES } from '../../src/abi/algorithms';
import { ACK_HOP_COUNT, ACK_TELEMETRY, TELEMETRY_EXACT } from '../../src/abi/ack-layout';
import { OUTCOME_ACK, OUTCOME_BAD_TIME } from '../../src/abi/codes';
import { traitsOf } from '../algorithms/registry';
import { isTime } from '../memory/admission';
import { ackEvents, ackEventBytes, eventCapacity, flagsOf, parameterSetOf } from '../memory/map';
import { readTrace } from '../wire/ioam';
import { readsTraces } from '../wire/ioam-map';
import { applyAck } from './reaction-point';

/** The AckEvent after those of a batch, used for data of frames. */
@inline function frameEvent(): usize {
  return ackEvents + <usize>eventCapacity * ackEventBytes;
}

@inline function isReader(qp: u32): bool {
  return (traitsOf(parameterSetOf(flagsOf(qp)).algorithm) & READS_TRACES) != 0;
}

/**
 * The AckEvent with the hops that a Fast CNP for an open QP reports; 0 = none that its algorithm can use.
 *
 * @param trace an IOAM trace of `traceBytes` bytes; if `traceBytes` is 0, 1 + the index of an AckEvent, 0 = none.
 */
export function fastCnpHops(qp: u32, trace: usize, traceBytes: u32): usize {
  if (!trace || !isReader(qp)) return 0;
  if (traceBytes) return readsTraces && readTrace(trace, traceBytes, frameEvent()) ? frameEvent() : 0;
  if (trace > eventCapacity) return 0;
  const record = ackEvents + (trace - 1) * ackEventBytes;
  return load<u8>(record, ACK_TELEMETRY) == TELEMETRY_EXACT && load<u8>(record, ACK_HOP_COUNT) != 0 ? record : 0;
}

/** Applies the trace echoed in an ACK frame for an open QP; returns OUTCOME_ACK if it is unusable. */
export function ackTrace(qp: u32, timePs: f64, trace: usize, traceBytes: u32): u32 {
  if (!isReader(qp)) return OUTCOME_ACK;
  if (!isTime(timePs)) return OUTCOME_BAD_TIME;
  return readTrace(trace, traceBytes, frameEvent()) ? applyAck(qp, timePs, frameEvent()) : <u32>OUTCOME_ACK;
}
