import { describe, expect, it } from 'vitest';
import { CongestionPointRandom } from '../../../src/reference/cp/random.js';
import { HpccPintModel, PintCodec, pintDecodeTable } from '../../../src/reference/algorithms/hpcc-pint/model.js';
import { windowAtRate } from '../../../src/reference/algorithms/rate-numbers.js';
import { ackOf, expectRow, numbersOf } from '../../support/golden-acks.js';
import { PINT_TRACES, pintGolden } from '../../support/golden-names.js';
import { GOLDEN_UNIT, goldenFiles, readGolden, type Row } from '../../support/golden.js';

const COLUMNS = ['last_update_seq_after', 'u_decoded', 'inc_stage', 'cur_rate_bps', 'rate_bps', 'win_from_rate'];
const KIND: Readonly<Record<string, string>> = { FIRST: 'first', UPDATE: 'update', FAST: 'fast', SKIP: 'skipped' };

/** Number of draws of each power for one value. */
function drawPowers(codec: PintCodec, utilization: number, draws: number, seed: number): Map<number, number> {
  const random = new CongestionPointRandom(seed);
  const counts = new Map<number, number>();
  for (let i = 0; i < draws; i += 1) {
    const power = codec.encode(utilization, random);
    counts.set(power, (counts.get(power) ?? 0) + 1);
  }
  return counts;
}

describe('HPCC-PINT reproduces the numbers of the ns-3 reference simulator', () => {
  const folder = GOLDEN_UNIT;
  const traces = goldenFiles(folder, PINT_TRACES);

  it('has traces to reproduce', () => expect(traces.length).toBeGreaterThan(0));

  it.each(traces)('%s', (name) => {
    const parameters = pintGolden(name);
    const model = new HpccPintModel(parameters, new CongestionPointRandom(1));
    const codec = new PintCodec(parameters.pintBase, parameters.pintBits);
    for (const row of readGolden(folder, name)) {
      const outcome = model.onAck({ ...ackOf(row), pintPower: Number(row.power) });
      const { lastUpdateSeq, incStage, committed, rateBps } = model.state;
      const window = windowAtRate('whole-bps', parameters.windowBytes, rateBps, parameters.maxRateBps);
      const actual = [
        outcome,
        lastUpdateSeq,
        codec.decode(Number(row.power)),
        incStage,
        committed,
        rateBps,
        model.windowBytes,
      ];
      expectRow([...actual, window], [KIND[row.kind], ...numbersOf(row, COLUMNS), Number(row.win_from_rate)],
        row.time_ns);
    }
  });

  it('every entry of the decode tables is the same double', () => {
    const tables = new Map<string, Float64Array>();
    for (const { base, n_bits: bits, n_bytes: bytes, power, u } of readGolden(folder, 'pint_decode.csv')) {
      const table = tables.get(base) ?? pintDecodeTable(Number(base), Number(bits));
      tables.set(base, table);
      expectRow([table[Number(power)]], [Number(u)], power);
      if (power === '0') expect(new PintCodec(Number(base), Number(bits)).bytes).toBe(Number(bytes));
    }
    expect([...tables.values()].map((table) => table.length)).toEqual([256, 2048]);
  });

  it('powers are drawn with the same probabilities', () => {
    const rows: Row[] = readGolden(folder, 'pint_encode_dist.csv');
    const codec = new PintCodec(1.05, 8);
    for (const u of new Set(rows.map((row) => row.u))) {
      const wanted = new Map(rows.filter((row) => row.u === u).map((row) => [Number(row.power), Number(row.count)]));
      const got = drawPowers(codec, Number(u), 100_000, 7);
      expect([...got.keys()].sort((a, b) => a - b)).toEqual([...wanted.keys()]);
      // Two samples of 100,000 draws each: the standard deviation of their difference is at most sqrt(2 * 1e5 / 4) = 224.
      for (const [power, count] of wanted) expect(Math.abs(got.get(power)! - count)).toBeLessThan(5 * 224);
    }
  });
});
