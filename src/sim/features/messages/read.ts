/** Reads the sums of each job over messages that share flow records. */
import { SIM_FLOWS, SIM_FLOW_LOSSES, SIM_MESSAGE_SUMS, SIM_RECORD_USES } from '../../../abi/sim-regions.js';
import type { MessageSums } from '../../result.js';
import { readFlow, readLosses } from '../../kernel/read-records.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import { MESSAGE_SUMS, RECORD_USE } from '../../../abi/records/messages.js';
import { SIM_FLOW } from '../../../abi/records/network.js';
import { FLOW_LOSSES } from '../../../abi/records/transports.js';
import { readField, readFields } from '../../../abi/records/fields.js';

/** Fields summed when a record passes to another message. */
const SUMS = [
  'done',
  'deliveredBytes',
  'retransmittedPackets',
  'retransmittedBytes',
  'timeouts',
  'cnps',
  'duplicateNotifications',
  'outOfOrderPackets',
  'reorderingDepthPackets',
  'duplicatePackets',
  'naks',
  'completionPs',
  'mostCompletionPs',
] as const;

type Writable<Fields> = { -readonly [Key in keyof Fields]: Fields[Key] };

/**
 * Reads the sums of all jobs. @param used number of records in use. Each holds its last message, which the kernel's sums do not
 * include yet.
 */
export function readMessageSums(abi: SimAbi, view: DataView, jobs: number, used: number): MessageSums[] {
  const sums = Array.from({ length: jobs },
    (_, job): Writable<MessageSums> =>
      readFields(view, recordAt(abi, SIM_MESSAGE_SUMS, MESSAGE_SUMS, job), MESSAGE_SUMS, SUMS));
  for (let record = 0; record < used; record++) {
    const job = readField(view, recordAt(abi, SIM_RECORD_USES, RECORD_USE, record), RECORD_USE, 'job');
    addRecord(sums[job], view, recordAt(abi, SIM_FLOWS, SIM_FLOW, record),
      recordAt(abi, SIM_FLOW_LOSSES, FLOW_LOSSES, record));
  }
  return sums;
}

function addRecord(sums: Writable<MessageSums>, view: DataView, flowAt: number, lossesAt: number): void {
  const flow = readFlow(view, flowAt);
  const losses = readLosses(view, lossesAt);
  if (flow.done) {
    const completionPs = flow.finishPs - flow.startPs;
    sums.done++;
    sums.completionPs += completionPs;
    sums.mostCompletionPs = Math.max(sums.mostCompletionPs, completionPs);
  }
  sums.deliveredBytes += flow.deliveredBytes;
  sums.retransmittedPackets += flow.retransmittedPackets;
  sums.retransmittedBytes += losses.retransmittedBytes;
  sums.timeouts += flow.timeouts;
  sums.cnps += flow.cnps;
  sums.duplicateNotifications += flow.duplicateNotifications;
  sums.outOfOrderPackets += losses.outOfOrderPackets;
  sums.reorderingDepthPackets = Math.max(sums.reorderingDepthPackets, losses.reorderingDepthPackets);
  sums.duplicatePackets += losses.duplicatePackets;
  sums.naks += losses.naks;
}
