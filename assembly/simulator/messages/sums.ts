/** Adds the counts of a message to the sums of its job, before its record is reused. */
import { flowAt } from '../network';
import { lossesOf } from '../transport/memory';
import { jobOfRecord, messageSums } from './memory';
import { MESSAGE_SUMS_BYTES, MessageSums } from '../../records/flows';

/** Adds the finished message of a record. */
export function addToSums(record: u32): void {
  const flow = flowAt(record);
  const losses = lossesOf(record);
  const at = messageSums + <usize>jobOfRecord(record) * MESSAGE_SUMS_BYTES;
  const completionPs = flow.finishPs - flow.startPs;
  add(at + offsetof<MessageSums>('done'), 1);
  add(at + offsetof<MessageSums>('deliveredBytes'), flow.delivered);
  add(at + offsetof<MessageSums>('retransmittedPackets'), flow.retransmitted);
  add(at + offsetof<MessageSums>('retransmittedBytes'), losses.retransmittedBytes);
  add(at + offsetof<MessageSums>('timeouts'), flow.timeouts);
  add(at + offsetof<MessageSums>('cnps'), flow.cnps);
  add(at + offsetof<MessageSums>('duplicateNotifications'), flow.duplicates);
  add(at + offsetof<MessageSums>('outOfOrderPackets'), losses.outOfOrder);
  raise(at + offsetof<MessageSums>('reorderingDepthPackets'), losses.depth);
  add(at + offsetof<MessageSums>('duplicatePackets'), losses.duplicates);
  add(at + offsetof<MessageSums>('naks'), losses.naks);
  add(at + offsetof<MessageSums>('completionPs'), completionPs);
  raise(at + offsetof<MessageSums>('mostCompletionPs'), completionPs);
}

@inline function add(at: usize, value: f64): void {
  store<f64>(at, load<f64>(at) + value);
}

@inline function raise(at: usize, value: f64): void {
  if (value > load<f64>(at)) store<f64>(at, value);
}
