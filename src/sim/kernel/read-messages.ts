/** Sums of each job over messages that share the records of flows. */
import * as layout from '../../abi/message-layout.js';
import { FLOW_BYTES, FLOW_LOSSES_BYTES } from '../../abi/sim-layout.js';
import { SIM_FLOWS, SIM_FLOW_LOSSES, SIM_MESSAGE_SUMS, SIM_RECORD_USES } from '../../abi/sim-regions.js';
import type { MessageSums } from '../result.js';
import { readFlow, readLosses } from './read-records.js';
import type { SimAbi } from './sim-abi.js';

type Writable<Fields> = { -readonly [Key in keyof Fields]: Fields[Key] };

/** @param used records that have been used: each holds its last message, which no sum includes yet. */
export function readMessageSums(abi: SimAbi, view: DataView, jobs: number, used: number): MessageSums[] {
  const region = (index: number): number => abi.simRegion(index) >>> 0;
  const sums = Array.from({ length: jobs },
    (_, job) => ofOthers(view, region(SIM_MESSAGE_SUMS) + job * layout.MESSAGE_SUMS_BYTES));
  for (let record = 0; record < used; record++) {
    const job = view.getUint32(region(SIM_RECORD_USES) + record * layout.RECORD_USE_BYTES + layout.RECORD_USE_JOB,
      true);
    addRecord(sums[job], view, region(SIM_FLOWS) + record * FLOW_BYTES,
      region(SIM_FLOW_LOSSES) + record * FLOW_LOSSES_BYTES);
  }
  return sums;
}

/** Messages whose records others now use. */
function ofOthers(view: DataView, at: number): Writable<MessageSums> {
  const sum = (offset: number): number => view.getFloat64(at + offset, true);
  return {
    done: sum(layout.SUM_DONE),
    deliveredBytes: sum(layout.SUM_DELIVERED),
    retransmittedPackets: sum(layout.SUM_RETRANSMITTED),
    retransmittedBytes: sum(layout.SUM_RETRANSMITTED_BYTES),
    timeouts: sum(layout.SUM_TIMEOUTS),
    cnps: sum(layout.SUM_CNPS),
    duplicateNotifications: sum(layout.SUM_DUPLICATE_NOTIFICATIONS),
    outOfOrderPackets: sum(layout.SUM_OUT_OF_ORDER),
    reorderingDepthPackets: sum(layout.SUM_DEPTH),
    duplicatePackets: sum(layout.SUM_DUPLICATES),
    naks: sum(layout.SUM_NAKS),
    completionPs: sum(layout.SUM_COMPLETION),
    mostCompletionPs: sum(layout.SUM_MOST_COMPLETION),
  };
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
