/** Acknowledgements and expected states from the reference simulator's per-ACK traces. */
import { expect } from 'vitest';
import type { HpccParameters } from '../../src/config/algorithms/hpcc.js';
import type { Ack } from '../../src/reference/algorithms/ack.js';
import { quantizeHop, type Int64Telemetry, type RawHop } from '../../src/reference/algorithms/hpcc/hops.js';
import { ns } from '../../src/units.js';
import { readGolden, type Row } from './golden.js';

/** A file's rows by one of its columns. */
export function rowsBy(folder: string, name: string, column: string): ReadonlyMap<string, Row> {
  return new Map(readGolden(folder, name).map((row) => [row[column], row]));
}

/** The inputs of HPCC's traces: one row of hpcc_configs.csv and one of hpcc_scenarios.csv. */
export function hpccParametersOf(config: Row, scenario: Row): HpccParameters {
  return {
    algorithm: 'hpcc',
    numbers: 'whole-bps',
    primary: 'rate',
    maxRateBps: Number(scenario.nic_line_rate_bps),
    minRateBps: Number(config.min_rate_bps),
    baseRttPs: ns(Number(scenario.base_rtt_ns)),
    windowBytes: Number(scenario.win_bytes),
    windowMode: scenario.var_win === '1' ? 'variable' : 'fixed',
    targetUtilization: Number(config.target_util),
    maxStage: Number(config.mi_thresh),
    aiRateBps: Number(config.rai_bps),
    aiWindowBytes: 0,
    fastReact: config.fast_react === '1',
    multiRate: config.multi_rate === '1',
    sampleFeedback: config.sample_feedback === '1',
    ewma: 'adaptive',
    ewmaBeta: 0,
    records: 'int64',
    intMultiplier: Number(config.int_multi),
    pathChange: 'ignore',
    repeatedTimestamp: 'skip-hop',
    sequence: 'u32',
    sendGap: 'ns3-nanoseconds',
  };
}

/** The exact hop inputs of a row as the records that the simulator's switches write. */
export function telemetryOf(row: Row, multiplier: number): Int64Telemetry {
  const hopCount = Number(row.nhop);
  const slots: RawHop[] = Array.from({ length: 5 }, () => ({ lineRateCode: 0, time: 0, bytes: 0, qlen: 0 }));
  for (let i = 0; i < hopCount; i += 1) slots[i % 5] = rawHopOf(row, i, multiplier);
  return { kind: 'int64', hopCount, hops: slots };
}

function rawHopOf(row: Row, hop: number, multiplier: number): RawHop {
  const sample = {
    timePs: timePsOf(row[`h${hop}_ts_ns`]),
    txBytes: Number(row[`h${hop}_tx_bytes`]),
    qlenBytes: Number(row[`h${hop}_qlen_bytes`]),
    lineRateBps: Number(row[`h${hop}_line_bps`]),
  };
  return quantizeHop(sample, multiplier);
}

/** Some times lie before the start, as 64-bit numbers that wrapped; a record keeps the low 24 bits anyway. */
function timePsOf(timeNs: string): number {
  return ns(Number(BigInt.asUintN(40, BigInt(timeNs))));
}

/** The part of an ACK that all traces have. */
export function ackOf(row: Row): Ack {
  return {
    timePs: ns(Number(row.time_ns)),
    ackSeq: Number(row.ack_seq),
    sndNxt: Number(row.snd_nxt),
    ecnEcho: row.ecn_echo === '1',
  };
}

/** The numbers of some columns, in order. */
export function numbersOf(row: Row, columns: readonly string[]): number[] {
  return columns.map((column) => Number(row[column]));
}

/** Like `expect(actual).toEqual(expected)` for plain values, but fast if they are equal: traces have many rows. */
export function expectRow(actual: readonly unknown[], expected: readonly unknown[], where: string): void {
  if (actual.join() === expected.join()) return;
  expect(actual, where).toEqual(expected);
}
