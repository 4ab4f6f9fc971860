/** Reads the results of a run from its tables. */
import { readFields } from '../../abi/records/fields.js';
import { UET_FLOW, UET_MESSAGE, UET_NONE } from '../../abi/records/uet-flows.js';
import { UET_RUN } from '../../abi/records/uet-run.js';
import { inOrderOfDue, messagesOf } from '../messages.js';
import { totalsOf, type UetFlowColumn, type UetFlowResult, type UetMessageResult, type UetPackets,
  type UetResult } from '../results.js';
import type { UetTraffic } from '../traffic.js';
import type { UetPlan, UetTables } from './run-plan.js';

/** Field of a flow's record for each column; the other columns come from the connection matrix. */
const FIELDS = {
  start_ps: 'startPs',
  finish_ps: 'finishPs',
  new_pkts: 'newPackets',
  rtx_pkts: 'retransmissions',
  rts_pkts: 'requestsToSend',
  acks: 'acks',
  nacks: 'nacks',
  pulls: 'pulls',
  timeouts: 'timeouts',
  ecn_echoes: 'echoes',
  sleek_pkts: 'sleekPackets',
  highest_sent: 'nextSeq',
  final_cwnd: 'windowBytes',
  final_maxwnd: 'maxWindowBytes',
  in_flight: 'inFlightBytes',
  base_rtt_ps: 'baseRttPs',
  avg_delay_ps: 'averageDelayPs',
  credit: 'creditBytes',
  fair_inc: 'fairChange',
  prop_inc: 'proportionalChange',
  fast_inc: 'fastChange',
  eta_inc: 'etaChange',
  multi_dec: 'multiplicativeChange',
  quick_dec: 'quickChange',
  nack_dec: 'nackChange',
  rx_pkts: 'rxPackets',
  rx_bytes: 'rxBytes',
  rx_ecn: 'rxMarked',
  rx_ooo: 'rxOutOfOrder',
  rx_dup: 'rxDuplicates',
  rx_trimmed: 'rxTrimmed',
  rx_trimmed_last_hop: 'rxTrimmedLastHop',
  expected_psn: 'expectedSeq',
} as const;
const NAMES = [...Object.values(FIELDS), 'totalBytes'] as const;

const PACKETS = [
  'packetsMade',
  'packetsDelivered',
  'acksMade',
  'nacksMade',
  'pullsMade',
  'trimmedDropped',
  'bytesMade',
  'bytesDelivered',
  'bytesDropped',
  'bytesTrimmed',
] as const;

type PlannedFlow = UetTraffic['flows'][number];

/** @param at address of the record of the run. */
export function readResults(view: DataView, at: number, tables: UetTables, plan: UetPlan): UetResult {
  const { traffic: { flows: planned }, options: { isMessages } } = plan;
  const flows = planned.map((flow) => readFlow(view, tables, flow, isMessages));
  const messages = isMessages ? readMessages(view, tables, plan) : [];
  const counts = readFields(view, at, UET_RUN, [
    'ecnMarks',
    'trims',
    'drops',
    'headerDrops',
    'tailSwaps',
    'maxLowBytes',
    'maxHighBytes',
    'draws',
  ]);
  return { flows, messages, totals: totalsOf(flows, counts, counts.draws), packets: readPackets(view, at) };
}

function readPackets(view: DataView, at: number): UetPackets {
  const {
    packetsMade: made,
    packetsDelivered: delivered,
    acksMade: acks,
    nacksMade: nacks,
    pullsMade: pulls,
    ...others
  } = readFields(view, at, UET_RUN, PACKETS);
  return { made, delivered, acks, nacks, pulls, ...others };
}

function readFlow(view: DataView, tables: UetTables, { flow }: PlannedFlow, isMessages: boolean): UetFlowResult {
  const { index, source, destination, sizeBytes, senderId } = flow;
  const values = readFields(view, tables.flow(index), UET_FLOW, NAMES);
  const columns = Object.entries(FIELDS).map(([column, field]) => [column, values[field]]);
  return {
    flow: index,
    src: source,
    dst: destination,
    flow_id: senderId,
    size: isMessages ? values.totalBytes : sizeBytes,
    ...Object.fromEntries(columns) as Record<keyof typeof FIELDS, number>,
  } satisfies Record<UetFlowColumn, number>;
}

function readMessages(view: DataView, tables: UetTables, plan: UetPlan): UetMessageResult[] {
  const { traffic: { flows }, parameters: { mtuBytes } } = plan;
  let first = 0;
  return flows.flatMap(({ flow, connections }) => {
    const rows = inOrderOfDue(messagesOf(connections, mtuBytes)).map(({ number, sizeBytes }, place) => {
      const { startPs, finishPs, firstSeq, lastSeq } = readFields(view, tables.message(first + place), UET_MESSAGE, [
        'startPs',
        'finishPs',
        'firstSeq',
        'lastSeq',
      ]);
      return {
        flow: flow.index,
        msg: number,
        size: sizeBytes,
        start_ps: startPs,
        finish_ps: finishPs,
        first_psn: seqOf(firstSeq),
        last_psn: seqOf(lastSeq),
      };
    });
    first += rows.length;
    return rows.sort((a, b) => a.msg - b.msg);
  });
}

function seqOf(value: number): number {
  return value === UET_NONE ? -1 : value;
}
