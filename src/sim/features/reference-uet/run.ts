/**
 * Runs a validated scenario of fidelity `reference-uet`, and converts the counters of uet-htsim to its result; members keep their
 * meaning. Ports, samples over time and rates are missing, as uet-htsim does not record them.
 */
import { omit } from '../../../config/field-rules.js';
import { RoceError } from '../../../errors.js';
import type { UetFlowResult, UetResult, UetTotals } from '../../../uet/results.js';
import type { uetReference, UetRun } from '../../../uet/run-uet-reference.js';
import { BPS_PER_GBPS, BPS_PER_MBPS, PS_PER_NS } from '../../../units.js';
import { note, sentenceOf } from '../../note.js';
import type { SimResult, FlowResult, SeriesResult, Totals } from '../../result.js';
import { hashResult } from '../../results/result-hash.js';
import { summarise } from '../../results/summary.js';
import { rejectScenario } from '../../scenario/scenario-error.js';
import type { ValidScenario, UetTier, ValidUet } from '../../scenario/valid-scenario.js';
import type { WorkloadFlow } from '../../workload/workload-flows.js';
import { uetInputs, type UetScenario, UET_HEADER_BYTES } from './inputs.js';

/** Empty series, as nothing is sampled. */
const NO_SERIES: SeriesResult = {
  intervalPs: 0,
  timesPs: [],
  queueBytes: {},
  utilization: {},
  rateBps: {},
  fairness: [],
};

/** The type of `uetReference` of `roce-cc/uet`. */
export type UetReference = typeof uetReference;

export function isUetScenario(valid: ValidScenario): valid is UetScenario {
  return valid.uet !== null;
}

/**
 * @throws RoceError `invalid-scenario`: no `reference` was passed, or the program would abort or end early; `capacity`: not
 * enough memory.
 */
export function runUetScenario(valid: UetScenario, reference: UetReference | undefined): SimResult {
  if (reference === undefined) {
    return rejectScenario({
      what: 'the fidelity reference-uet',
      problem: 'needs the option uetReference',
      where: 'fidelity',
      hint: 'Pass uetReference of roce-cc/uet',
    });
  }
  const { argv, files } = uetInputs(valid);
  try {
    return uetScenarioResult(valid, reference(argv, (name) => files[name]));
  } catch (error) {
    throw error instanceof RoceError ? error.at(`uet-htsim${error.where === '' ? '' : `, ${error.where}`}`) : error;
  }
}

function uetScenarioResult(valid: UetScenario, run: UetRun): SimResult {
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

const PS_PER_BYTE_AT_1_BPS = 8e12;

/** A queue and the link and switch after it. */
interface Hop {
  readonly psPerByte: number;
  /** Delay to the next queue or to the host. */
  readonly delayPs: number;
}

/**
 * Minimum completion time of a flow in an idle uet-htsim network: store and forward, packets back to back, no window, no wait for
 * credit, all links at their full rate.
 *
 *   a byte takes trunc(8e12 / rate) ps; packets of b bytes leave the NIC every trunc(8e12 b / NIC rate) ps
 *   m full packets leave queue j at   F(j) = sum of tx up to j + (m - 1) largest tx (including the NIC's) + delays before j
 *   the last, shorter one at          L(j) = max(L(j - 1) + delay, F(j)) + its tx;   L(NIC) = m tx of the NIC
 *   done at                           L(end) + delay + tx and delays of an ACK of 64 bytes on the way back
 *
 * A delay is that of a link and the switch after it. Golden runs of single flows under NSCC take exactly this time.
 */
class UetIdeal {
  readonly #uet: ValidUet;
  readonly #mtuBytes: number;

  /** @param mtuBytes payload of a full packet. */
  constructor(uet: ValidUet, mtuBytes: number) {
    this.#uet = uet;
    this.#mtuBytes = mtuBytes;
  }

  /** Picoseconds from the start to the last ACK. */
  ps(source: number, destination: number, sizeBytes: number): number {
    const hops = this.#hops(this.#levels(source, destination));
    const nicBps = this.#uet.nicMbps * BPS_PER_MBPS;
    const fullPackets = Math.ceil(sizeBytes / this.#mtuBytes) - 1;
    const fullBytes = this.#mtuBytes + UET_HEADER_BYTES;
    const lastBytes = sizeBytes - fullPackets * this.#mtuBytes + UET_HEADER_BYTES;
    const nicPs = Math.trunc((fullBytes * PS_PER_BYTE_AT_1_BPS) / nicBps);
    let [sum, largest, delays, last] = [0, nicPs, 0, fullPackets * nicPs];
    for (const { psPerByte, delayPs } of hops) {
      const tx = fullBytes * psPerByte;
      sum += tx;
      largest = Math.max(largest, tx);
      const fullDone = fullPackets === 0 ? 0 : sum + (fullPackets - 1) * largest + delays;
      last = Math.max(last, fullDone) + lastBytes * psPerByte + delayPs;
      delays += delayPs;
    }
    return hops.reduce((at, { psPerByte, delayPs }) => at + UET_HEADER_BYTES * psPerByte + delayPs, last);
  }

  /** Number of tiers that a path climbs. */
  #levels(source: number, destination: number): number {
    const isSame = (hosts: number): boolean => Math.floor(source / hosts) === Math.floor(destination / hosts);
    if (isSame(this.#uet.tiers[0].radixDown)) return 1;
    return isSame(this.#uet.podHosts) ? 2 : 3;
  }

  /** The hops of a path up and down again, the same in both directions. */
  #hops(levels: number): Hop[] {
    const { tiers, switchDelayNs } = this.#uet;
    const hop = ({ rateGbps, delayNs }: UetTier, isToHost: boolean): Hop => ({
      psPerByte: Math.trunc(PS_PER_BYTE_AT_1_BPS / (rateGbps * BPS_PER_GBPS)),
      delayPs: (delayNs + (isToHost ? 0 : switchDelayNs)) * PS_PER_NS,
    });
    const climbed = tiers.slice(0, levels);
    return [
      ...climbed.map((tier) => hop(tier, false)),
      ...climbed.map((tier, level) => hop(tier, level === 0)).reverse(),
    ];
  }
}
