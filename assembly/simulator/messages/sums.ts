/** What remains of a message when its record is reused: its share of the sums of its job. */
import { MESSAGE_SUMS_BYTES, SUM_CNPS, SUM_COMPLETION, SUM_DELIVERED, SUM_DEPTH, SUM_DONE, SUM_DUPLICATES,
  SUM_DUPLICATE_NOTIFICATIONS, SUM_MOST_COMPLETION, SUM_NAKS, SUM_OUT_OF_ORDER, SUM_RETRANSMITTED,
  SUM_RETRANSMITTED_BYTES, SUM_TIMEOUTS } from '../../../src/abi/message-layout';
import { flowAt } from '../network';
import { lossesOf } from '../transport/memory';
import { jobOfRecord, messageSums } from './memory';

/** Adds the finished message of a record. */
export function addToSums(record: u32): void {
  const flow = flowAt(record);
  const losses = lossesOf(record);
  const at = messageSums + <usize>jobOfRecord(record) * MESSAGE_SUMS_BYTES;
  const completionPs = flow.finishPs - flow.startPs;
  add(at + SUM_DONE, 1);
  add(at + SUM_DELIVERED, flow.delivered);
  add(at + SUM_RETRANSMITTED, flow.retransmitted);
  add(at + SUM_RETRANSMITTED_BYTES, losses.retransmittedBytes);
  add(at + SUM_TIMEOUTS, flow.timeouts);
  add(at + SUM_CNPS, flow.cnps);
  add(at + SUM_DUPLICATE_NOTIFICATIONS, flow.duplicates);
  add(at + SUM_OUT_OF_ORDER, losses.outOfOrder);
  raise(at + SUM_DEPTH, losses.depth);
  add(at + SUM_DUPLICATES, losses.duplicates);
  add(at + SUM_NAKS, losses.naks);
  add(at + SUM_COMPLETION, completionPs);
  raise(at + SUM_MOST_COMPLETION, completionPs);
}

@inline function add(at: usize, value: f64): void {
  store<f64>(at, load<f64>(at) + value);
}

@inline function raise(at: usize, value: f64): void {
  if (value > load<f64>(at)) store<f64>(at, value);
}
