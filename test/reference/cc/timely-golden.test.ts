import { describe, expect, it } from 'vitest';
import type { TimelyParameters } from '../../../src/config/timely-parameters.js';
import { TimelyModel } from '../../../src/reference/cc/timely.js';
import { ns, us } from '../../../src/units.js';
import { ackOf, expectRow, numbersOf } from '../../support/golden-acks.js';
import { GOLDEN_FOLDERS, goldenFiles, readGolden } from '../../support/golden.js';

const COLUMNS = ['last_update_seq', 'last_rtt_ns', 'rtt_diff', 'cur_rate_bps', 'rate_bps', 'inc_stage'];
const NAME = /^timely__rai(\d+)M_rhai(\d+)M_min(\d+)G\.csv(\.gz)?$/;

/** The file's name tells the three rates; the rest are the simulator's defaults. */
function parametersOf(name: string): TimelyParameters {
  const [, ai, hai, min] = NAME.exec(name) ?? [];
  return {
    algorithm: 'timely', numbers: 'whole-bps', maxRateBps: 100e9, minRateBps: Number(min) * 1e9,
    ewmaAlpha: 0.875, decreaseBeta: 0.8, lowRttPs: us(50), highRttPs: us(500), minRttPs: us(20),
    aiRateBps: Number(ai) * 1e6, haiRateBps: Number(hai) * 1e6, hyperAfterSteps: 5,
    lowRttIncrease: 'staged', updateOn: 'round-trip', sequence: 'u32', sendGap: 'ns3-nanoseconds',
  };
}

describe.each(GOLDEN_FOLDERS)('TIMELY reproduces the per-ACK traces of the ns-3 reference simulator in %s', (folder) => {
  const traces = goldenFiles(folder, NAME);

  it('has traces to reproduce', () => expect(traces.length).toBeGreaterThan(0));

  it.each(traces)('%s', (name) => {
    const model = new TimelyModel(parametersOf(name));
    for (const row of readGolden(folder, name)) {
      const ack = ackOf(row);
      model.onAck({ ...ack, sentTimePs: ack.timePs - ns(Number(row.rtt_ns)) });
      const { lastUpdateSeq, lastRttNs, rttDiffNs, rateBps, incStage } = model.state;
      expectRow([lastUpdateSeq, lastRttNs, rttDiffNs, rateBps, rateBps, incStage], numbersOf(row, COLUMNS), row.time_ns);
    }
  });
});
