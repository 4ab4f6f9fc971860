import { beforeAll, describe, expect, it } from 'vitest';
import type { HpccParameters } from '../../src/config/algorithms/hpcc.js';
import { txTimeNs, windowAtRate } from '../../src/reference/algorithms/rate-numbers.js';
import { ackOf, expectRow, hpccParametersOf, numbersOf, rowsBy, telemetryOf } from '../support/golden-acks.js';
import { GOLDEN_UNIT, goldenFiles, readGolden, type Row } from '../support/golden.js';
import { instantiatePart, type WasmController, type WasmExports } from './support/harness.js';
import { hpccController, keptHops, stateOf } from './support/hpcc-twins.js';

const KIND: Readonly<Record<string, string>> = { FIRST: 'first', UPDATE: 'update', FAST: 'fast', SKIP: 'skipped' };
const FIELDS = ['last_update_seq_after', 'u', 'cur_rate_bps', 'rate_bps', 'win_from_rate', 'win_from_cur_rate'];
const HOPS = [0, 1, 2, 3, 4];
const LEN_BYTES = 1090;

let wasm: WasmExports;

beforeAll(async () => {
  wasm = await instantiatePart('test/algorithms/support/hpcc-entry.ts');
});

/** The simulator classifies a first ACK as FAST unless its sequence number is above 0. */
function outcomeOf(row: Row): string {
  const first = row.last_update_seq_before === '0' && row.kind !== 'SKIP';
  return first ? 'first' : KIND[row.kind];
}

/** With a rate per hop the simulator copies a stage that it never set, so the stage is not compared. */
function expectedOf({ multiRate }: HpccParameters, row: Row): unknown[] {
  const stage = multiRate ? [] : [Number(row.inc_stage)];
  return [outcomeOf(row), ...numbersOf(row, FIELDS), ...stage, Number(row.next_avail_ns)];
}

function actualOf({ multiRate, windowBytes: base, maxRateBps }: HpccParameters, qp: WasmController): number[] {
  const { lastUpdateSeq, utilization, incStage, committed, rateBps, windowBytes } = stateOf(qp);
  const committedWindow = windowAtRate('whole-bps', base, committed, maxRateBps);
  return [
    lastUpdateSeq,
    utilization,
    committed,
    rateBps,
    windowBytes,
    committedWindow,
    ...(multiRate ? [] : [incStage]),
  ];
}

describe('HPCC in wasm reproduces the per-ACK traces of the ns-3 reference simulator', () => {
  const folder = GOLDEN_UNIT;
  const configs = rowsBy(folder, 'hpcc_configs.csv', 'config');
  const scenarios = rowsBy(folder, 'hpcc_scenarios.csv', 'scenario');
  const traces = goldenFiles(folder, /^hpcc__.*\.csv$/);

  it('has traces to reproduce', () => expect(traces.length).toBeGreaterThan(0));

  it.each(traces)('%s', (name) => {
    const [, config = '', scenario = ''] = name.replace(/\.csv$/, '').split('__');
    const parameters = hpccParametersOf(configs.get(config)!, scenarios.get(scenario)!);
    const inputs = readGolden(folder, `hpcc_input__${scenario}.csv`);
    const qp = hpccController(wasm, parameters);
    readGolden(folder, name).forEach((row, index) => {
      const where = `row ${index}`;
      const telemetry = telemetryOf(inputs[index], parameters.intMultiplier);
      const ack = { ...ackOf(inputs[index]), telemetry };
      const gapNs = txTimeNs(LEN_BYTES, qp.rateBps);
      qp.onSent(ack.timePs, LEN_BYTES);
      const outcome = qp.onAck(ack);
      // The traces have no pending gap before an ACK, so the gap that onSent set is subtracted.
      expectRow([outcome, ...actualOf(parameters, qp), qp.nextSendPs / 1000 - gapNs], expectedOf(parameters, row),
        where);
      const hops = keptHops(qp, 5);
      if (outcome !== 'skipped' && !parameters.sampleFeedback) {
        const used = HOPS.slice(0, telemetry.hopCount);
        const kept = used.flatMap((i) => [hops[i].time, hops[i].txBytes, hops[i].qlen]);
        expectRow(kept, used.flatMap((i) => numbersOf(row, [`h${i}_time`, `h${i}_bytes`, `h${i}_qlen`])), where);
      }
      if (!parameters.multiRate) return;
      const perHop = hops.flatMap((hop) => [hop.utilization, hop.committed, hop.incStage]);
      expectRow(perHop, HOPS.flatMap((i) => numbersOf(row, [`h${i}_u`, `h${i}_rc_bps`, `h${i}_stage`])), where);
    });
    qp.checkContained();
  });
});
