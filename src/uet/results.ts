/**
 * Results of a run: one row per flow, its messages, and totals; also as CSV. Column names are those of the golden
 * files.
 */
import { checkField, checkRecord, numberIn, reject } from '../config/field-rules.js';
import type { UetPackets } from './packet.js';
import type { QueueCounts } from './run-context.js';

export type { UetPackets };

/** A flow at the end of the run: times in ps, -1 if not reached; sizes in bytes. */
export type UetFlowResult = Readonly<Record<UetFlowColumn, number>>;

/** Columns of a flow, in the order of the file. */
export const UET_FLOW_COLUMNS = [
  'flow',
  'src',
  'dst',
  'flow_id',
  'size',
  'start_ps',
  'finish_ps',
  'new_pkts',
  'rtx_pkts',
  'rts_pkts',
  'acks',
  'nacks',
  'pulls',
  'timeouts',
  'ecn_echoes',
  'sleek_pkts',
  'highest_sent',
  'final_cwnd',
  'final_maxwnd',
  'in_flight',
  'base_rtt_ps',
  'avg_delay_ps',
  'credit',
  'fair_inc',
  'prop_inc',
  'fast_inc',
  'eta_inc',
  'multi_dec',
  'quick_dec',
  'nack_dec',
  'rx_pkts',
  'rx_bytes',
  'rx_ecn',
  'rx_ooo',
  'rx_dup',
  'rx_trimmed',
  'rx_trimmed_last_hop',
  'expected_psn',
] as const;

/** Name of a column of a flow. */
export type UetFlowColumn = (typeof UET_FLOW_COLUMNS)[number];

/** Columns of a message, in the order of the file. */
export const UET_MESSAGE_COLUMNS = [
  'flow',
  'msg',
  'size',
  'start_ps',
  'finish_ps',
  'first_psn',
  'last_psn',
] as const;

/** Name of a column of a message. */
export type UetMessageColumn = (typeof UET_MESSAGE_COLUMNS)[number];

/** A message at the end of the run; times in ps, -1 if not reached. */
export type UetMessageResult = Readonly<Record<UetMessageColumn, number>>;

/** Sums over flows and queues. */
export interface UetTotals {
  /** Flows of the connection matrix. */
  readonly flows: number;
  /** Flows that finished. */
  readonly completed: number;
  /** Time when the last flow finished, ps; -1 if none did. */
  readonly last_finish_ps: number;
  /** Data packets sent for the first time. */
  readonly new_pkts: number;
  /** Data packets retransmitted. */
  readonly rtx_pkts: number;
  /** Requests to send (RTS). */
  readonly rts_pkts: number;
  /** ACKs that senders received. */
  readonly acks: number;
  /** NACKs that senders received. */
  readonly nacks: number;
  /** Pulls that senders received. */
  readonly pulls: number;
  /** Expired retransmission timers. */
  readonly timeouts: number;
  /** Data packets marked by switches. */
  readonly ecn_marks: number;
  /** Data packets trimmed by switches. */
  readonly trims: number;
  /** Whole data packets dropped. */
  readonly drops: number;
  /** Headers and trimmed packets dropped. */
  readonly header_drops: number;
  /** How often a queue replaced its newest packet by the arriving one. */
  readonly tail_swaps: number;
  /** Deepest queue of data, bytes. */
  readonly max_low_queue_bytes: number;
  /** Deepest queue of headers, bytes. */
  readonly max_high_queue_bytes: number;
  /** Draws from the random generator. */
  readonly random_draws: number;
}

/** Results of a run. */
export interface UetResult {
  /** Flows, in the order of the connection matrix. */
  readonly flows: readonly UetFlowResult[];
  /** Messages of a run with `-conn_reuse`; otherwise empty. */
  readonly messages: readonly UetMessageResult[];
  /** Totals of the whole run. */
  readonly totals: UetTotals;
  /** Packets of all kinds, which `htsim_uec` does not count. */
  readonly packets: UetPackets;
}

export function totalsOf(flows: readonly UetFlowResult[], counts: QueueCounts, draws: number): UetTotals {
  const sum = (column: UetFlowColumn): number => flows.reduce((total, flow) => total + flow[column], 0);
  return {
    flows: flows.length,
    completed: flows.filter(({ finish_ps: finishPs }) => finishPs >= 0).length,
    last_finish_ps: flows.reduce((last, { finish_ps: finishPs }) => Math.max(last, finishPs), -1),
    new_pkts: sum('new_pkts'),
    rtx_pkts: sum('rtx_pkts'),
    rts_pkts: sum('rts_pkts'),
    acks: sum('acks'),
    nacks: sum('nacks'),
    pulls: sum('pulls'),
    timeouts: sum('timeouts'),
    ecn_marks: counts.ecnMarks,
    trims: counts.trims,
    drops: counts.drops,
    header_drops: counts.headerDrops,
    tail_swaps: counts.tailSwaps,
    max_low_queue_bytes: counts.maxLowBytes,
    max_high_queue_bytes: counts.maxHighBytes,
    random_draws: draws,
  };
}

const NUMBER = numberIn(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

/**
 * One line per flow below a line of names: times in ps, sizes in bytes.
 * @throws RoceError `invalid-config`: `result` is not a result.
 */
export function uetFlowsToCsv(result: UetResult): string {
  checkRecord(result, 'result');
  return textOf(UET_FLOW_COLUMNS, result.flows, 'result.flows');
}

/**
 * One line per message below a line of names; runs without `-conn_reuse` have none.
 * @throws RoceError `invalid-config`: `result` is not a result.
 */
export function uetMessagesToCsv(result: UetResult): string {
  checkRecord(result, 'result');
  return textOf(UET_MESSAGE_COLUMNS, result.messages, 'result.messages');
}

function textOf<Column extends string>(columns: readonly Column[], rows: readonly Readonly<Record<Column, number>>[],
  where: string): string {
  if (!isList(rows)) reject({ got: rows, allowed: 'a list of rows', where });
  const lines = rows.map((row, at) => lineOf(columns, row, `${where}[${at}]`));
  return [columns.join(','), ...lines, ''].join('\n');
}

function lineOf<Column extends string>(columns: readonly Column[], row: Readonly<Record<Column, number>>,
  where: string): string {
  checkRecord(row, where);
  for (const column of columns) checkField(row[column], NUMBER, `${where}.${column}`);
  return columns.map((column) => row[column]).join(',');
}

function isList(value: unknown): boolean {
  return Array.isArray(value);
}
