/**
 * Turns the counters of uet-htsim into the result of a scenario; members keep their meaning. Ports, samples over time and rates
 * are missing, as uet-htsim does not record them.
 */
import { omit } from '../../../config/omit.js';
import { note, sentenceOf } from '../../notes/note.js';
import type { FlowResult, SeriesResult, SimResult, Totals } from '../../result.js';
import { hashResult } from '../../results/result-hash.js';
import { summarise } from '../../results/summary.js';
import type { WorkloadFlow } from '../../workload/workload-flow.js';
import type { UetFlowResult, UetResult, UetTotals } from '../../../uet/results.js';
import type { UetRun } from '../../../uet/run-uet-reference.js';
import { UetIdeal } from './ideal.js';
import type { UetScenario } from './inputs.js';

/** Empty series, as nothing is sampled. */
const NO_SERIES: SeriesResult = {
  intervalPs: 0,
  timesPs: [],
  queueBytes: {},
  utilization: {},
  rateBps: {},
  fairness: [],
};

export function uetScenarioResult(valid: UetScenario, run: UetRun): SimResult {
  const { packetHops, events, ...uet } = run;
  const flows = flowResults(valid, uet);
  const isDone = uet.totals.completed === uet.totals.flows;
  const simulatedPs = isDone ? uet.totals.last_finish_ps : valid.endPs;
  const startPs = flows.reduce((first, flow) => Math.min(first, flow.startPs), simulatedPs);
  const noteRecords = (valid.spec.notes ?? []).map((stated) => note('stated-by-scenario', { note: stated }));
  const summary = summarise({ flows, ports: [], series: NO_SERIES, activePs: simulatedPs - startPs });
  const result: Omit<SimResult, 'hash'> = {
    format: 'roce-cc-result-2',
    scenario: valid.spec,
    fidelity: valid.fidelity,
    seed: valid.seed,
    ended: isDone ? 'all-flows-done' : 'time',
    simulatedPs,
    events,
    packetHops,
    totals: totalsOf(uet),
    flows,
    ports: [],
    series: NO_SERIES,
    summary: {
      ...omit(summary, 'meanQueueBytes', 'reorderingDepthPackets'),
      maxQueueBytes: uet.totals.max_low_queue_bytes,
    },
    notes: noteRecords.map(sentenceOf),
    noteRecords,
    uet,
  };
  return { ...result, hash: hashResult(result) };
}

function flowResults(valid: UetScenario, { flows }: UetResult): FlowResult[] {
  const { hosts, network: { nodes }, uet } = valid;
  const ideal = new UetIdeal(uet, hosts.mtuBytes);
  return flows.map((row, index) => {
    const planned = valid.flows.get(index);
    const completionPs = row.finish_ps < 0 ? null : row.finish_ps - row.start_ps;
    const idealPs = ideal.ps(planned.source, planned.destination, planned.sizeBytes);
    return {
      index,
      from: nodes[planned.source].name,
      to: nodes[planned.destination].name,
      algorithm: uet.control,
      sizeBytes: planned.sizeBytes,
      startPs: planned.startPs,
      completionPs,
      idealPs,
      slowdown: completionPs === null ? null : completionPs / idealPs,
      deliveredBytes: deliveredBytes(planned, row, hosts.mtuBytes),
      retransmittedPackets: row.rtx_pkts,
      timeouts: row.timeouts,
      cnps: row.ecn_echoes,
      fastCnps: 0,
      duplicateNotifications: 0,
      firstNotificationPs: null,
      outOfOrderPackets: row.rx_ooo,
      duplicatePackets: row.rx_dup,
      naks: row.nacks,
    };
  });
}

/**
 * Bytes delivered in order. Sequence numbers below the expected one belong to data packets, all full except the last, or to
 * requests to send.
 */
function deliveredBytes({ sizeBytes }: WorkloadFlow, row: UetFlowResult, mtuBytes: number): number {
  if (row.finish_ps >= 0) return sizeBytes;
  return Math.min(sizeBytes, Math.max(0, row.expected_psn - row.rts_pkts) * mtuBytes);
}

function totalsOf({ totals, packets }: UetResult): Totals {
  const packetsDropped = totals.drops + totals.header_drops;
  return {
    packetsIn: packets.made,
    packetsOut: packets.delivered,
    packetsInFlight: packets.made - packets.delivered - packetsDropped,
    packetsDropped,
    bytesIn: packets.bytesMade,
    bytesOut: packets.bytesDelivered,
    bytesInFlight: packets.bytesMade - packets.bytesDelivered - packets.bytesDropped - packets.bytesTrimmed,
    bytesDropped: packets.bytesDropped,
    drops: { buffer: packetsDropped, noRoute: 0, linkDown: 0, loss: 0, corrupt: 0 },
    dataPackets: totals.new_pkts + totals.rtx_pkts,
    acks: packets.acks,
    naks: 0,
    cnps: 0,
    fastCnps: 0,
    pauses: 0,
    resumes: 0,
    ...present({ nacks: packets.nacks, credits: packets.pulls, creditsReceived: totals.pulls }),
    ...trimmedOf(totals, packets),
    marks: totals.ecn_marks,
    dataMarks: totals.ecn_marks,
    retransmittedPackets: totals.rtx_pkts,
    timeouts: totals.timeouts,
  };
}

function trimmedOf({ trims }: UetTotals, { bytesTrimmed, trimmedDropped }: UetResult['packets']): Partial<Totals> {
  return trims === 0 ? {} : { trimmedPackets: trims, bytesTrimmed, trimmedDropped };
}

/** Removes counts that are 0, which results omit. */
function present<Counts extends Readonly<Record<string, number>>>(counts: Counts): Partial<Counts> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)) as Partial<Counts>;
}
