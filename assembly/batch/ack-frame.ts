/**
 * ACK frames in the full engine. They are only used if receivers echo the forward path's trace, as telemetry.ackTraces
 * states; the echo then updates the QP that the frame is addressed to.
 */
import { NONE, OUTCOME_ACK } from '../../src/abi/codes';
import { DESCRIPTOR_TIME, PACKET_DEST_QPN, PACKET_IOAM_BYTES, PACKET_IOAM_OFFSET,
  PACKET_QP } from '../../src/abi/layout';
import { ackTrace } from '../rp/traces';
import { endpointAt, findLocalQp } from '../table/flow-table';
import { echoesTraces } from '../wire/ioam-map';
import { descriptorOf, frameOf, high, loadAddress, low, recordOf } from './frame';

/** @returns the outcome of a frame of class CLASS_ACK. */
export function ackFrame(index: u32): u32 {
  const record = recordOf(index);
  const traceBytes = load<u16>(record, PACKET_IOAM_BYTES);
  if (!echoesTraces || !traceBytes) return OUTCOME_ACK;
  const frame = frameOf(index);
  loadAddress(frame, record, true);
  const endpoint = endpointAt(low, high);
  if (endpoint == NONE) return OUTCOME_ACK;
  const qp = findLocalQp(endpoint, load<u32>(record, PACKET_DEST_QPN));
  if (qp == NONE) return OUTCOME_ACK;
  store<u32>(record, qp, PACKET_QP);
  return ackTrace(qp, load<f64>(descriptorOf(index), DESCRIPTOR_TIME), frame + load<u16>(record, PACKET_IOAM_OFFSET),
    traceBytes);
}
