import { describe, expect, it } from 'vitest';
import type { HpccParameters } from '../../../src/config/algorithms/hpcc.js';
import { HpccModel } from '../../../src/reference/algorithms/hpcc/model.js';
import { quantizeHop, type Int64Telemetry, type RawHop } from '../../../src/reference/algorithms/hpcc/hops.js';
import type { HpccHopState } from '../../../src/abi/state/hpcc.js';
import { txTimeNs, windowAtRate } from '../../../src/reference/algorithms/rate-numbers.js';
import { ns } from '../../../src/units.js';
import { ackOf, expectRow, hpccParametersOf, numbersOf, rowsBy, telemetryOf } from '../../support/golden-acks.js';
import { GOLDEN_UNIT, goldenFiles, readGolden, type Row } from '../../support/golden.js';

const KIND: Readonly<Record<string, string>> = { FIRST: 'first', UPDATE: 'update', FAST: 'fast', SKIP: 'skipped' };
const FIELDS = [
  'last_update_seq_after',
  'u',
  'inc_stage',
  'cur_rate_bps',
  'rate_bps',
  'win_from_rate',
  'win_from_cur_rate',
];
const HOPS = [0, 1, 2, 3, 4];

/** The simulator calls a first ACK FAST if its number is not above 0. */
function outcomeOf(row: Row): string {
  const skipped = row.kind === 'SKIP';
  return row.last_update_seq_before === '0' && !skipped ? 'first' : KIND[row.kind];
}

/** The raw fields of the ACK's records: lineRate code, time, bytes, queue of each hop. */
function rawFields(telemetry: Int64Telemetry): number[] {
  const hops = telemetry.hops.slice(0, telemetry.hopCount);
  return hops.flatMap((hop: RawHop) => [hop.lineRateCode, hop.time, hop.bytes, hop.qlen]);
}

function expectedRaw(row: Row): number[] {
  const hops = HOPS.slice(0, Number(row.nhop));
  return hops.flatMap((i) => numbersOf(row, [`h${i}_lr`, `h${i}_time`, `h${i}_bytes`, `h${i}_qlen`]));
}

function expectedPerHop(row: Row): number[] {
  return HOPS.flatMap((i) => numbersOf(row, [`h${i}_u`, `h${i}_rc_bps`, `h${i}_stage`]));
}

/** The records that the model keeps: time, bytes, queue of each hop. */
function keptFields(hops: readonly HpccHopState[], hopCount: number): number[] {
  return hops.slice(0, hopCount).flatMap((hop) => [hop.time, hop.txBytes, hop.qlen]);
}

function keptExpected(row: Row): number[] {
  const hops = HOPS.slice(0, Number(row.nhop));
  return hops.flatMap((i) => numbersOf(row, [`h${i}_time`, `h${i}_bytes`, `h${i}_qlen`]));
}

function perHop(hops: readonly HpccHopState[]): number[] {
  return hops.flatMap((hop) => [hop.utilization, hop.committed, hop.incStage]);
}

function step(parameters: HpccParameters, model: HpccModel, input: Row) {
  const telemetry = telemetryOf(input, parameters.intMultiplier);
  const ack = { ...ackOf(input), telemetry };
  const before = model.rateBps;
  model.onSent(ack.timePs, 1090);
  const outcome = model.onAck(ack);
  // The traces reset the next send time before each ACK, so the gap that onSent has set is subtracted.
  return { outcome, nextAvailNs: model.nextSendPs / 1000 - txTimeNs(1090, before), telemetry };
}

/** With a rate per hop, the simulator copies a stage that it never sets, so the stage is not compared. */
function expectedValues(parameters: HpccParameters, row: Row): number[] {
  return numbersOf(parameters.multiRate ? { ...row, inc_stage: '0' } : row, FIELDS);
}

function values(parameters: HpccParameters, model: HpccModel): number[] {
  const { lastUpdateSeq, utilization, incStage, committed, rateBps, windowBytes } = model.state;
  const { windowBytes: base, maxRateBps } = parameters;
  const stage = parameters.multiRate ? 0 : incStage;
  return [
    lastUpdateSeq,
    utilization,
    stage,
    committed,
    rateBps,
    windowBytes,
    windowAtRate('whole-bps', base, committed, maxRateBps),
  ];
}

describe('HPCC reproduces the per-ACK traces of the ns-3 reference simulator', () => {
  const folder = GOLDEN_UNIT;
  const configs = rowsBy(folder, 'hpcc_configs.csv', 'config');
  const scenarios = rowsBy(folder, 'hpcc_scenarios.csv', 'scenario');
  const traces = goldenFiles(folder, /^hpcc__.*\.csv$/);

  it('has traces to reproduce', () => expect(traces.length).toBeGreaterThan(0));

  it.each(traces)('%s', (name) => {
    const [, config = '', scenario = ''] = name.replace(/\.csv$/, '').split('__');
    const parameters = hpccParametersOf(configs.get(config)!, scenarios.get(scenario)!);
    const inputs = readGolden(folder, `hpcc_input__${scenario}.csv`);
    const rows = readGolden(folder, name);
    const model = new HpccModel(parameters);
    expect(inputs.length).toBeGreaterThanOrEqual(rows.length);
    rows.forEach((row, index) => {
      const { outcome, nextAvailNs, telemetry } = step(parameters, model, inputs[index]);
      const where = `row ${index}`;
      const expected = [outcomeOf(row), ...expectedValues(parameters, row), Number(row.next_avail_ns)];
      expectRow([outcome, ...values(parameters, model), nextAvailNs], expected, where);
      expectRow(rawFields(telemetry), expectedRaw(row), where);
      const keepsAll = outcome !== 'skipped' && !parameters.sampleFeedback;
      if (keepsAll) expectRow(keptFields(model.state.hops, telemetry.hopCount), keptExpected(row), where);
      if (parameters.multiRate) expectRow(perHop(model.state.hops), expectedPerHop(row), where);
    });
  });

  it('64-bit hop records have the same rounding and wrapping, bit for bit', () => {
    for (const row of readGolden(folder, 'int_hop_quant.csv')) {
      const multiplier = Number(row.multi);
      const [timeNs, txBytes, qlenBytes, lineRateBps] = numbersOf(row, [
        'ts_ns',
        'tx_bytes',
        'qlen_bytes',
        'line_bps',
      ]);
      const raw = quantizeHop({ timePs: ns(timeNs), txBytes, qlenBytes, lineRateBps }, multiplier);
      expect(raw).toEqual({
        lineRateCode: Number(row.raw_lr),
        time: Number(row.raw_time),
        bytes: Number(row.raw_bytes),
        qlen: Number(row.raw_qlen),
      });
    }
  });
});
