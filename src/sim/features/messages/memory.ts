/** Writes messages that share flow records into the kernel's memory, and reads their sums by job. */
import { writeFields, readField, readFields } from '../../../abi/records/define-record.js';
import { MESSAGE, PATTERN, MESSAGE_SUMS, RECORD_USE } from '../../../abi/records/flows.js';
import { SIM_FLOW } from '../../../abi/records/network.js';
import { FLOW_LOSSES } from '../../../abi/records/transports.js';
import { SIM_FLOW_LOSSES, SIM_FLOWS, SIM_MESSAGE_SUMS, SIM_MESSAGES, SIM_PATTERNS,
  SIM_RECORD_USES } from '../../../abi/sim-codes.js';
import type { KernelPart } from '../../kernel/kernel-part.js';
import { readFlow, readLosses } from '../../kernel/read-records.js';
import { recordAt, type SimAbi } from '../../kernel/sim-abi.js';
import type { NetworkPlan } from '../../plan.js';
import type { MessageSums } from '../../result.js';
import type { MessageLayout } from './compile.js';

export const MESSAGES_MEMORY: KernelPart = {
  capacity: ({ flows, jobs }, { messages }) => ({
    messages: messages === undefined ? 0 : flows.length,
    patterns: messages?.firstOf.length ?? 0,
    messageJobs: jobs?.length ?? 0,
  }),
};

/** Writes all messages. @param writePattern writes a message as a flow at an address. */
export function writeMessages(abi: SimAbi, { flows, jobs = [] }: NetworkPlan, { patternOf, firstOf }: MessageLayout,
  writePattern: (message: number, at: number) => void): void {
  const view = new DataView(abi.memory.buffer);
  firstOf.forEach((message, pattern) => {
    const at = recordAt(abi, SIM_PATTERNS, PATTERN, pattern);
    writePattern(message, at + PATTERN.at.flow);
    const job = jobs.findIndex(({ firstFlow, flows: count }) => message < firstFlow + count);
    writeFields(view, at, PATTERN, { parameterSet: flows.parameterSet[message], job });
  });
  for (let message = 0; message < flows.length; message++) {
    writeFields(view, recordAt(abi, SIM_MESSAGES, MESSAGE, message), MESSAGE, {
      sizeBytes: flows.sizeBytes[message],
      pattern: patternOf[message],
      udpPorts: (flows.udpSourcePort[message] << 16) | flows.udpDestinationPort[message],
    });
  }
}

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
